"""Tasks in jvmwire's API and in the original's, run by a real Hama and by jvmwire's parent."""

import sys
from collections import Counter

import pytest

from jvmwire.hama._local import JobOptions, run_job
from jvmwire.hama._script import SCRIPT
from kit.hama import PROGRAMS, run_hama
from kit.hama_programs import programs
from kit.hama_record import record
from kit.rows import decode_capture

NUMBERS = (1, 2, 3, 90, 91, 92)


@pytest.fixture
def numbers(tmp_path):
    path = tmp_path / "numbers.txt"
    path.write_text("".join(f"{number}\n" for number in NUMBERS))
    return path


@pytest.fixture
def lines(tmp_path):
    path = tmp_path / "lines.txt"
    path.write_text("".join(f"line {number} é 😀\n" for number in range(3000)))
    return path


@pytest.fixture
def run_local(tmp_path, monkeypatch):
    """Run the task with jvmwire's own parent; return the output of all peers in turn."""
    monkeypatch.setenv("PYTHONPATH", PROGRAMS)
    script = tmp_path / "BSPRunner.py"
    script.write_text(SCRIPT)

    def run(arguments, options):
        command = [sys.executable, str(script), *arguments.split()]
        return [pair for pairs in run_job(command, options).output for pair in pairs]

    return run


def test_three_peers_exchange_messages_as_they_do_with_us(tmp_path, run_local):
    job = run_hama(tmp_path / "real", "programs:Hello", peers=3)
    assert job.succeeded
    assert job.output == run_local("programs:Hello", JobOptions(peers=3))
    assert sorted(job.logged) == sorted(
        text for index in range(3) for text in (f"set up local:{index}", "of 3")
    )


def test_input_is_read_ahead_and_again(tmp_path, lines, run_local):
    job = run_hama(tmp_path / "real", "programs:Copy", input_file=lines)
    assert job.succeeded
    assert len(job.output) == 3000
    assert job.output == run_local("programs:Copy", JobOptions(peers=1, input=lines))


def test_all_operations_mixed_do_not_get_in_each_others_way(tmp_path, lines, run_local):
    # A value with line ends makes Hama miscount its properties.
    wonder = {"jvmwire.wonder": "yes", "jvmwire.lines": "one two\n%3%=\nthree four"}
    job = run_hama(tmp_path / "real", "programs:Mixed", input_file=lines, properties=wonder)
    assert job.succeeded
    options = JobOptions(peers=1, input=lines, configuration={"jvmwire.wonder": "yes"})
    assert job.output == run_local("programs:Mixed", options)


def test_what_is_printed_is_logged_and_harms_nothing(tmp_path):
    job = run_hama(tmp_path / "real", "programs:Noisy")
    assert job.succeeded
    assert job.output == [("still", "alive")]
    printed = ["printed %21%=", "to standard error", "%20%=", "from C", "from a child"]
    assert sorted(job.logged) == sorted(printed)


def test_an_exception_fails_the_job_at_once_and_is_logged(tmp_path):
    job = run_hama(tmp_path / "real", "programs:Raises", peers=2)
    assert not job.succeeded
    assert "ArithmeticError: on purpose" in job.logged


def test_escaped_values_pass_through(tmp_path):
    job = run_hama(tmp_path / "real", "--escaping programs:Escapes")
    assert job.output == [("same", "True")]


def test_written_texts_are_unchanged(tmp_path):
    job = run_hama(tmp_path / "real", "programs:Writes")
    whole = ("k", f"a{programs.LINE_ENDS_ELSEWHERE}b")
    assert job.output == [whole, *[("refused", "WRITE_KEYVALUE")] * 2]


def test_clusters_are_found_in_our_api_and_in_the_old_style(tmp_path, numbers):
    ours = run_hama(tmp_path / "ours", "programs:KMeans", input_file=numbers)
    assert ours.output == [("0", "2.000"), ("1", "91.000")]
    old = run_hama(
        tmp_path / "old", "OldKMeans", input_file=numbers, properties={"kmeans.max": "4"}
    )
    assert old.output == [("centres", "[2.0, 91.0]")]


def test_a_task_of_the_original_runtime_runs_as_it_is(tmp_path, run_local):
    job = run_hama(tmp_path / "real", "OldHello", peers=3)
    assert job.succeeded
    assert sorted(job.output) == sorted(run_local("OldHello", JobOptions(peers=3)))
    assert sorted(job.logged) == [f"I am local:{index}, number {index}" for index in range(3)]


def test_what_a_child_recorded_of_a_real_hama_decodes_to_its_calls(tmp_path, lines):
    recording = tmp_path / "child.pcap"
    record("Mixed", recording, tmp_path, lines.read_text(), jvmwire_wonder="yes")
    decoded = decode_capture(recording.read_bytes())
    assert {row["protocol"] for row in decoded.messages} == {"hama"}
    assert decoded.errors() == []
    names = Counter(decoded.names())
    assert names["WRITE_KEYVALUE"] == 3000 + 1
    assert names["SEND_MSG"] == 700
    assert names["READ_KEYVALUE"] > 3000
    assert names["CLEAR"] == 2  # the operation and its byte
    assert {row["status"] for row in decoded.calls} == {"ok"}
    assert len(decoded.calls) == names["REPLY"] + 2  # with CLEAR and SYNC
