"""Licence notices of the crates that are linked into the wheel, and its bill of materials.

The crates are those of Cargo.lock. `make notices` writes both files. They contain no path and no
time: two machines write the same.
"""

import json
import re
import subprocess
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kit.environment import ROOT

NOTICES = ROOT / "THIRD-PARTY-LICENSES"
BILL_OF_MATERIALS = ROOT / "rust" / "jvmwire.cyclonedx.json"

_LINKED_INTO = "jvmwire-python"
_PLATFORM = "x86_64-unknown-linux-gnu"
_LICENSE_FILE = re.compile(r"(licen[cs]e|copying|notice|copyright|unlicense)", re.IGNORECASE)
_NOT_TEXT = {".rs", ".c", ".h", ".py", ".html"}
_STANDARD_LIBRARY = """\
The Rust standard library
Licence: MIT OR Apache-2.0
Copyright (c) The Rust Project Contributors. Both texts are below, with crates under the same."""


class MissingNotice(LookupError):
    """A crate whose package holds no text of its licence."""


@dataclass(frozen=True)
class Crate:
    """A crate that is linked in."""

    name: str
    version: str
    licence: str
    checksum: str
    texts: tuple[str, ...]


def crates() -> list[Crate]:
    """Return all crates that the wheel's library is linked from, by name and version."""
    command = ["cargo", "metadata", "--format-version=1", "--locked", "--filter-platform"]
    done = subprocess.run([*command, _PLATFORM], cwd=ROOT, capture_output=True, check=True)
    metadata = json.loads(done.stdout)
    checksums = {
        (locked["name"], locked["version"]): locked.get("checksum", "")
        for locked in tomllib.loads((ROOT / "Cargo.lock").read_text())["package"]
    }
    found = []
    for package in _linked(metadata):
        if package["source"] is None:
            continue  # a crate of jvmwire
        name, version = package["name"], package["version"]
        texts = tuple(_texts(Path(package["manifest_path"]).parent))
        found.append(Crate(name, version, package["license"], checksums[name, version], texts))
    return sorted(found, key=lambda crate: (crate.name, crate.version))


def _linked(metadata: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Walk along normal dependencies of jvmwire's library: build scripts and macros do not
    count.
    """
    packages = {package["id"]: package for package in metadata["packages"]}
    nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}
    waiting = [key for key, package in packages.items() if package["name"] == _LINKED_INTO]
    seen = set(waiting)
    while waiting:
        key = waiting.pop()
        yield packages[key]
        for dependency in nodes[key]["deps"]:
            package = packages[dependency["pkg"]]
            is_normal = any(kind["kind"] is None for kind in dependency["dep_kinds"])
            is_macro = any("proc-macro" in target["kind"] for target in package["targets"])
            if is_normal and not is_macro and package["id"] not in seen:
                seen.add(package["id"])
                waiting.append(package["id"])


def _texts(directory: Path) -> Iterator[str]:
    """Read the licences and notices in a package, including those of C sources in it."""
    for path in sorted(directory.rglob("*")):
        is_notice = _LICENSE_FILE.match(path.name) and path.suffix not in _NOT_TEXT
        # zstd is used under its LICENSE, not the GPL; other packages have a file that explains the
        # choice.
        is_other = path.name == "COPYING" and any(path.parent.glob("LICENSE*"))
        if is_notice and path.is_file() and not is_other:
            lines = path.read_text(encoding="utf-8").strip("\n").splitlines()
            yield "\n".join(line.rstrip() for line in lines)


def notices(linked: list[Crate]) -> str:
    """Return all notices: each text once, after the crates that carry it."""
    carriers: dict[str, tuple[str, set[str]]] = {}
    without = []
    for crate in linked:
        title = f"{crate.name} {crate.version} ({crate.licence})"
        for text in crate.texts:
            # Many differ only in their line breaks.
            carriers.setdefault(" ".join(text.split()), (text, set()))[1].add(title)
        if not crate.texts:
            without.append((title, crate.licence))
    for title, licence in without:
        # Among the licences on offer, Apache-2.0 is the one whose text names no author.
        if "Apache-2.0" not in licence:
            raise MissingNotice(f"{title} holds no text of its licence: add it by hand")
    apache = (ROOT / "LICENSE").read_text().strip("\n")
    parts = [
        "jvmwire's compiled library is linked from what follows, each under its own licence.",
        _STANDARD_LIBRARY,
        *(f"{title}\nUsed under Apache-2.0, whose text is below." for title, _ in without),
        *("\n".join([*sorted(titles), "", text]) for text, titles in carriers.values()),
        "Apache License 2.0\n\n" + apache,
    ]
    return f"\n\n{'=' * 80}\n\n".join(parts) + "\n"


def bill_of_materials(linked: list[Crate]) -> str:
    """Return the linked crates as a bill of materials in CycloneDX 1.5."""
    components = [
        {
            "type": "library",
            "bom-ref": f"pkg:cargo/{crate.name}@{crate.version}",
            "name": crate.name,
            "version": crate.version,
            "hashes": [{"alg": "SHA-256", "content": crate.checksum}],
            "licenses": [{"expression": crate.licence.replace("/", " OR ")}],
            "purl": f"pkg:cargo/{crate.name}@{crate.version}",
        }
        for crate in linked
    ]
    bill = {"bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1, "components": components}
    return json.dumps(bill, indent=1) + "\n"


def main() -> None:
    """Write both files."""
    linked = crates()
    NOTICES.write_text(notices(linked))
    BILL_OF_MATERIALS.write_text(bill_of_materials(linked))


if __name__ == "__main__":
    main()
