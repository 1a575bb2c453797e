"""Jobs without Hama: children in any language over real pipes."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from jvmwire.errors import ConfigError
from jvmwire.hama._local import JobOptions, run_job
from jvmwire.hama._script import SCRIPT
from jvmwire.hama.errors import JobFailed
from kit.hama import PROGRAMS
from kit.hama_programs import programs


@pytest.fixture
def python(tmp_path, monkeypatch):
    """Return a command that runs a task of the kit."""
    monkeypatch.setenv("PYTHONPATH", PROGRAMS)
    script = tmp_path / "BSPRunner.py"
    script.write_text(SCRIPT)
    return lambda *arguments: [sys.executable, str(script), *arguments]


@pytest.fixture
def lines(tmp_path):
    path = tmp_path / "lines.txt"
    path.write_text("".join(f"line {number} é\n" for number in range(2000)))
    return path


def offsets(path: Path) -> list[tuple[str, str]]:
    at, pairs = 0, []
    for line in path.read_bytes().splitlines(keepends=True):
        pairs.append((str(at), line.decode().rstrip("\n")))
        at += len(line)
    return pairs


def bash(script: str) -> list[str]:
    # The conversation of every child before and after its steps.
    return [
        "bash",
        "-c",
        'ack() { printf "%%ACK_%s%%=\\n" "$1"; }\n'
        "read _; read _; read _; read count; for ((i = 0; i < count; i++)); do read _; done\n"
        f"ack 0; read _\n{script}\nack 3; read _; ack 4; read _; ack 5; echo %22%=; echo %21%=",
    ]


def test_peers_exchange_messages_in_supersteps(python):
    logged = []
    options = JobOptions(peers=3, on_log=lambda index, text: logged.append((index, text)))
    result = run_job(python("programs:Hello"), options)
    assert result.supersteps == 2
    for index, pairs in enumerate(result.output):
        told = [f"héllo 😀 from {sender}" for sender in range(3)]
        assert pairs == [
            *((f"1 {index}", message) for message in told),
            *((f"2 {index}", message) for message in told),
            (f"done {index}", f"local:{index}"),
        ]
    assert sorted(logged) == sorted(
        (index, text) for index in range(3) for text in (f"set up local:{index}", "of 3")
    )


def test_the_input_is_shared_out_and_read_again_from_its_start(python, lines):
    result = run_job(python("programs:Copy"), JobOptions(peers=3, input=lines))
    assert [len(pairs) for pairs in result.output] == [667, 667, 666]
    assert [pair for pairs in result.output for pair in pairs] == offsets(lines)


def test_reading_ahead_does_not_get_in_the_way_of_anything(python, lines):
    options = JobOptions(peers=1, input=lines, configuration={"jvmwire.wonder": "yes"})
    result = run_job(python("programs:Mixed"), options)
    assert result.output == [[*offsets(lines), ("property", "yes")]]


def test_what_is_printed_becomes_log_lines(python):
    logged = []
    options = JobOptions(peers=1, on_log=lambda _, text: logged.append(text))
    result = run_job(python("programs:Noisy"), options)
    assert result.output == [[("still", "alive")]]
    assert sorted(logged) == sorted(
        ["printed %21%=", "to standard error", "%20%=", "from C", "from a child"]
    )


def test_an_exception_is_logged_and_fails_the_job(python):
    logged = []
    options = JobOptions(peers=2, on_log=lambda _, text: logged.append(text))
    with pytest.raises(JobFailed, match="aborted the job"):
        run_job(python("programs:Raises"), options)
    assert "ArithmeticError: on purpose" in logged


def test_escaping_carries_what_no_line_can_hold(python):
    result = run_job(python("--escaping", "programs:Escapes"), JobOptions(peers=1))
    assert result.output == [[("same", "True")]]


def test_a_value_with_a_line_end_is_refused_and_the_task_goes_on(python):
    result = run_job(python("programs:Refused"), JobOptions(peers=1))
    assert result.output == [
        [*[("refused", "SEND_MSG")] * 3, ("refused", "there is no peer 99 among 1")]
    ]


def test_written_texts_are_unchanged_or_refused(python):
    whole = ("k", f"a{programs.LINE_ENDS_ELSEWHERE}b")
    result = run_job(python("programs:Writes"), JobOptions(peers=1))
    assert result.output == [[whole, *[("refused", "WRITE_KEYVALUE")] * 2]]
    result = run_job(python("--escaping", "programs:Writes"), JobOptions(peers=1))
    # Hama keeps text that fits on a line; tasks that read it with --escaping get the line ends
    # back.
    assert result.output == [[whole, ("k", r"a\nb"), ("k", r"a\r")]]


def test_lines_that_original_programs_end_by_hand_are_one(python):
    result = run_job(python("OldWrites"), JobOptions(peers=1))
    assert result.output == [[("", "a\u2028b"), ("a b", "c")]]


def test_the_early_numbers_are_spoken_by_both_sides(python):
    logged = []
    options = JobOptions(peers=1, hama_0_6=True, on_log=lambda _, text: logged.append(text))
    run_job(python("--early", "programs:Hello"), options)
    assert logged == ["set up local:0", "of 1"]
    with pytest.raises(JobFailed, match="what it may not"):
        run_job(python("programs:Hello"), options)


def test_tasks_of_the_original_runtime_run_as_they_are(python, tmp_path):
    hello = run_job(python("OldHello"), JobOptions(peers=2))
    assert sorted(hello.output[0]) == [
        (str(step), f"hello from {sender}") for step in (1, 2, 3) for sender in (0, 1)
    ]
    numbers = tmp_path / "numbers.txt"
    numbers.write_text("".join(f"{number}\n" for number in (1, 2, 3, 90, 91, 92)))
    options = JobOptions(peers=2, input=numbers, configuration={"kmeans.max": "4"})
    assert run_job(python("OldKMeans"), options).output[0] == [("centres", "[2.0, 91.0]")]


def test_a_child_of_another_language_is_a_peer():
    script = (
        "echo %12%=; read n; for ((i = 0; i < n; i++)); do read name;\n"
        "  printf '%%10%%=\\n%s\\nhi\\n' \"$name\"; done\n"
        "echo %11%=; read _; echo %9%=; read count; printf '%%7%%=\\nmessages\\n%s\\n' $count"
    )
    result = run_job(bash(script), JobOptions(peers=3))
    assert result.output == [[("messages", "3")]] * 3


@pytest.mark.parametrize(
    ("script", "why"),
    [
        ("echo stray words", "operation at offset .*: it is no number"),
        ("echo %24%=", "said INCREMENT_COUNTER, by which a real task fails"),
        ("echo %99%=", "99 is not the number of an operation"),
        ("ack 4", "acknowledged step '4' in RUN_SETUP"),
        ("echo %21%=", "said that it is done in RUN_SETUP"),
        ("exit 3", "ended in RUN_SETUP"),
        ("printf '%%13%%=\\n7\\n'", "asked for peer '7'"),
        ("printf '%%10%%=\\nnobody\\nhi\\n'", "sent a message to 'nobody'"),
    ],
)
def test_what_a_real_task_dies_of_fails_the_job_and_says_so(script, why):
    with pytest.raises(JobFailed, match=f"peer 0 .*{why}"):
        run_job(bash(script), JobOptions(peers=1))


def test_a_peer_that_ends_while_others_wait_fails_the_job():
    script = 'echo %14%=; read index; if [ "$index" = 1 ]; then echo %11%=; read _; fi'
    with pytest.raises(JobFailed, match="peer 0 has ended, and others wait"):
        run_job(bash(script), JobOptions(peers=2))


def test_a_child_that_writes_and_does_not_read_is_not_waited_for_for_ever():
    # The replies fill one pipe, and the task's output fills the other.
    script = (
        "for ((i = 0; i < 20000; i++)); do echo %12%=; done\n"
        "for ((i = 0; i < 20000; i++)); do read n; read name; done"
    )
    assert run_job(bash(script), JobOptions(peers=1)).output == [[]]


def test_nothing_of_a_failed_job_lives_on():
    pids = []
    options = JobOptions(peers=2, on_log=lambda _, text: pids.append(int(text)))
    script = (
        'echo "%31%=$$"; echo %14%=; read index\n'
        'if [ "$index" = 1 ]; then sleep 1000; fi; sleep 0.5; echo nonsense; cat'
    )
    with pytest.raises(JobFailed):
        run_job(bash(script), options)
    assert len(pids) == 2
    for pid in pids:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


def test_settings_that_cannot_be_meant_are_named(tmp_path):
    with pytest.raises(ConfigError, match="cannot start"):
        run_job([str(tmp_path / "nothing")], JobOptions(peers=1))
    with pytest.raises(ConfigError, match="number of peers 0"):
        run_job(["true"], JobOptions(peers=0))
    with pytest.raises(ConfigError, match="one line"):
        run_job(["true"], JobOptions(configuration={"a": "b\nc"}))
    latin = tmp_path / "latin"
    latin.write_bytes(b"ok\n\xe9\n")
    with pytest.raises(ConfigError, match="not UTF-8 at byte 3"):
        run_job(["true"], JobOptions(input=latin))


def test_a_signal_ends_a_task_by_the_protocol(python, tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    (tmp_path / "waits.py").write_text(
        "import os, time\nfrom jvmwire.hama import BSP\n\n"
        "class Waits(BSP):\n"
        "    def bsp(self, peer):\n"
        "        os.kill(os.getpid(), 15)\n"
        "        time.sleep(60)\n"
    )
    started = time.monotonic()
    with pytest.raises(JobFailed, match="aborted the job"):
        run_job(python("waits:Waits"), JobOptions(peers=1))
    assert time.monotonic() - started < 50


@pytest.mark.parametrize(
    ("said", "why"),
    [
        (b"%0%=\n7\n", "protocol: '7' is not '0'"),
        (b"%0%=\n0\n%1%=\n3\n", "a key has no value"),
        (b"%3%=\n", "START: '%3%=' is not '%0%='"),
        (b"%0%=\n0\n%1%=\n0\n%3%=\n%5%=\n", "'%5%=', out of turn"),
    ],
)
def test_what_a_task_may_not_say_is_logged_and_fails_the_job(python, said, why):
    command = python("programs:Escapes")
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        child.stdin.write(said)
        child.stdin.flush()
        heard = child.stdout.read().decode()
    assert "%31%=Traceback (most recent call last):\n" in heard
    assert why in heard
    assert heard.endswith("\n%20%=\n")
    assert child.returncode == 1
