"""Log messages: silent in programs without logging, on standard error in the command."""

import logging
import subprocess
import sys

import pytest
from click.testing import CliRunner

from jvmwire._cli import cli
from kit.hadoop_scripted import scripted, status

PROGRAM = """
import logging, sys
{setup}
from jvmwire._escaping import get_logger
get_logger("jvmwire.connection").warning("a warning")
"""


@pytest.mark.parametrize(
    ("setup", "expected"),
    [
        ("", ""),
        ("logging.basicConfig(format='%(name)s: %(message)s')", "jvmwire.connection: a warning\n"),
    ],
)
def test_a_program_is_written_to_only_if_it_sets_up_logging(setup: str, expected: str):
    program = PROGRAM.format(setup=setup)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (done.stdout, done.stderr, done.returncode) == ("", expected, 0)


@pytest.mark.parametrize(
    ("level", "shown"),
    [
        ([], ["a warning", "an error"]),
        (["--log-level", "error"], ["an error"]),
        (
            ["--log-level", "INFO"],
            [
                "INFO jvmwire.connection: an info",
                "WARNING jvmwire.connection: a warning",
                "ERROR jvmwire.connection: an error",
            ],
        ),
    ],
)
def test_the_command_writes_log_messages_from_a_level_on(
    monkeypatch: pytest.MonkeyPatch, level: list[str], shown: list[str]
):
    logger = logging.getLogger("jvmwire.connection")

    def answer(_method: str, _request: object) -> object:
        logger.debug("a debug")
        logger.info("an info")
        logger.warning("a warning")
        logger.error("an error")
        return {"fs": status()}

    root = logging.getLogger("jvmwire")
    before = root.level, list(root.handlers)
    with scripted(answer) as namenode:  # type: ignore[arg-type]
        server = f"127.0.0.1:{namenode.port}"
        call = ["hadoop", "call", "getFileInfo", '{"src": "/"}', "--server", server]
        done = CliRunner().invoke(cli, [*level, *call])
    assert done.exit_code == 0, done.output
    assert done.stderr.splitlines() == shown
    assert (root.level, root.handlers) == before


def test_debug_shows_what_the_client_does():
    with scripted(lambda *_: {"fs": status()}) as namenode:
        server = f"127.0.0.1:{namenode.port}"
        done = CliRunner().invoke(
            cli, ["--log-level", "debug", "hadoop", "ping", "--count", "1", "--server", server]
        )
    assert done.exit_code == 0, done.output
    assert "DEBUG jvmwire.connection: " in done.stderr


def test_another_level_is_refused():
    done = CliRunner().invoke(cli, ["--log-level", "loud", "hadoop", "ping"])
    assert done.exit_code == 2
    assert "'loud' is not one of 'debug', 'info', 'warning', 'error'" in done.output
