"""A child's pipes: bytes cross them, and no child outlives its connection."""

import os
import pickle
import sys
from pathlib import Path

import pytest

from jvmwire import ConfigError, ConnectFailed, ConnectionLost
from jvmwire.transports import Child
from kit.transport_adapters import Connect

pytestmark = pytest.mark.usefixtures("no_leak")

MUCH = os.urandom(3_000_000)
STUBBORN = ["sh", "-c", "trap '' TERM; echo ready; while :; do sleep 0.05; done"]


def python(program: str) -> list[str]:
    return [sys.executable, "-c", program]


def is_gone(pid: int) -> bool:
    """Return whether the process does not exist; a zombie still does."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False


def test_what_is_sent_arrives_and_comes_back(connect: Connect):
    line = connect(Child(["cat"]))
    line.send(MUCH)
    assert line.read(len(MUCH)) == MUCH
    line.close()
    assert is_gone(line.transport.pid)


def test_a_child_that_ends_ends_the_stream_after_what_it_said(connect: Connect):
    line = connect(Child(["sh", "-c", "echo last words; exit 3"]))
    assert line.read_to_end() == b"last words\n"
    line.close()
    line.close()
    assert is_gone(line.transport.pid)


def test_a_child_sees_the_end_of_its_input(connect: Connect, tmp_path: Path):
    done = tmp_path / "done"
    line = connect(Child(["sh", "-c", 'cat >"$0"; mv "$0" "$1"', tmp_path / "heard", done]))
    line.send(b"hello")
    line.close()
    assert done.read_text() == "hello"


def test_a_child_that_stays_is_killed(connect: Connect):
    line = connect(Child(STUBBORN, exit_timeout=0.05))
    assert line.read(6) == b"ready\n"
    line.close()
    assert is_gone(line.transport.pid)


def test_a_child_that_hears_nothing_is_killed_with_all_that_was_to_be_said(connect: Connect):
    line = connect(Child(STUBBORN, exit_timeout=0.05))
    assert line.read(6) == b"ready\n"
    if hasattr(line.transport, "write"):
        line.transport.write(MUCH)
    else:
        line.transport.send(MUCH)
    line.close()
    assert is_gone(line.transport.pid)


def test_who_writes_to_a_child_that_closed_its_input_loses_the_connection(connect: Connect):
    line = connect(Child(["sh", "-c", "exec <&-; echo closed; exec sleep 1000"], exit_timeout=0.05))
    assert line.read(7) == b"closed\n"

    def talk() -> None:
        line.send(b"hello")
        line.read_to_end()

    with pytest.raises(ConnectionLost, match="the connection was lost: Broken pipe"):
        talk()
    line.close()
    assert is_gone(line.transport.pid)


def test_a_child_has_the_environment_and_the_folder_it_is_given(connect: Connect, tmp_path: Path):
    line = connect(Child(["/bin/sh", "-c", "echo $WORD; pwd"], env={"WORD": "42"}, cwd=tmp_path))
    assert line.read_to_end().decode() == f"42\n{tmp_path}\n"
    assert str(Path.cwd()) != str(tmp_path)


def test_a_child_inherits_our_environment(connect: Connect, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("WORD", "42")
    assert connect(Child(["sh", "-c", "echo $WORD"])).read_to_end() == b"42\n"


def test_the_last_of_a_childs_errors_is_kept(connect: Connect):
    program = "import sys; sys.stderr.write('x' * 300_000 + 'the end'); print('done')"
    line = connect(Child(python(program), collect_stderr=True))
    assert line.read_to_end() == b"done\n"
    line.close()
    assert line.transport.stderr.endswith(b"xxxthe end")
    assert len(line.transport.stderr) == 64 * 1024


def test_a_childs_errors_are_kept_though_another_process_could_write_more(connect: Connect):
    line = connect(
        Child(["sh", "-c", "echo oops >&2; sleep 1000 >/dev/null & echo $!"], collect_stderr=True)
    )
    grandchild = int(line.read_to_end())
    line.close()
    assert line.transport.stderr == b"oops\n"
    os.kill(grandchild, 9)


def test_a_childs_errors_are_left_alone(capfd: pytest.CaptureFixture[str]):
    transport = Child(["sh", "-c", "echo oops >&2"]).connect(timeout=1)
    transport.close()
    assert capfd.readouterr().err == "oops\n"
    assert transport.stderr == b""


def test_a_program_that_is_not_there_is_named(connect: Connect, tmp_path: Path):
    for argv, why in (
        (["no-such-program"], "no-such-program: No such file or directory"),
        ([str(tmp_path)], f"{tmp_path}: Permission denied"),
    ):
        with pytest.raises(ConnectFailed, match=f"cannot start {Path(argv[0]).name}: {why}"):
            connect(Child(argv))


def test_an_aborted_child_is_killed(connect: Connect):
    line = connect(Child(STUBBORN))
    assert line.read(6) == b"ready\n"
    if hasattr(line.transport, "abort"):
        line.transport.abort()
    else:
        os.kill(line.transport.pid, 9)
    line.close()
    assert is_gone(line.transport.pid)


def test_an_endpoint_is_a_value():
    endpoint = Child(["python3", "bolt.py"], env={"SECRET": "hush"})
    assert endpoint == Child(("python3", "bolt.py"), env={"SECRET": "hush"})
    assert hash(endpoint) == hash(Child(["python3", "bolt.py"], env={"SECRET": "hush"}))
    assert pickle.loads(pickle.dumps(endpoint)) == endpoint  # noqa: S301 # our own
    assert str(endpoint) == "python3"
    assert "hush" not in repr(endpoint)


@pytest.mark.parametrize("argv", ["cat", []])
def test_a_command_is_a_list_of_words(argv: list[str]):
    with pytest.raises(ConfigError, match="must be a program and its arguments"):
        Child(argv)
