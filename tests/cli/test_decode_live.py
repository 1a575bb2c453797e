"""`jvmwire decode` of files that are still being written."""

import shutil
import signal
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import Empty, Queue

import pytest

from jvmwire.capture import CaptureWriter
from kit import wire
from kit.captures import WRITABLE
from kit.command import command, decode
from kit.rows import Row, parsed

SOON = 20.0
SETUP = wire.connection_header() + wire.context()


class Running:
    """A `jvmwire decode` whose lines are read as they arrive."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process
        self._lines: Queue[bytes] = Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._lines.put(line)

    def row(self) -> Row:
        """Return the next row, which must arrive soon."""
        try:
            return parsed(self._lines.get(timeout=SOON))
        except Empty:
            raise AssertionError("no row came") from None

    def write(self, data: bytes) -> None:
        """Write to its standard input."""
        assert self.process.stdin is not None
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def end(self) -> int:
        """End its standard input and wait for it."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        return self.process.wait(SOON)


@contextmanager
def running(*arguments: str | Path) -> Iterator[Running]:
    """Start the command, and terminate it at the end."""
    process = subprocess.Popen(
        command("decode", *arguments), stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    with process:
        try:
            yield Running(process)
        finally:
            process.terminate()


def test_rows_of_standard_input_come_before_its_end() -> None:
    writer = CaptureWriter()
    with running("--columns", "name,id", "-") as live:
        live.write(writer.header())
        connection, packets = writer.open("10.0.0.7:40000", "10.0.0.1:8020", 0)
        live.write(packets)
        live.write(writer.data(connection, "client", SETUP, 1))
        assert live.row() == {"name": "ConnectionHeader", "id": None}
        assert live.row() == {"name": "ConnectionContext", "id": "-3"}
        for id_ in range(3):
            live.write(writer.data(connection, "client", wire.stat(id_, "/"), 2))
            assert live.row() == {"name": "Call", "id": str(id_)}
        live.write(writer.data(connection, "server", wire.reply(1), 3))
        assert live.row() == {"name": "Reply", "id": "1"}
        live.write(writer.close(connection, 4))
        assert live.end() == 0


def test_a_call_is_shown_when_it_is_answered() -> None:
    writer = CaptureWriter()
    with running("--table", "calls", "--columns", "id,status", "-") as live:
        connection, packets = writer.open("10.0.0.7:40000", "10.0.0.1:8020", 0)
        live.write(writer.header() + packets)
        live.write(writer.data(connection, "client", SETUP + wire.call(0) + wire.call(1), 1))
        live.write(writer.data(connection, "server", wire.reply(1), 2))
        assert live.row() == {"id": "1", "status": "ok"}
        assert live.end() == 0
        assert live.row() == {"id": "0", "status": "lost"}


def test_standard_input_that_has_ended_is_decoded_whole() -> None:
    done = decode("-", stdin=WRITABLE.read_bytes())
    assert sorted(done.stdout.splitlines()) == sorted(decode(WRITABLE).stdout.splitlines())


def test_a_followed_file_is_decoded_as_it_grows(tmp_path: Path) -> None:
    writer = CaptureWriter()
    path = tmp_path / "growing.pcap"
    connection, packets = writer.open("10.0.0.7:40000", "10.0.0.1:8020", 0)
    with path.open("wb", buffering=0) as file:
        file.write(writer.header() + packets)
        with running("--follow", "--columns", "name,id", path) as live:
            file.write(writer.data(connection, "client", SETUP, 1))
            assert [live.row()["name"] for _ in range(2)] == [
                "ConnectionHeader",
                "ConnectionContext",
            ]
            call = writer.data(connection, "client", wire.call(7), 2)
            # Half a packet is neither the end of the file nor damage.
            file.write(call[:20])
            with pytest.raises(subprocess.TimeoutExpired):
                live.process.wait(0.5)
            file.write(call[20:])
            assert live.row() == {"name": "Call", "id": "7"}


def test_a_pipe_that_is_followed_ends_where_it_ends() -> None:
    with running("--follow", "-") as live:
        live.write(WRITABLE.read_bytes())
        assert live.end() == 0


def test_who_is_interrupted_ends_without_a_word(tmp_path: Path) -> None:
    file = tmp_path / "growing.pcap"
    file.write_bytes(WRITABLE.read_bytes())
    # A process that a shell started in its background, as it may have started the tests, would
    # ignore it.
    heeding = ["env", "--default-signal=INT", *command("decode", "--follow", file)]
    with subprocess.Popen(heeding, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline().startswith(b'{"protocol":"hadoop"')
        process.send_signal(signal.SIGINT)
        assert process.stderr.read() == b""
        assert process.wait(SOON) == 130


def test_a_reader_that_has_seen_enough_ends_it_without_a_word(tmp_path: Path) -> None:
    copies = [shutil.copy(WRITABLE, tmp_path / f"copy-{at}.pcap.gz") for at in range(5)]
    with subprocess.Popen(
        command("decode", *copies),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline().startswith(b'{"protocol":"hadoop"')
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(SOON) in (0, 1)


@pytest.mark.parametrize("format_", ["jsonl", "arrow", "parquet"])
def test_a_shell_pipe_into_head_is_quiet(format_: str) -> None:
    line = " ".join([*command("decode", "--format", format_, WRITABLE), "| head -c 10"])
    done = subprocess.run(["bash", "-c", line], capture_output=True, timeout=SOON, check=True)
    assert (len(done.stdout), done.stderr) == (10, b"")
