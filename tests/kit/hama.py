"""Real Hama that runs jvmwire's children in one JVM."""

import os
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from jvmwire.hama._script import SCRIPT

from .environment import ROOT
from .jvm import Program

JOB_TIMEOUT = 100.0
_PROGRAMS = ROOT / "tests" / "kit" / "hama_programs"
PROGRAMS = f"{_PROGRAMS}{os.pathsep}{_PROGRAMS / 'original'}"
"""Path of the tasks of the tests: those of jvmwire's API, and of the original runtime."""


@dataclass(frozen=True, slots=True)
class RealJob:
    """Result of a job."""

    succeeded: bool
    output: list[tuple[str, str]]
    """Output of all peers, one peer after the other."""
    logged: list[str]
    """Lines that the children logged."""
    log: Path


def run_hama(
    directory: Path,
    arguments: str,
    *,
    peers: int = 1,
    input_file: Path | None = None,
    properties: Mapping[str, str] | None = None,
    program: Path | None = None,
    interpreter: str = sys.executable,
    environment: Mapping[str, str] | None = None,
) -> RealJob:
    """Run a job whose program is jvmwire's, or the one that `jvmwire hama runner` writes."""
    source = directory / "program"
    source.mkdir(parents=True)
    if program is None:
        program = source / "BSPRunner.py"
        program.write_text(SCRIPT)
    output = directory / "output"
    job = Program(
        module="hama",
        main="jvmwire.peers.hama.StreamingJob",
        arguments=[
            str(peers),
            interpreter,
            str(program),
            arguments,
            str(output),
            *([str(input_file)] if input_file else []),
            *(f"{name}={value}" for name, value in (properties or {}).items()),
        ],
        directory=directory / "job",
        environment={
            "PYTHONPATH": PROGRAMS,
            # The children's own output, without the settings that a test runner made.
            "LANG": "C.UTF-8",
        }
        | dict(environment or {}),
        properties={"hama.log.dir": str(directory / "tasks")},
        heap="384m",
    )
    job.run(JOB_TIMEOUT)
    log = job.log.read_text("utf-8", "replace")
    parts = sorted(output.glob("part-*"))
    pairs = [
        (key, value)
        for part in parts
        for line in part.read_text().split("\n")[:-1]
        for key, _, value in [line.partition("\t")]
    ]
    logged = re.findall(r"^INFO BinaryProtocol: (.*)$", log, re.MULTILINE)
    return RealJob(
        succeeded="Job failed" not in log,
        output=pairs,
        logged=logged,
        log=job.log,
    )
