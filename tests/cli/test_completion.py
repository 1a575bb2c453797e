"""Completion in shells: what click writes for them, and bash itself."""

import os
import re
import shlex
import subprocess
from pathlib import Path

import pytest

from jvmwire._cli import COMMANDS
from kit.command import PROGRAM, TIMEOUT
from kit.environment import ROOT

PAGE = (ROOT / "docs" / "command-line.md").read_text()


def complete(shell: str, *words: str) -> list[str]:
    """Return the lines that a shell gets for the last word."""
    current = words[-1] if shell == "fish" else str(len(words))
    done = subprocess.run(
        [PROGRAM],
        env={
            **os.environ,
            "_JVMWIRE_COMPLETE": f"{shell}_complete",
            "COMP_WORDS": shlex.join(("jvmwire", *words)),
            "COMP_CWORD": current,
        },
        capture_output=True,
        text=True,
        timeout=TIMEOUT,
        check=True,
    )
    assert done.stderr == ""
    return done.stdout.splitlines()


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["ha"], ["plain,hadoop", "plain,hazelcast", "plain,hama"]),
        (["hadoop", "set"], ["plain,setfacl"]),
        (["hadoop", "dfsadmin", "re"], ["plain,report", "plain,refresh-nodes"]),
        (["hadoop", "ls", "--ser"], ["plain,--server"]),
        (["pravega", "ping", "--ti"], ["plain,--timeout"]),
        (["decode", "--table", "c"], ["plain,calls"]),
        (["decode", "nn"], ["file,nn"]),
        (["report", "nn"], ["file,nn"]),
        (["hazelcast", "get", "--config", "h"], ["file,h"]),
    ],
    ids=lambda value: " ".join(value),
)
def test_bash_completes_commands_options_values_and_files(
    words: list[str], expected: list[str]
) -> None:
    assert sorted(complete("bash", *words)) == sorted(expected)


def test_zsh_and_fish_get_the_sentences_of_commands() -> None:
    assert complete("zsh", "ham") == ["plain", "hama", COMMANDS["hama"]]
    assert complete("fish", "ham") == [f"plain,hama\t{COMMANDS['hama']}"]


def documented(shell: str) -> str:
    """Return the line of the documentation that sets completion up."""
    [line] = re.findall(rf"^\| {shell}\b[^|]* \| `((?:[^`])+)` \|", PAGE, re.MULTILINE)
    return str(line).replace("\\|", "|")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_documented_line_writes_a_script_for_the_shell(shell: str) -> None:
    line = documented(shell)
    [variable] = re.findall(r"_JVMWIRE_COMPLETE=\w+", line)
    name, _, instruction = variable.partition("=")
    assert instruction == f"{shell}_source"
    done = subprocess.run(
        [PROGRAM],
        env={**os.environ, name: instruction},
        capture_output=True,
        text=True,
        timeout=TIMEOUT,
        check=True,
    )
    assert f"_JVMWIRE_COMPLETE={shell}_complete" in done.stdout


def test_bash_completes_after_the_documented_line() -> None:
    script = f"""
    {documented("bash")}
    COMP_WORDS=(jvmwire haz)
    COMP_CWORD=1
    "$(complete -p jvmwire | sed -E 's/.*-F ([^ ]+).*/\\1/')" jvmwire
    echo "${{COMPREPLY[@]}}"
    """
    done = subprocess.run(
        ["bash", "-c", script],
        env={**os.environ, "PATH": f"{Path(PROGRAM).parent}:{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        timeout=TIMEOUT,
        check=True,
    )
    assert (done.stdout, done.stderr) == ("hazelcast\n", "")
