"""Pages of the command line reference: one per command, made from click's own tree."""

from __future__ import annotations

import inspect
import re
from typing import TYPE_CHECKING

import click

from jvmwire._cli import cli

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def commands(command: click.Command, context: click.Context) -> Iterator[click.Context]:
    """Yield the context of a command and of all commands in it.

    Args:
        command: The command.
        context: Its context.
    """
    yield context
    for name, inner in _inner(command, context):
        yield from commands(inner, click.Context(inner, info_name=name, parent=context))


def _inner(command: click.Command, context: click.Context) -> Iterator[tuple[str, click.Command]]:
    """Yield the name and the command of each command in a group."""
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            if inner := command.get_command(context, name):
                yield name, inner


def root() -> click.Context:
    """Return the context of the command `jvmwire`."""
    return click.Context(cli, info_name="jvmwire")


def write(folder: Path) -> None:
    """Write the page of each command and the page that lists them.

    Args:
        folder: The folder of the reference.
    """
    context = root()
    lines = [
        "# Command line reference",
        "",
        *_describe(context, level=0),
        "",
        "| command | purpose |",
        "| --- | --- |",
    ]
    names = []
    for name, command in _inner(cli, context):
        names.append(name)
        lines.append(f"| [`jvmwire {name}`](jvmwire-{name}.md) | {_first_line(command)} |")
        page = []
        own = click.Context(command, info_name=name, parent=context)
        for inner in commands(command, own):
            level = inner.command_path.count(" ")
            page += [f"{'#' * level} {inner.command_path}", "", *_describe(inner, level), ""]
        (folder / f"jvmwire-{name}.md").write_text("\n".join(page) + "\n")
    toctree = ["", "```{toctree}", ":hidden:", "", *(f"jvmwire-{name}" for name in names), "```"]
    (folder / "command-line.md").write_text("\n".join([*lines, *toctree]) + "\n")


def _first_line(command: click.Command) -> str:
    return _escape(inspect.cleandoc(command.help or "").partition("\n\n")[0].replace("\n", " "))


def _describe(context: click.Context, level: int) -> list[str]:
    command = context.command
    usage = " ".join([context.command_path, *command.collect_usage_pieces(context)])
    lines = ["```text", usage, "```", "", *_text(command.help or "")]
    options = [one for one in command.get_params(context) if isinstance(one, click.Option)]
    options = [one for one in options if not one.hidden and one.name != "help"]
    if options:
        lines += ["", "| option | default | variable | meaning |", "| --- | --- | --- | --- |"]
        lines += [_option(one, context) for one in options]
    if isinstance(command, click.Group) and level:
        lines += ["", "| command | purpose |", "| --- | --- |"]
        for name, inner in _inner(command, context):
            anchor = f"{context.command_path} {name}".replace(" ", "-")
            lines.append(f"| [`{name}`](#{anchor}) | {_first_line(inner)} |")
    if command.epilog:
        lines += ["", *_text(command.epilog)]
    return lines


def _text(text: str) -> list[str]:
    """Return a help text; a paragraph after `\\b` keeps its lines."""
    lines: list[str] = []
    for paragraph in inspect.cleandoc(text).split("\n\n"):
        if paragraph.startswith("\b"):
            lines += ["```text", *paragraph.removeprefix("\b").strip("\n").splitlines(), "```", ""]
        else:
            lines += [_escape(paragraph), ""]
    return lines


def _option(option: click.Option, context: click.Context) -> str:
    names = ", ".join([*option.opts, *option.secondary_opts])
    if not option.is_flag and not option.count:
        # Spaces, at which a narrow table may break the line.
        names += f" {option.make_metavar(context)}".replace("|", " | ")
    described = option.get_help_extra(context)
    default = described.get("default") or ""
    variables = ", ".join(described.get("envvars") or _variables(option))
    cells = [_code(names), _code(str(default)), _code(variables), _escape(option.help or "")]
    return f"| {' | '.join(cells)} |"


def _variables(option: click.Option) -> list[str]:
    found = option.envvar or []
    return [found] if isinstance(found, str) else list(found)


def _code(text: str) -> str:
    return f"`{text.replace('|', chr(92) + '|')}`" if text else ""


def _escape(text: str) -> str:
    return re.sub(r"([|<>*\[\]])", r"\\\1", text.replace("\n", " "))
