"""Help texts of the commands."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
import pytest
from click.testing import CliRunner

from jvmwire._cli import cli

if TYPE_CHECKING:
    from collections.abc import Iterator


def commands(
    group: click.Group, names: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """Return every command below `group`, groups included, by the words that call it."""
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        yield (*names, name), command
        if isinstance(command, click.Group):
            yield from commands(command, (*names, name))


ALL = dict(commands(cli))


@pytest.mark.parametrize(
    "names", [(), *(names for names, it in ALL.items() if isinstance(it, click.Group))]
)
def test_a_list_of_commands_says_of_each_in_a_whole_sentence_what_it_does(
    names: tuple[str, ...],
) -> None:
    shown = CliRunner().invoke(cli, [*names, "--help"])
    listed = shown.output.partition("Commands:\n")[2].splitlines()
    assert listed
    for line in listed:
        assert line.endswith("."), line
        assert not line.endswith("..."), line


@pytest.mark.parametrize("names", ALL, ids=" ".join)
def test_every_option_of_a_command_says_what_it_is_for(names: tuple[str, ...]) -> None:
    options = [it for it in ALL[names].params if isinstance(it, click.Option)]
    assert [option.opts for option in options if not option.help] == []


@pytest.mark.parametrize(
    "arguments",
    [
        ["pravega", "ping", "--count", "0", "localhost:1"],
        ["hadoop", "ping", "--count", "0"],
        ["hazelcast", "ping", "--count", "0"],
        ["hazelcast", "ping", "--timeout", "-1"],
        ["hazelcast", "top", "--interval", "-1"],
    ],
    ids=" ".join,
)
def test_a_number_that_makes_no_sense_is_refused(arguments: list[str]) -> None:
    refused = CliRunner().invoke(cli, arguments)
    assert refused.exit_code == 2
    assert "is not in the range" in refused.output
