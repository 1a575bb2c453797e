"""Reports about streaming tasks of Hama and Hadoop, tried with jvmwire and a real Hama."""

import sys
from collections.abc import Callable
from typing import Any

import pytest

from jvmwire.hama._local import JobOptions, run_job
from jvmwire.hama._script import SCRIPT
from kit.hama import PROGRAMS, run_hama
from kit.hama_programs import programs

Pairs = list[tuple[str, str]]


@pytest.fixture
def run_local(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, JobOptions], Pairs]:
    """Run a task with jvmwire's own parent; return the output of its only peer."""
    monkeypatch.setenv("PYTHONPATH", PROGRAMS)
    script = tmp_path / "BSPRunner.py"
    script.write_text(SCRIPT)

    def run(task: str, options: JobOptions) -> Pairs:
        [output] = run_job([sys.executable, str(script), task], options).output
        return output

    return run


def test_texts_that_look_like_commands_are_texts(tmp_path, run_local):
    """HAMA-601: a line is split at `=`, and what stands before it is the command."""
    expected = sorted((f"<{text}>", text) for text in programs.LIKE_COMMANDS)
    job = run_hama(tmp_path / "real", "programs:LikeCommands")
    assert sorted(job.output) == expected
    assert sorted(run_local("programs:LikeCommands", JobOptions(peers=1))) == expected


def test_lines_that_end_as_windows_ends_them_are_read_alike(tmp_path, run_local):
    """Soostone/hadron#7: a streaming job ended lines by CR LF, which others read as content."""
    lines = tmp_path / "lines.txt"
    lines.write_bytes(b"one\r\ntwo\n\r\nfour four\r\nlast")
    job = run_hama(tmp_path / "real", "programs:Lengths", input_file=lines)
    assert job.output == [("3", "101"), ("3", "111"), ("0", ""), ("9", "114"), ("4", "116")]
    assert run_local("programs:Lengths", JobOptions(peers=1, input=lines)) == job.output
