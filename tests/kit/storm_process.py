"""Storm's side of a component that runs in a separate process: emits are answered."""

import json
import os
import subprocess
import sys
from collections import deque
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any
from zipfile import ZipFile

from kit.storm_transcript import END

from .jvm import PEERS, build

TASK_IDS = b"[2, 5]" + END


def original(folder: Path) -> Path:
    """Put Storm's own module for Python into `folder`, from the jar of its Flux."""
    build("storm")
    [jar] = (PEERS / "storm" / "target" / "lib").glob("flux-core-*.jar")
    with ZipFile(jar) as opened:
        (folder / "storm.py").write_bytes(opened.read("resources/storm.py"))
    return folder


def converse(program: Path, given: Iterable[Any], pid_dir: Path) -> list[dict[str, Any]]:
    """Return a component's replies to a handshake and to one message after another.

    The next message is sent when the previous one is answered: a tuple acked or failed, a command
    synced.
    """
    context = {
        "taskid": 3,
        "componentid": "split",
        "task->component": {"2": "lines", "3": "split", "5": "other", "7": "other"},
    }
    shake = {"pidDir": str(pid_dir), "context": context, "conf": {"times": 2}}
    with subprocess.Popen(
        [sys.executable, program], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        said = _talk(process, [shake, *given])
        assert process.stdin is not None
        process.stdin.close()
        assert process.stdout is not None
        rest = process.stdout.read()
    return said + [json.loads(text) for text in rest.split(END) if text.strip()]


def _talk(process: subprocess.Popen[bytes], given: Sequence[Any]) -> list[dict[str, Any]]:
    assert process.stdin is not None
    assert process.stdout is not None
    said: list[dict[str, Any]] = []
    waiting = deque(given)
    lines: list[bytes] = []
    while waiting:
        _write(process.stdin.fileno(), json.dumps(waiting.popleft()).encode() + END)
        answered = False
        while not answered:
            line = process.stdout.readline()
            if not line:  # the process has ended
                return said
            if line != b"end\n":
                lines.append(line)
                continue
            message = json.loads(b"".join(lines))
            lines.clear()
            said.append(message)
            if _asks(message):
                _write(process.stdin.fileno(), TASK_IDS)
            answered = "pid" in message or message["command"] in {"ack", "fail", "sync"}
    return said


def _write(fd: int, data: bytes) -> None:
    with suppress(BrokenPipeError):  # the process has ended: its earlier output is still read
        os.write(fd, data)


def _asks(message: dict[str, Any]) -> bool:
    emits = message.get("command") == "emit" and message.get("task") is None
    return emits and message.get("need_task_ids", True)
