"""The command `jvmwire top`, as users run it."""

import fcntl
import os
import select
import shlex
import signal
import socket
import struct
import subprocess
import termios
import time
from contextlib import suppress
from pathlib import Path
from urllib.request import urlopen

import pytest

from kit.captures import NAMENODE
from kit.command import command, jvmwire

PATIENCE = 60.0


def test_one_table_names_the_users_of_a_capture():
    title, heading, *rows = jvmwire("top", "--once", NAMENODE).stdout.decode().splitlines()
    assert "calls/s" in title
    assert "6,836 calls" in title
    assert heading.split() == [
        "calls/s",
        "calls",
        "share",
        "failed",
        "mean",
        "max",
        "replies",
        "users",
    ]
    assert rows[0].split()[-1] == "alice"


def test_rows_are_json_for_programs():
    done = jvmwire(
        "top", "--once", "--json", "--view", "jobs", "--sort", "failed", "-n", "1", NAMENODE
    )
    [row] = done.rows
    assert (row["key"], row["calls"], row["failed"]) == ("broken-job", 300, 300)
    assert row["view"] == "jobs"


def test_a_pipe_is_read_to_its_end():
    done = jvmwire("top", "--json", "-n", "1", "-", stdin=NAMENODE.read_bytes())
    assert done.rows[-1]["key"] == "alice"


def test_a_directory_is_read():
    done = jvmwire("top", "--once", "--json", "-n", "1", NAMENODE.parent)
    assert done.rows[0]["calls"] > 0


def test_damage_is_a_sentence_and_status_1(tmp_path):
    path = tmp_path / "cut.pcap.gz"
    path.write_bytes(NAMENODE.read_bytes()[:100_000])
    done = jvmwire("top", "--once", path, status=1)
    assert "cut.pcap.gz: " in done.stderr


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["nowhere.pcap"], "nowhere.pcap does not exist"),
        (["s3://bucket/nn.pcap"], "is a URL: top follows local captures"),
        (["--no-display", "-"], "--no-display is for --metrics"),
        (["--metrics", "nonsense", "-"], "--metrics"),
        (["--metrics", ":99999", "-"], "99999"),
        (["--metrics", "a:1,b:2", "-"], "one address"),
        (["--view", "nothing", "-"], "--view"),
    ],
)
def test_wrong_usage_is_a_sentence(arguments, sentence):
    assert sentence in jvmwire("top", *arguments, status=2).stderr


def test_an_address_in_use_is_a_sentence():
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"127.0.0.1:{server.getsockname()[1]}"
        assert "cannot listen at" in jvmwire("top", "--metrics", address, "-", status=2).stderr


def test_metrics_are_served_without_a_display():
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    arguments = command("top", "--no-display", "--metrics", f"127.0.0.1:{port}", NAMENODE)
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stderr is not None
        assert f"serving metrics at 127.0.0.1:{port}" in process.stderr.readline().decode()
        until = time.monotonic() + PATIENCE
        calls = 0.0
        while calls < 6836 and time.monotonic() < until:
            with urlopen(f"http://127.0.0.1:{port}/metrics", timeout=PATIENCE) as reply:
                text = reply.read().decode()
            calls = sum(
                float(line.rpartition(" ")[2])
                for line in text.splitlines()
                if line.startswith("jvmwire_calls_total{")
            )
            time.sleep(0.1)
        process.terminate()
        out, _ = process.communicate(timeout=PATIENCE)
    assert calls == 6836
    assert out == b""


class Terminal:
    """A terminal of 80x24 with the command in it."""

    def __init__(self, *arguments: str | Path, **more: str) -> None:
        self._end, other = os.openpty()
        fcntl.ioctl(other, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        self._other = other
        self.before = termios.tcgetattr(other)
        self.drawn = b""
        self.process = subprocess.Popen(
            ["setsid", "--ctty", *arguments],
            stdin=other,
            stdout=other,
            stderr=other,
            env={**os.environ, "TERM": "xterm", **more},
        )

    def wait_for(self, text: str) -> None:
        until = time.monotonic() + PATIENCE
        while text.encode() not in self.drawn:
            assert time.monotonic() < until, self.drawn
            if select.select([self._end], [], [], 0.1)[0]:
                self.drawn += os.read(self._end, 1 << 16)

    def press(self, keys: str) -> None:
        self.drawn = b""
        os.write(self._end, keys.encode())

    def close(self) -> int:
        until = time.monotonic() + PATIENCE
        while self.process.poll() is None and time.monotonic() < until:
            if select.select([self._end], [], [], 0.1)[0]:
                self.drawn += os.read(self._end, 1 << 16)
        with suppress(ProcessLookupError):
            self.process.kill()
        self.after = termios.tcgetattr(self._other)
        os.close(self._end)
        os.close(self._other)
        return self.process.wait()


def test_a_terminal_is_drawn_by_keys_and_left_as_it_was():
    terminal = Terminal(*command("top", NAMENODE))
    terminal.wait_for("erin")
    terminal.press("j")
    terminal.wait_for("broken-job")
    terminal.press("/WAREHOUSE\n")
    terminal.wait_for("filter")
    terminal.press("q")
    assert terminal.close() == 0
    assert terminal.after == terminal.before


def test_a_pipe_is_shown_while_keys_come_from_the_terminal():
    program = shlex.join(command("top", "-"))
    # The pipe stays open.
    piped = f"(cat {shlex.quote(str(NAMENODE))}; sleep {PATIENCE:.0f}) | exec {program}"
    terminal = Terminal("sh", "-c", piped)
    terminal.wait_for("erin")
    terminal.press("j")
    terminal.wait_for("broken-job")
    os.killpg(terminal.process.pid, signal.SIGINT)
    terminal.close()
    assert terminal.after == terminal.before


def test_ctrl_c_leaves_the_terminal_as_it_was():
    terminal = Terminal(*command("top", NAMENODE))
    terminal.wait_for("erin")
    terminal.process.send_signal(signal.SIGINT)
    assert terminal.close() == 130
    assert terminal.after == terminal.before


def test_a_terminal_that_cannot_place_its_cursor_gets_tables():
    terminal = Terminal(*command("top", NAMENODE), TERM="dumb")
    terminal.wait_for("erin")
    terminal.process.send_signal(signal.SIGINT)
    assert terminal.close() == 130
    assert b"\x1b" not in terminal.drawn
