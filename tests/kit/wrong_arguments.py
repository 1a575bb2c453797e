"""Program that runs every command of `jvmwire` with wrong values for each parameter.

    python -m kit.wrong_arguments DIRECTORY COMMAND

All commands run in one process. Prints one JSON object per line: the command line, its exit status,
and its output.
"""

import io
import json
import os
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import FrameType

import click

from jvmwire._cli import cli, main

WAIT_TIMEOUT = 60
"""Seconds after which a command counts as hanging."""
NOBODY = "127.0.0.1:1"
"""An address on which no server listens."""
BINARY, DIRECTORY = "binary", "directory"
"""A file that is not UTF-8, and a directory, in the current directory."""

VALUES = [
    "",
    " ",
    "-",
    "-1",
    "0",
    "nan",
    "1e999",
    "99999999999999999999",
    "9" * 5000,
    "x" * 100_000,
    "{",
    "[" * 20_000,
    "null",
    "a=b",
    "=",
    ":",
    "/../..",
    "hdfs://[",
    "\x1b]0;owned\x07\u202e\n\x9b31m",
    "a\udcff",
    "no/such/file",
    DIRECTORY,
    BINARY,
]
GIVEN = {
    "topology": "nonesuch:topology",
    "servers": NOBODY,
    "captures": "no/such/capture",
    "files": BINARY,
    "source": BINARY,
    "dump": BINARY,
    "file": BINARY,
    "path": "/a",
    "paths": "/a",
    "output": "no/such/folder/output",
    "archive": "no/such/folder/archive",
    "command": "no-such-program",
    "map_name": "m",
}
"""Values of the other parameters, where they are required."""
SLOW = ("hazelcast", "pravega")
ALWAYS = {
    # No Spark is started, and waits for servers are short.
    "demo": ["--conf=wrong"],
    "report": [],
    "top": ["--once"],
    "spark check": ["--conf=wrong"],
    "hazelcast": [f"--server={NOBODY}", "--timeout=0.05"],
    "hadoop": [f"--server={NOBODY}", "--timeout=0.2"],
    "pravega": ["--timeout=0.2"],
}


def commands(group: click.Group, *names: str) -> Iterator[tuple[str, click.Command]]:
    """Return all commands by name."""
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        if isinstance(command, click.Group):
            yield from commands(command, *names, name)
        else:
            yield " ".join((*names, name)), command


def lines(name: str, command: click.Command) -> Iterator[list[str]]:
    """Yield command lines in each of which one parameter is wrong."""
    parameters = [
        parameter
        for parameter in command.params
        if not (isinstance(parameter, click.Option) and (parameter.is_flag or parameter.is_eager))
    ]
    for number, wrong in enumerate(parameters):
        # Connecting takes a while: each parameter of these commands gets a third of the values.
        tried = VALUES[number % 3 :: 3] if name.split()[0] in SLOW else VALUES
        for value in tried:
            if (name, wrong.name, value) == ("report", "captures", BINARY):
                continue  # the file exists, so Spark would be started
            options = list(ALWAYS.get(name, ALWAYS.get(name.split()[0], [])))
            if name == "hadoop replay":
                options = []
            arguments = []
            for parameter in parameters:
                required = parameter.required
                if parameter is not wrong and not required:
                    continue
                given = value if parameter is wrong else GIVEN.get(str(parameter.name), "1")
                if isinstance(parameter, click.Argument):
                    arguments.append(given)
                else:
                    options.append(f"{max(parameter.opts, key=len)}={given}")
                    if not options[-1].startswith("--"):
                        options[-1:] = [parameter.opts[0], given]
            yield [*name.split(), *options, "--", *arguments]


def run(line: list[str]) -> dict[str, object]:
    """Run one command line."""
    streams = [io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2)]
    sys.argv = ["jvmwire", *line]
    sys.stdin = io.TextIOWrapper(io.BytesIO(b""), "utf-8")
    before = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = streams
    began = time.monotonic()
    status: object = "did not exit"
    signal.alarm(WAIT_TIMEOUT)
    try:
        main()
    except SystemExit as ended:
        status = ended.code or 0
    except BaseException as error:  # any exception would reach the user
        status = repr(error)
    finally:
        signal.alarm(0)
        sys.stdout, sys.stderr = before
    out, err = (stream.buffer.getvalue().decode("utf-8", "replace") for stream in streams)
    shown = [part if len(part) < 60 else f"{part[:50]}...{len(part)}" for part in line]
    seconds = round(time.monotonic() - began, 1)
    return {"line": shown, "status": status, "out": out[:5000], "err": err, "seconds": seconds}


def hangs(_number: int, _frame: FrameType | None) -> None:
    """End a command that takes too long."""
    raise TimeoutError(f"it hangs for {WAIT_TIMEOUT} s")


def main_() -> None:
    """Run the commands whose names begin with the given text."""
    directory, asked = Path(sys.argv[1]), sys.argv[2]
    os.chdir(directory)
    Path(BINARY).write_bytes(bytes(range(256)))
    Path(DIRECTORY).mkdir(exist_ok=True)
    signal.signal(signal.SIGALRM, hangs)
    told = sys.stdout
    for name, command in commands(cli):
        if name == asked:
            for line in lines(name, command):
                told.write(json.dumps(run(line)) + "\n")
                told.flush()


if __name__ == "__main__":
    main_()
