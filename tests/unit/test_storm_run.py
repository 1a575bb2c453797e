"""`jvmwire storm run`: a topology's components as processes, without a JVM."""

import json
import signal
import subprocess

import pytest

from jvmwire.storm._groupings import chooser
from jvmwire.storm._java_hash import JsonFloat, hash_code, hash_list
from jvmwire.storm._process_cluster import BUSY_BYTES, CHUNK, MAX_BURST
from jvmwire.storm._tuple_trees import TupleTrees
from jvmwire.storm.topology import Stream
from kit.command import Done, command, jvmwire
from kit.environment import ROOT
from kit.storm_run_trouble import LARGE, MAX_PENDING

HASHES = {
    '"storm"': 109770985,
    '""': 0,
    '"w\\u00f6rd \\ud83d\\ude00"': 1096623634,
    "-5": -5,
    "2147483647": 2147483647,
    "2147483648": -2147483648,
    "-2147483649": -2147483648,
    "9223372036854775808": -2147483648,
    "-9223372036854775809": 2147483647,
    "-123456789012345678901234567890": -1915528825,
    "1.5": 1073217536,
    "-0.0": -2147483648,
    "1e300": -164130400,
    "1.2345678901234567": 2105514289,
    "-123.45678901234567890123": -647166394,
    "1.23456789012345678e-300": -1905628102,
    "true": 1231,
    "false": 1237,
    "null": 0,
    '[1,[2,"a"],null]': 65472,
    '{"a":1,"b":[true,2.5]}': 1074043152,
    "{}": 0,
    "[]": 1,
}
"""Results of `hashCode` on the strings that json-smart 2.6 parses from a text."""


@pytest.mark.parametrize("text", HASHES)
def test_hash_codes_are_those_of_java(text: str) -> None:
    assert hash_code(json.loads(text, parse_float=JsonFloat)) == HASHES[text]


def test_partial_key_takes_the_less_busy_of_two_tasks() -> None:
    stream = Stream("words", "default", ("word",))
    choose = chooser(stream.partial_key("word"), ["word"], [4, 5, 6])
    assert [choose(["storm"]) for _ in range(3)] == [(6,), (4,), (6,)]  # Java draws 2 and 2 of 3
    assert hash_list(["a", 1, None, [2, 3]]) == 3815235


def test_trees_end_once_all_is_acked_one_fails_or_time_is_over() -> None:
    trees = TupleTrees()
    roots = [trees.plant(1, name, now) for now, name in enumerate("abc")]
    for root in roots:
        trees.grow([root], 2)
    assert not list(trees.ack(roots[:2]))
    assert [tree.message_id for tree in trees.ack(roots[:1])] == ["a"]
    assert [tree.message_id for tree in trees.fail(roots[1:2])] == ["b"]
    assert not list(trees.fail(roots[1:2]))
    assert not list(trees.expire(2))
    assert [tree.message_id for tree in trees.expire(2.5)] == ["c"]
    assert not len(trees)


def tried(name: str, *how: str, status: int = 0) -> Done:
    where = ["--path", str(ROOT / "tests")]
    return jvmwire("storm", "run", f"kit.storm_run_trouble:{name}", *where, *how, status=status)


def summary(done: Done) -> dict[str, dict[str, int]]:
    heading, *rows = (line.split() for line in done.stdout.decode().splitlines())
    return {row[0]: dict(zip(heading[1:], map(int, row[1:]), strict=True)) for row in rows}


def test_what_fails_is_replayed_and_the_summary_tells() -> None:
    # The 45 that do not fail, the 5 that do, and these again.
    where = ["storm", "run", "kit.storm_run_trouble:failing", "--path", str(ROOT / "tests")]
    done = subprocess.run(
        command(*where, "--tuples", "55"), capture_output=True, check=True, timeout=60
    )
    stderr = done.stderr.decode()
    told = summary(Done(done.stdout, stderr))
    assert told["numbers"] == {
        "tasks": 1,
        "emitted": 55,
        "transferred": 55,
        "acked": 50,
        "failed": 5,
        "errors": 0,
        "pending": 0,
    }
    assert (told["bolt"]["acked"], told["bolt"]["failed"], told["bolt"]["errors"]) == (50, 5, 5)
    assert (told["bolt"]["emitted"], told["sink"]["acked"]) == (50, 50)
    assert f"WARN done: {list(range(1, 51))}" in stderr
    assert "ValueError: not 10 at first sight" in stderr


def test_a_component_that_dies_is_told_with_its_standard_error() -> None:
    stderr = tried("dying", "--seconds", "30", status=1).stderr
    assert "bolt (task " in stderr
    assert "Fatal Python error: Segmentation fault" in stderr.partition("died of signal 11")[2]


def test_a_component_that_cannot_be_made_is_told_with_its_traceback() -> None:
    where = ["storm", "run", "kit.storm_run_trouble:broken", "--path", str(ROOT / "tests")]
    done = subprocess.run(command(*where), capture_output=True, check=False, timeout=60)
    assert done.returncode == 1
    assert "OSError: no such model" in done.stderr.decode().partition("ended with status 1")[2]


def test_tuples_that_are_late_fail_and_are_given_again() -> None:
    told = summary(tried("late", "--seconds", "4"))["numbers"]
    assert told["acked"] == 49
    assert told["failed"] >= 1


def test_without_ackers_all_is_acked_at_once() -> None:
    told = summary(tried("unacked", "--tuples", "10", "--seconds", "3"))
    assert told["numbers"]["acked"] == 10
    assert told["bolt"]["pending"] == 1


def test_a_component_that_hangs_is_told() -> None:
    stderr = tried("hanging", "--seconds", "30", status=1).stderr
    assert "said nothing for 1 s: Storm would end it" in stderr


@pytest.mark.parametrize(
    ("name", "status", "told"),
    [
        ("direct", 1, "an emit without a task on 'default', which is a direct stream"),
        ("java", 2, "words is a component in Java, which needs a JVM: use `storm local`"),
        ("custom", 2, "is grouped by the class a.Grouping, which needs a JVM"),
    ],
)
def test_what_storm_would_not_take_or_needs_a_jvm_is_refused(name, status, told) -> None:
    assert told in tried(name, "--seconds", "30", status=status).stderr


def test_an_interrupt_ends_it_with_the_summary() -> None:
    where = ["storm", "run", "kit.storm_run_trouble:failing", "--path", str(ROOT / "tests")]
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        running = subprocess.Popen(
            command(*where), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
    finally:
        signal.signal(signal.SIGINT, before)
    with running:
        assert running.stderr is not None
        while "tick [1]" not in running.stderr.readline():
            assert running.poll() is None
        running.send_signal(signal.SIGINT)
        stdout, stderr = running.communicate(timeout=60)
    assert running.returncode == 130
    assert stdout.startswith("component")
    assert "WARN done: [" in stderr
    assert "KeyboardInterrupt" not in stderr


def test_as_many_tuples_are_pending_as_allowed_and_no_more() -> None:
    done = tried("gathering", "--tuples", "50")
    assert f"pending at once: {MAX_PENDING}\n" in done.stderr
    assert summary(done)["numbers"]["acked"] == 50


def test_burst_of_more_than_a_pipe_holds_is_taken() -> None:
    told = summary(tried("flowing", "--tuples", "200"))
    assert told["numbers"]["emitted"] >= told["bolt"]["acked"] == 200


def test_bolt_that_takes_no_more_holds_its_spout_back() -> None:
    told = summary(tried("blocked", "--seconds", "3"))
    # Queued for the bolt, in one burst of the spout, and in the pipes and buffers of the bolt.
    most = BUSY_BYTES + MAX_BURST * LARGE + 32 * CHUNK
    assert 1 <= told["numbers"]["emitted"] <= most / LARGE
    assert told["bolt"]["acked"] == 0


def test_metrics_of_components_are_told() -> None:
    lines = tried("measured", "--tuples", "5").stderr.splitlines()
    assert [line.partition("metric ")[2] for line in lines if "metric" in line] == [
        f"numbers: {number}" for number in range(1, 6)
    ]
