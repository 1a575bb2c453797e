"""`jvmwire pravega` as a separate program, against a real segment store."""

import itertools
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from jvmwire.pravega import SegmentStore
from jvmwire.pravega.streams import StreamClient
from kit.jvm import free_port

JVMWIRE = Path(sys.executable).with_name("jvmwire")
TIMEOUT = 60.0

numbers = itertools.count()


def jvmwire(*arguments: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [JVMWIRE, "pravega", *arguments],
        input=stdin,
        capture_output=True,
        timeout=TIMEOUT,
        check=False,
    )


@pytest.fixture
def address(segment_store):
    return f"127.0.0.1:{segment_store.port}"


@pytest.fixture
def segment(address):
    name = f"commands/line/{next(numbers)}"
    done = jvmwire("create", "--server", address, name)
    assert (done.returncode, done.stdout.decode()) == (0, f"{name}\n")
    return name


def test_lines_are_appended_and_written_again(address, segment, tmp_path):
    lines = tmp_path / "lines"
    lines.write_bytes(b"".join(b"line %d\n" % number for number in range(25_000)))
    done = jvmwire("append", "--server", address, segment, str(lines))
    assert (done.returncode, done.stdout) == (0, b"25000 events\n"), done.stderr
    assert jvmwire("append", "--server", address, segment, stdin=b"\nlast").stdout == b"2 events\n"
    assert jvmwire("cat", "--server", address, segment).stdout == lines.read_bytes() + b"\nlast\n"
    raw = jvmwire("cat", "--server", address, segment, "--raw").stdout
    assert raw.startswith(bytes(7) + b"\6line 0")
    assert (
        jvmwire("cat", "--server", address, segment, "--offset", str(len(raw) - 12)).stdout
        == b"last\n"
    )
    told = json.loads(jvmwire("segments", "--server", address, segment, "--json").stdout)
    assert (told["name"], told["write_offset"]) == (segment, len(raw))
    said = jvmwire("segments", "--server", address, segment).stdout.decode()
    assert said == f"{segment}: open, 0 to {len(raw)}\n"


def test_a_tail_writes_what_comes_until_the_segment_is_sealed(address, segment, segment_store):
    with SegmentStore(segment_store.endpoint) as store:
        with store.appender(segment) as appender:
            appender.append(b"before")
        command = [JVMWIRE, "pravega", "tail", "--server", address, segment, "--offset", "0"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            assert process.stdout is not None
            assert process.stderr is not None
            said = process.stderr.readline().decode()
            assert said == f"jvmwire: listening to segment '{segment}', Ctrl-C ends\n"
            assert process.stdout.readline() == b"before\n"
            with store.appender(segment) as appender:
                appender.append(b"after")
            assert process.stdout.readline() == b"after\n"
            store.seal_segment(segment)
            assert process.wait(TIMEOUT) == 0


def test_a_store_is_pinged(address):
    done = jvmwire("ping", "--server", address, "--count", "2")
    assert done.returncode == 0
    assert done.stdout.decode().count(" ms\n") == 2


@pytest.mark.parametrize(
    ("arguments", "status", "what"),
    [
        (["cat", "--server", "ADDRESS", "no/such/segment"], 4, "'no/such/segment' does not exist"),
        (
            ["append", "--server", "ADDRESS", "no/such/segment"],
            4,
            "'no/such/segment' does not exist",
        ),
        (
            ["segments", "--server", "ADDRESS", "no/such/segment"],
            1,
            "'no/such/segment' does not exist",
        ),
        (["ping", "--server", f"127.0.0.1:{free_port()}"], 3, "Connection refused"),
        (["ping", "--server", "nowhere:x"], 2, "'nowhere:x' is not host:port"),
        (["ping", "--server", "a:1,b:1"], 2, "expected the address of one segment store, got 2"),
        (["ping"], 2, "Missing option '--server'"),
        (["scopes", "--server", "a:1,nowhere"], 3, "no answer of the controller at any of"),
        (["scopes", "--server", "http://a:1"], 2, "the scheme must be one of tcp"),
        (["scopes", "--tls", "--server", "tcp://a:1"], 2, "`tls` needs a scheme with TLS"),
    ],
)
def test_what_cannot_be_done_is_one_sentence(address, arguments, status, what):
    told = [address if argument == "ADDRESS" else argument for argument in arguments]
    done = jvmwire(*told, stdin=b"lost\n")
    assert done.returncode == status
    assert what in done.stderr.decode()
    assert "Traceback" not in done.stderr.decode()


def test_streams_are_made_listed_written_and_read(pravega):
    controller = f"127.0.0.1:{pravega.port}"
    name = f"commands/stream-{next(numbers)}"
    assert (
        jvmwire("create", "--server", controller, "--stream", name).stdout.decode() == f"{name}\n"
    )
    assert "commands" in jvmwire("scopes", "--server", controller).stdout.decode().splitlines()
    assert (
        name in jvmwire("streams", "--server", controller, "commands").stdout.decode().splitlines()
    )
    told = jvmwire("streams", "--server", controller, "commands", "--json").stdout.splitlines()
    [ours] = [line for line in map(json.loads, told) if line["name"] == name]
    assert ours == {"name": name, "tags": [], "segments": [f"{name}/0.#epoch.0"]}
    lines = b"".join(b"line %d\n" % number for number in range(1000))
    done = jvmwire("append", "--server", controller, "--stream", "--key", "all", name, stdin=lines)
    assert (done.returncode, done.stdout) == (0, b"1000 events\n"), done.stderr
    assert (
        jvmwire("append", "--server", controller, "--stream", name, stdin=b"last").stdout
        == b"1 event\n"
    )
    assert jvmwire("cat", "--server", controller, "--stream", name).stdout == lines + b"last\n"
    command: list[Any] = [JVMWIRE, "pravega", "tail", "--server", controller, "--stream", name]
    with (
        StreamClient(pravega.controller) as client,
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process,
    ):
        assert process.stdout is not None
        assert process.stderr is not None
        # What is appended after this line is shown.
        said = process.stderr.readline().decode()
        assert said == f"jvmwire: listening to stream '{name}', Ctrl-C ends\n"
        with client.writer(name) as writer:
            writer.append(b"news")
        assert process.stdout.readline() == b"news\n"
        client.seal_stream(name)
        process.stdout.read()
        assert process.wait(TIMEOUT) == 0
    several = f"127.0.0.1:{free_port()},{controller}"
    assert jvmwire("cat", "--server", several, "--stream", name).stdout.startswith(lines)
    done = jvmwire("cat", "--server", controller, "--stream", "commands/none")
    assert done.returncode == 4
    assert "commands/none" in done.stderr.decode()
