"""A component as a process: its failures, and the messages that Storm gets about them."""

import asyncio
import io
import json
import math
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from jvmwire.errors import CallTimeout
from jvmwire.storm import AsyncBolt, Level, Tuple
from jvmwire.storm._runner import ComponentRunner
from jvmwire.storm.testing import Emitted, StormHarness
from jvmwire.transports._pipes import PipeTransport
from kit.environment import ROOT
from kit.failing_components import EMITS, THREADS, Idle, Quiet, Resting, Stuck, Threads
from kit.storm_transcript import END

CONTEXT = {"taskid": 3, "task->component": {"3": "tested", "4": "source"}}
WORD = "wörd ✓ 😀"


def handshake(pid_dir: Path) -> bytes:
    return json.dumps({"conf": {}, "pidDir": str(pid_dir), "context": CONTEXT}).encode() + END


def given(number: int, *values: object) -> bytes:
    about = {"id": str(number), "comp": "source", "stream": "default", "task": 4}
    return json.dumps({**about, "tuple": values}, ensure_ascii=False).encode() + END


def run(name: str, said: bytes, **environment: str) -> tuple[int, list[dict[str, object]], str]:
    """Return the exit status of a component of the kit, its messages, and its stderr."""
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "jvmwire.storm",
            "--path",
            ROOT / "tests",
            f"kit.failing_components:{name}",
        ],
        input=said,
        capture_output=True,
        check=False,
        env=os.environ | environment,
    )
    whole = [json.loads(text) for text in done.stdout.split(END) if text]
    return done.returncode, whole, done.stderr.decode()


def of(said: list[dict[str, object]], command: str) -> list[dict[str, object]]:
    return [message for message in said if message.get("command") == command]


def test_what_few_components_need_is_not_loaded_for_all():
    code = (
        "import sys, jvmwire.storm.__main__; "
        "print({'asyncio', 'ssl', 'click', 'subprocess'} & sys.modules.keys())"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert done.stdout == b"set()\n"


def test_all_is_utf8_whatever_the_locale(tmp_path):
    plain = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONIOENCODING": ""}
    status, said, _ = run("Echo", handshake(tmp_path) + given(1, WORD), **plain)
    assert status == 0
    assert [message["tuple"] for message in of(said, "emit")] == [[WORD]]
    assert WORD in [message["msg"] for message in of(said, "log")]
    [pid] = [message["pid"] for message in said if "pid" in message]
    assert [path.name for path in tmp_path.iterdir()] == [str(pid)]


def test_a_signal_ends_a_component_as_the_end_of_input_does(tmp_path):
    status, said, _ = run("Killed", handshake(tmp_path) + given(1, "a"))
    assert status == 0
    assert of(said, "log")[-1]["msg"] == "closed"
    assert of(said, "ack") == []


def test_a_folder_that_takes_no_pid_file_is_named(tmp_path):
    status, said, _ = run("Echo", handshake(tmp_path / "nowhere"))
    [error] = of(said, "error")
    assert f"cannot write {tmp_path / 'nowhere'}/" in str(error["msg"])
    assert status == 1


@pytest.mark.parametrize("name", ["Unmade", "Unready", "Missing"])
def test_what_keeps_a_component_from_starting_is_told(tmp_path, name):
    status, said, _ = run(name, handshake(tmp_path))
    [error] = of(said, "error")
    assert ("is nothing" if name == "Missing" else "ArithmeticError: on purpose") in str(
        error["msg"]
    )
    assert status == 1


@pytest.mark.parametrize("name", ["Unmade", "Missing"])
def test_component_that_cannot_be_loaded_says_so_on_stderr_before_the_handshake(name):
    status, said, stderr = run(name, b"")
    assert (status, said) == (1, [])
    assert ("is nothing" if name == "Missing" else "ArithmeticError: on purpose") in stderr


def test_component_that_closes_its_outputs_goes_on_and_logs(tmp_path):
    status, said, _ = run("Closes", handshake(tmp_path) + given(1, "a") + given(2, "b"))
    assert status == 0
    assert [message["id"] for message in of(said, "ack")] == ["1", "2"]
    assert of(said, "log")[-1]["msg"] == "closed"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"level": "DEBUG"}, "for debugging"),
        ({"level": "DEBUG", "format": "%(name)s: %(message)s"}, "mine: for debugging"),
        ({"level": "DEBUG", "filename": "/dev/null"}, "for debugging"),
        ({"level": "INFO"}, None),
    ],
    ids=str,
)
def test_basic_config_sets_the_level_and_format_of_storms_log(tmp_path, options, message):
    opened = json.loads(handshake(tmp_path).removesuffix(END)) | {"conf": {"logging": options}}
    _, said, _ = run("Configures", json.dumps(opened).encode() + END + given(1, "a"))
    logged = [(one["msg"], one["level"]) for one in of(said, "log")]
    assert logged == ([] if message is None else [(message, Level.DEBUG)])


def test_forked_child_holds_no_output_of_storms_open(tmp_path):
    begun = time.monotonic()
    status, said, _ = run("Forks", handshake(tmp_path) + given(1, "a"))
    assert (status, len(of(said, "ack"))) == (0, 1)
    assert time.monotonic() - begun < 25  # the child lives for 30 s; `run` reads until both end


def test_garbage_is_told_once_after_what_came_before_it(tmp_path):
    status, said, _ = run("Quiet", handshake(tmp_path) + given(1, "a") + b"{" + END + given(2, "b"))
    [told] = of(said, "log")
    assert "Storm sent what it may not" in str(told["msg"])
    assert told["level"] == Level.ERROR
    assert [message["id"] for message in of(said, "ack")] == ["1"]
    assert status == 1


def test_garbage_instead_of_a_handshake_goes_where_storm_looks():
    status, said, stderr = run("Quiet", b"{" + END)
    assert (status, said) == (1, [])
    assert "Storm sent what it may not" in stderr


def beat_for_ever(storm: StormHarness) -> None:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        storm.heartbeat()


def test_a_hang_shows_once_its_limit_has_passed():
    with StormHarness(Stuck, timeout=60) as storm:
        storm.send_tuple([1])
        storm._timeout = 3.0  # the wait limit of the fake Storm
        with pytest.raises(CallTimeout):
            beat_for_ever(storm)
        storm._timeout = 60.0
        Stuck.go_on.set()
        storm.settle()
        storm.heartbeat()


def test_emits_of_threads_do_not_interleave():
    with StormHarness(Threads) as storm:
        said = storm.process([1])
    assert len(said.logged) == THREADS * EMITS / 50
    for thread in range(THREADS):
        numbers = [one.values[1] for one in said.emitted if one.values[0] == thread]
        assert numbers == list(range(EMITS))


class Three(AsyncBolt):
    """Component that has three tuples in process at a time, no fewer and no more."""

    concurrency = 3
    outputs = ("most",)

    async def start(self) -> None:
        self.barrier = asyncio.Barrier(3)
        self.now = 0

    async def process(self, _tup: Tuple) -> None:
        self.now += 1
        now = self.now
        await self.barrier.wait()
        self.now -= 1
        self.emit([now])


def test_coroutines_run_together_up_to_their_number():
    with StormHarness(Three) as storm:
        said = storm.process(*[[number] for number in range(12)])
    assert len(said.acked) == 12
    assert {one.values[0] for one in said.emitted} == {1, 2, 3}


def test_a_spout_that_rests_is_woken_by_what_comes(monkeypatch):
    # Only here does it sleep for so long that the watchdog looks meanwhile.
    monkeypatch.setattr("jvmwire._components.watchdog.INTERVAL", 3600.0)
    with StormHarness(Resting, timeout=300) as storm:
        asking = threading.Thread(target=storm.next)
        asking.start()
        while {"command": "next", "id": ""} not in [message for _, message in storm.transcript]:
            time.sleep(0.01)
        storm.ack("anything")
        asking.join(300)
        assert not asking.is_alive()
    assert storm.said.syncs >= 2


def test_a_spout_without_tuples_rests_longer_and_longer():
    spout = Idle()
    with StormHarness(lambda: spout) as storm:
        storm.next(12)
    rests = [after - before for before, after in zip(spout.asked, spout.asked[1:], strict=False)]
    for number, rest in enumerate(rests):
        # poll counts whole milliseconds.
        assert rest > min(2**number, 50) / 1000 * 0.9


class Counted(PipeTransport):
    """Counter of the bytes that are written at once."""

    sends = 0

    def send(self, data: bytes | bytearray | memoryview) -> int:
        self.sends += 1
        return super().send(data)


def test_what_is_said_is_written_when_nothing_is_left_to_read(tmp_path, monkeypatch):
    # However slow the machine is, nothing is late.
    monkeypatch.setattr("jvmwire.storm._bolt.FLUSH_AFTER", math.inf)
    monkeypatch.setattr("jvmwire._components.watchdog.INTERVAL", 3600.0)
    (to_read, to_component), (to_storm, to_write) = os.pipe(), os.pipe()
    with io.FileIO(to_component, "wb") as storm:
        storm.write(handshake(tmp_path) + b"".join(given(number, "a") for number in range(200)))
    component = Counted(io.FileIO(to_read, "rb"), io.FileIO(to_write, "wb"))
    assert ComponentRunner(component, Quiet).run() == 0
    component.close()
    with io.FileIO(to_storm, "rb") as storm:
        assert storm.readall().count(b'"ack"') == 200
    assert component.sends == 2  # the process id, and all replies


def test_what_is_logged_after_the_end_of_input_is_heard(tmp_path):
    (to_read, to_component), (to_storm, to_write) = os.pipe(), os.pipe()
    with io.FileIO(to_component, "wb") as storm:
        storm.write(handshake(tmp_path) + given(1, "a"))
    transport = PipeTransport(io.FileIO(to_read, "rb"), io.FileIO(to_write, "wb"))
    runner = ComponentRunner(transport, Quiet)
    assert runner.run() == 0
    runner.log("late")  # as for earlier prints, a separate thread forwards it
    transport.close()
    with io.FileIO(to_storm, "rb") as storm:
        *_, last = [json.loads(text) for text in storm.readall().split(END) if text]
    assert last == {"command": "log", "msg": "late", "level": Level.INFO}


def test_memory_does_not_grow_with_the_tuples(tmp_path):
    peaks = []
    for count in (20_000, 200_000):
        command = [sys.executable, "-m", "jvmwire.storm", "--path", str(ROOT / "tests")]
        with subprocess.Popen(
            [*command, "kit.failing_components:Quiet"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        ) as child:
            read = threading.Thread(target=_drain, args=(child.stdout,))
            read.start()
            assert child.stdin is not None
            with child.stdin:
                child.stdin.write(handshake(tmp_path))
                for start in range(0, count, 1000):
                    ids = range(start, start + 1000)
                    child.stdin.write(b"".join(given(number, WORD, number) for number in ids))
            read.join()
            _, status, used = os.wait4(child.pid, 0)
            child.returncode = status
        assert status == 0
        peaks.append(used.ru_maxrss)
    assert peaks[1] - peaks[0] < 20_000  # KiB; the tuples are 30 MB


def _drain(pipe: io.BufferedReader) -> None:
    while pipe.read(1 << 16):
        pass


def test_a_tuple_that_was_processed_in_vain_is_failed_once():
    with StormHarness(Echoes) as storm:
        said = storm.process([1])
    assert (said.acked, said.failed) == ([], ["1"])
    assert said.emitted == [Emitted([1], anchors=("1",))]


class Echoes(Quiet):
    """Fails a tuple itself, and then raises."""

    outputs = ("number",)

    def process(self, tup: Tuple) -> None:
        super().process(tup)
        self.fail(tup)
        raise ValueError("after that")
