"""The help of the command itself."""

import subprocess
import sys

import click
import pytest

from jvmwire._cli import COMMANDS, cli, hama, storm
from jvmwire.hama import _local
from jvmwire.storm import _local_cluster
from kit.environment import ROOT

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


EACH_LOADED = """
import sys
from jvmwire._cli import cli
from kit.wrong_arguments import commands
for name, _ in commands(cli):
    if name.split()[0] in {systems}:
        cli.main([*name.split(), "--help"], standalone_mode=False)
print(list(sys.modules), file=sys.stderr)
"""
# `commands` loads every group, those that load captures, too.
CLIENTS = ("hadoop", "hazelcast", "pravega", "storm", "hama")


def test_the_help_of_a_command_loads_no_client() -> None:
    program = EACH_LOADED.format(systems=CLIENTS)
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT / "tests",
    )
    assert done.stdout.count("Usage: ") > 40
    for heavy in (*(f"jvmwire.{name}" for name in CLIENTS), "jvmwire.transports", "asyncio", "ssl"):
        assert f"'{heavy}'" not in done.stderr


def test_constants_of_the_help_are_those_of_the_packages() -> None:
    assert storm.STORM_VERSION == _local_cluster.VERSION
    assert hama.MAX_PEERS == _local.MAX_PEERS
