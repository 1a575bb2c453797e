"""Command `jvmwire docs`, which prints a page of the documentation."""

from __future__ import annotations

import sys
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from jvmwire._escaping import quote

if TYPE_CHECKING:
    from collections.abc import Sequence

    from click.shell_completion import CompletionItem

PAGES: Final = Path(__file__).parents[1] / "_pages"
"""The folder of the pages: the source tree has links to those of the folder `docs`."""
OF_COMMAND: Final = {
    "decode": "decode",
    "query": "tables",
    "top": "monitoring",
    "report": "decode",
    "compare": "decode",
    "demo": "start",
    "docs": "command-line",
    "spark": "spark",
    "hadoop": "hdfs",
    "hadoop call": "yarn",
    "hadoop serve": "testing",
    "hazelcast": "hazelcast",
    "hazelcast serve": "testing",
    "pravega": "pravega",
    "pravega serve": "testing",
    "storm": "storm",
    "hama": "hama",
}
"""The page of each command; a subcommand that is not named has that of its command."""


class _Name(click.ParamType[str]):
    """The name of a page or a command, completed in the shell."""

    name = "page"

    def shell_complete(
        self, _ctx: click.Context, _param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Return the pages and commands that begin like a word.

        Args:
            incomplete: The word.
        """
        from click.shell_completion import CompletionItem  # only a shell that completes needs it

        return [CompletionItem(name) for name in _names() if name.startswith(incomplete)]


@click.command()
@click.argument("name", nargs=-1, metavar="[PAGE|COMMAND]", type=_Name())
def docs(*, name: tuple[str, ...]) -> None:
    """Print the page about COMMAND, or list the pages.

    A page is Markdown; on a terminal it opens in the pager of the environment variable PAGER.
    """
    if not name:
        for page in _pages():
            click.echo(f"{page:<20} {_title(page)}")
        return
    text = _file(find_page(name)).read_text(encoding="utf-8")
    if sys.stdout.isatty():
        click.echo_via_pager(text)
    else:
        click.echo(text, nl=False)


def find_page(words: Sequence[str]) -> str:
    """Return the name of the page of a command, or the name of the page if it is one.

    Args:
        words: Name of a page, or of a command with its subcommands.

    Returns:
        The name of the file without its suffix.

    Raises:
        click.UsageError: there is no such page and no such command.
    """
    for count in range(len(words), 0, -1):
        known = OF_COMMAND.get(" ".join(words[:count]))
        if known is not None:
            return known
    [page, *rest] = words
    if page in _pages() and not rest:
        return page
    near = get_close_matches(page, _names(), n=1)
    hint = f"did you mean {near[0]}?" if near else "`jvmwire docs` lists the pages"
    raise click.UsageError(f"no page and no command is named {quote(' '.join(words))}; {hint}")


def _names() -> list[str]:
    return sorted({*_pages(), *(name for name in OF_COMMAND if " " not in name)})


def _pages() -> list[str]:
    return sorted(path.stem for path in PAGES.glob("*.md"))


def _file(page: str) -> Path:
    return PAGES / f"{page}.md"


def _title(page: str) -> str:
    with _file(page).open(encoding="utf-8") as file:
        return file.readline().removeprefix("# ").strip()
