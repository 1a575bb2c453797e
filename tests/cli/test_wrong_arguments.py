"""No wrong argument of any command ends in a traceback, but in one sentence, and status 1 to 3."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from jvmwire._cli import TRACEBACK, cli
from kit.command import PROGRAM
from kit.environment import ROOT
from kit.wrong_arguments import commands

CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
LONGEST = 5000
NAMES = [name for name, _ in commands(cli)]
NO_RETRIES = """<configuration><property>
<name>ipc.client.connect.max.retries</name><value>0</value>
</property></configuration>"""


@pytest.mark.parametrize("name", NAMES)
def test_no_wrong_argument_ends_in_a_traceback(name: str, tmp_path: Path) -> None:
    (tmp_path / "core-site.xml").write_text(NO_RETRIES)
    done = subprocess.run(
        [sys.executable, "-m", "kit.wrong_arguments", str(tmp_path), name],
        stdout=subprocess.PIPE,
        cwd=ROOT / "tests",
        env={**os.environ, "HADOOP_CONF_DIR": str(tmp_path)},
        check=True,
    )
    runs = [json.loads(line) for line in done.stdout.splitlines()]
    if not runs:
        assert name in ("demo", "spark check")
    for run in runs:
        told = f"{run['line']}: {run['status']}, {run['err'][:500]!r}"
        assert run["status"] in (0, 1, 2, 3), told
        assert "Traceback" not in run["err"], told
        assert "defect of jvmwire" not in run["err"], told
        assert "hangs" not in run["err"], told
        assert not CONTROLS.search(run["err"]), told
        assert not CONTROLS.search(run["out"]), told
        assert len(run["err"]) < LONGEST, told
        assert run["status"] != 2 or run["err"], told


DEFECT = """
import sys
import click
from jvmwire import _cli

@click.command()
def broken():
    raise {error}

_cli.cli.get_command = lambda *_: broken
sys.argv = ["jvmwire", "broken"]
_cli.main()
"""


def run_broken(error: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", DEFECT.replace("{error}", error)],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **environment},
    )


@pytest.mark.parametrize(
    "error",
    ["KeyError('a')", "TypeError('\\x1b[31m\\nb')", "RecursionError()", "AssertionError(1)"],
)
def test_a_defect_is_told_as_one_and_its_traceback_is_there_for_the_asking(error: str) -> None:
    done = run_broken(error)
    assert done.returncode == 2
    [said] = done.stderr.splitlines()
    kind = error.partition("(")[0]
    assert said.startswith(f"jvmwire: unexpected {kind}: ")
    assert f"{TRACEBACK}=1" in said
    assert "\x1b" not in said
    told = run_broken(error, **{TRACEBACK: "1"}).stderr
    assert told.startswith("Traceback (most recent call last):")
    assert "\x1b" not in told


def test_a_file_name_cannot_write_to_the_terminal(tmp_path: Path) -> None:
    evil = tmp_path / "a\x1b]0;owned\x07\u202e\n.pcap"
    evil.write_bytes(b"not a capture")
    for arguments in (
        ["decode", str(tmp_path)],
        ["decode", str(evil)],
        ["decode", str(evil), "-o", str(evil / "out")],
        ["hadoop", str(evil)],
    ):
        done = subprocess.run([PROGRAM, *arguments], capture_output=True, check=False)
        assert done.returncode in (1, 2)
        assert not CONTROLS.search((done.stdout + done.stderr).decode())
