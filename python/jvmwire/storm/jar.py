"""A topology's jar: Flux, the topology's document, and under `resources/` what Storm starts.

Each worker unpacks `resources/` of the topology's own jar and starts components there
(ShellProcess.launch). In a LocalCluster it is that of the first jar of the class path which has one
(LocallyCachedTopologyBlob), and Flux's own has: so ours must be first, and theirs is left out.
"""

from __future__ import annotations

import json
import zipfile
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from jvmwire.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from jvmwire.storm.topology import Topology

RESOURCES: Final = "resources/"
"""Where Storm looks for what it starts (ServerConfigUtils.RESOURCES_SUBDIR)."""

DOCUMENT: Final = "topology.yaml"
"""The topology, as `--resource /topology.yaml` of Flux names it."""

ENVIRONMENT: Final = "environment"
"""The folder of packages, seen from where components are started."""

FLUX: Final = "org.apache.storm.flux.Flux"
"""The class that submits the topology."""

_MANIFEST: Final = "META-INF/MANIFEST.MF"
_SIGNED: Final = (".SF", ".RSA", ".DSA", ".EC")


@dataclass(slots=True)
class Contents:
    """What goes into a topology's jar beside the topology."""

    folder: Path
    """Of the components' modules; all in it is packed but hidden files, caches, environments."""
    jars: Sequence[Path] = ()
    """Merged into it, Flux's among them; of a class that two have it is the first's."""
    environment: Path | None = None
    """A virtual environment, or a folder of packages, jvmwire among them; None where the workers'
    interpreter finds all."""
    left_out: list[tuple[Path, str]] = field(default_factory=list)
    """What `jars` have in their resources, once it is packed: it is not this topology's."""


def pack(topology: Topology, output: Path, contents: Contents, *, interpreter: str) -> None:
    """Write a jar that runs `topology`. Raises `ConfigError` for what it could not run by."""
    packages = None if contents.environment is None else _packages(contents.environment)
    flux = topology.flux(
        interpreter=interpreter, environment=None if packages is None else ENVIRONMENT
    )
    refuse_direct(topology)
    files = list(_files(contents.folder, but=output))
    with zipfile.ZipFile(output, "w", zipfile.ZIP_DEFLATED) as jar:
        jar.writestr(_MANIFEST, f"Manifest-Version: 1.0\r\nMain-Class: {FLUX}\r\n\r\n")
        jar.writestr(DOCUMENT, json.dumps(flux, indent=2))
        # Entries of folders are what the JVM finds `resources` itself by.
        jar.writestr(RESOURCES, b"")
        for path in files:
            jar.write(path, f"{RESOURCES}{path.relative_to(contents.folder)}")
        if packages is not None:
            for path in _files(packages):
                jar.write(path, f"{RESOURCES}{ENVIRONMENT}/{path.relative_to(packages)}")
        for other in contents.jars:
            _merge(jar, other, contents.left_out)


def refuse_direct(topology: Topology) -> None:
    """Raise `ConfigError` if a bolt takes a direct stream: Flux's wrappers declare none."""
    for node in topology.nodes:
        for source in node.inputs:
            if source.type == "DIRECT":
                raise ConfigError(
                    f"{node.name} takes {source.component}'s stream {source.stream!r} direct, "
                    "which Flux cannot declare of components in other languages"
                )


def _merge(jar: zipfile.ZipFile, other: Path, left_out: list[tuple[Path, str]]) -> None:
    try:
        with zipfile.ZipFile(other) as merged:
            for entry in merged.infolist():
                name = entry.filename
                if name.startswith(RESOURCES):
                    if not entry.is_dir():
                        left_out.append((other, name))
                elif name not in jar.NameToInfo and not name.endswith(_SIGNED):
                    jar.writestr(entry, merged.read(entry))
    except (OSError, zipfile.BadZipFile) as error:
        raise ConfigError(f"{other} is no jar: {error}") from error


def _files(folder: Path, *, but: Path | None = None) -> Iterator[Path]:
    for path in sorted(folder.iterdir()):
        if path.name.startswith(".") or path.name == "__pycache__":
            continue
        if path.is_dir():
            if not (path / "pyvenv.cfg").exists():
                yield from _files(path, but=but)
        elif but is None or path.resolve() != but.resolve():
            yield path


def _packages(environment: Path) -> Path:
    # A folder of packages holds them itself.
    packages = next(environment.glob("lib/python3*/site-packages"), environment)
    if not (packages / "jvmwire").is_dir():
        raise ConfigError(f"{environment} holds no package jvmwire, by which components are run")
    return packages
