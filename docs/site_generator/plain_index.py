"""Plain index of the documentation, `llms.txt`: each page with its title and its first sentence."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from site_generator.reference_names import public_modules

if TYPE_CHECKING:
    from pathlib import Path


def write(docs: Path, file: Path) -> None:
    """Write the index.

    Args:
        docs: The folder of the pages, with those that are made from the code.
        file: The file to write.
    """
    lines = ["# jvmwire", "", f"> {_sentence((docs / 'index.md').read_text())}", "", "## Pages", ""]
    pages = sorted(page for page in docs.glob("*.md") if page.name != "index.md")
    lines += [_entry(page, page.name) for page in pages]
    lines += ["", "## Command line reference", ""]
    lines += [_entry(page, f"reference/{page.name}") for page in commands(docs)]
    lines += ["", "## Python reference", ""]
    lines += [f"- [{name}](reference/{name}.html)" for name in public_modules()]
    file.write_text("\n".join(lines) + "\n")


def commands(docs: Path) -> list[Path]:
    """Return the pages of the command line reference.

    Args:
        docs: The folder of the pages.
    """
    return sorted((docs / "reference").glob("*.md"))


def _entry(page: Path, name: str) -> str:
    text = page.read_text()
    title = text.partition("\n")[0].removeprefix("# ")
    return f"- [{title}]({name.removesuffix('.md')}.html): {_sentence(text)}"


def _sentence(text: str) -> str:
    """Return the first sentence of a page, after its title, its usage and what it needs."""
    for paragraph in text.split("\n\n")[1:]:
        if not re.match(r"\s*(Needs:|```|#|\||$)", paragraph):
            first = re.match(r".*?[.:](?=\s|$)", paragraph.strip(), re.DOTALL)
            return (first[0] if first else paragraph).replace("\n", " ").strip()
    return ""
