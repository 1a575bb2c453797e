"""Hama's peer: a streaming job in a JVM of its own."""

import sys
import xml.etree.ElementTree as ET
from dataclasses import dataclass
from pathlib import Path

from click.testing import CliRunner

from jvmwire.cli import cli

from .jvm import PEERS, Program

JOB_TIMEOUT = 240.0


def hama_version() -> str:
    """Return the version of Hama that the peers are of, as their pom says."""
    pom = ET.parse(PEERS / "hama" / "pom.xml")  # noqa: S314 - our own file
    version = pom.findtext(".//{*}hama.version")
    assert version is not None
    return version


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a job."""

    succeeded: bool
    output: list[tuple[str, str]]
    """Of all tasks."""
    log: str


def run_job(
    folder: Path,
    program: str,
    source: str,
    *,
    tasks: int = 1,
    inputs: Path | None = None,
    interpreter: str = sys.executable,
) -> Outcome:
    """Run a class of ours, whose module of the same name is `source`, in a real Hama."""
    # Hama copies the program to where it runs, and deletes it there: both in folders of their own.
    work, made = folder / "work", folder / "made"
    work.mkdir(parents=True)
    made.mkdir()
    (work / f"{program}.py").write_text(source)
    runner = made / "BSPRunner.py"
    CliRunner().invoke(cli, ["hama", "runner", "-o", str(runner)], catch_exceptions=False)
    output = folder / "output"
    arguments = [str(tasks), interpreter, str(runner), program, str(output)]
    if inputs is not None:
        arguments.append(str(inputs))
    job = Program(
        module="hama",
        main="jvmwire.peers.hama.Job",
        arguments=arguments,
        directory=work,
        properties={"hama.log.dir": str(folder / "logs")},
        heap="256m",
    )
    job.run(JOB_TIMEOUT)
    log = job.log.read_text("utf-8", "replace")
    for path in sorted((folder / "logs").rglob("*")) if (folder / "logs").exists() else []:
        if path.is_file():
            log += path.read_text("utf-8", "replace")
    pairs = []
    for part in sorted(output.glob("part-*")) if output.is_dir() else []:
        for line in part.read_text().splitlines():
            key, _, value = line.partition("\t")
            pairs.append((key, value))
    return Outcome("Job failed" not in log and "Job complete" in log, pairs, log)
