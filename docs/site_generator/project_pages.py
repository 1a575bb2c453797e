"""Pages of the site for the documents in the root folder, with their links made relative to it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

DOCUMENTS = {
    "ARCHITECTURE.md": "architecture.md",
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "security.md",
    "CHANGELOG.md": "changelog.md",
    "benches/RESULTS.md": "benchmarks.md",
}
"""Documents of the repository, by the names of their pages."""
LINK = re.compile(r"\]\(([^)#:]+\.md)(#[^)]*)?\)")


def write(root: Path, folder: Path) -> None:
    """Write the pages.

    Args:
        root: The folder of the repository.
        folder: The folder of the pages, which is below `docs`.
    """
    folder.mkdir(exist_ok=True)

    def relative(matched: re.Match[str]) -> str:
        target = matched[1]
        page = DOCUMENTS.get(target) or f"../{target.removeprefix('docs/')}"
        return f"]({page}{matched[2] or ''})"

    for document, page in DOCUMENTS.items():
        (folder / page).write_text(LINK.sub(relative, (root / document).read_text()))
