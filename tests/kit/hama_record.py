"""Recorder of a child of a real Hama into tests/vectors: `python -m kit.hama_record` in tests/."""

import shutil
import tempfile
from pathlib import Path

from .environment import ROOT
from .hama import run_hama

RECORDING = ROOT / "tests" / "vectors" / "hama" / "recordings" / "copy-0.7.1.pcap"

INPUT = "".join(f"line {number}\n" for number in range(30))

RECORDED = """\
from jvmwire.hama._runner import run_stdio
from jvmwire.transports import Recorder, Stdio, Tap
from programs import {name}
recorder = Recorder(open({path!r}, "wb"))
raise SystemExit(run_stdio({name}, endpoint=Tap(Stdio(), recorder)))
"""
"""A program that Hama starts, with a tap between Hama and its task."""


def record(name: str, recording: Path, directory: Path, text: str, **properties: str) -> None:
    """Run a task of the kit as the only peer of a job, and record its streams."""
    program = directory / "Recorded.py"
    program.write_text(RECORDED.format(name=name, path=str(recording)))
    source = directory / "input.txt"
    source.write_text(text)
    job = run_hama(
        directory / "real",
        "unused",
        program=program,
        input_file=source,
        properties={name.replace("_", "."): value for name, value in properties.items()},
    )
    assert job.succeeded, job.log.read_text()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as directory:
        made = Path(directory, "made.pcap")
        record("Copy", made, Path(directory), INPUT)
        shutil.copy(made, RECORDING)
