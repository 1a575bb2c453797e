"""The help of the command itself."""

import subprocess
import sys

import click
import pytest

from jvmwire._cli import COMMANDS, cli

LOADED = """
import sys
from jvmwire._cli import cli
cli.main(["--help"], standalone_mode=False)
print(list(sys.modules), file=sys.stderr)
"""


@pytest.mark.parametrize("name", COMMANDS)
def test_the_help_has_the_first_sentence_of_each_command(name: str) -> None:
    command = cli.get_command(click.Context(cli), name)
    assert command is not None
    assert command.get_short_help_str(limit=100) == COMMANDS[name]


def test_the_help_loads_no_command() -> None:
    done = subprocess.run(
        [sys.executable, "-c", LOADED], capture_output=True, text=True, check=True
    )
    assert all(f"  {name} " in done.stdout for name in COMMANDS)
    for heavy in ("jvmwire.hadoop", "jvmwire.capture", "rich"):
        assert f"'{heavy}'" not in done.stderr
