"""Recordings of a TCP port of 127.0.0.1: by tcpdump, or else by the kit's own tap."""

import re
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from .tap import Tap

# Time for which the kernel may hold packets before it hands them to tcpdump.
FLUSH = 1.5
KERNEL_BUFFER_KIB = 65536


class RecordingError(RuntimeError):
    """A recording that is incomplete."""


@contextmanager
def recording(port: int, path: Path) -> Iterator[int]:
    """Record the traffic of `port` into the pcap `path`; yield the port to connect to."""
    command = ["tcpdump", "-i", "lo", "-U", "-B", str(KERNEL_BUFFER_KIB), "-s", "0"]
    command += ["-w", str(path), f"tcp port {port}"]
    if shutil.which("tcpdump") and (tcpdump := _started(command)) is not None:
        with _stopped(tcpdump):
            yield port
    else:
        with path.open("wb") as file, Tap(port, file.write) as tap:
            yield tap.port


@contextmanager
def pcapng_recording(port: int, path: Path) -> Iterator[int]:
    """Record by dumpcap, which writes pcapng; this always needs the right to capture."""
    command = ["dumpcap", "-q", "-i", "lo", "-w", str(path), "-f", f"tcp port {port}"]
    dumpcap = _started(command)
    if dumpcap is None:
        raise RecordingError(f"may not capture: {' '.join(command)}")
    with _stopped(dumpcap):
        yield port


def _started(command: Sequence[str]) -> subprocess.Popen[str] | None:
    """Start a capture program; None if it may not capture."""
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    for line in process.stderr:
        if re.search(r"listening on|^File: ", line):
            return process
    process.stderr.close()
    process.wait()
    return None


@contextmanager
def _stopped(process: subprocess.Popen[str]) -> Iterator[None]:
    """Stop the capture program at the end, and raise if it lost packets."""
    try:
        yield
        time.sleep(FLUSH)
    finally:
        process.send_signal(signal.SIGINT)
        _, summary = process.communicate()
    lost = re.search(r"(\d+) packets dropped by kernel|/dropped on interface.*: \d+/(\d+)", summary)
    if lost is None or any(int(count) for count in lost.groups() if count is not None):
        raise RecordingError(f"packets are missing: {summary}")
