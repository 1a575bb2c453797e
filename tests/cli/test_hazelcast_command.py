"""`jvmwire hazelcast` reads, writes and lists the data of a real member."""

import json
import signal
import socket
import subprocess
from contextlib import contextmanager

from jvmwire.hazelcast import HazelcastClient
from kit.command import TIMEOUT, command, jvmwire


def run(member, verb, *arguments, status=0):
    done = jvmwire("hazelcast", verb, "--server", member.address, *arguments, status=status)
    return done.stdout.decode()


def rows(text):
    return [json.loads(line) for line in text.splitlines()]


def test_a_member_answers_and_is_listed(hazelcast_member):
    assert run(hazelcast_member, "ping").startswith("answered in ")
    assert len(rows(run(hazelcast_member, "ping", "-c", "3", "--json"))) == 3
    [member] = rows(run(hazelcast_member, "members", "--json"))
    assert member == {
        "uuid": hazelcast_member.uuid,
        "address": hazelcast_member.address,
        "lite": False,
    }
    assert hazelcast_member.uuid in run(hazelcast_member, "members")


def test_entries_are_put_and_found(hazelcast_member):
    assert run(hazelcast_member, "put", "shell", "1", "one") == ""
    assert run(hazelcast_member, "put", "shell", "1", "uno") == "one\n"
    assert run(hazelcast_member, "get", "shell", "1") == "uno\n"
    run(hazelcast_member, "get", "shell", "2", status=1)
    run(hazelcast_member, "put", "shell", "2", "3.5", "--ttl", "600")
    scanned = rows(run(hazelcast_member, "scan", "shell", "--json"))
    assert sorted(scanned, key=lambda row: row["key"]) == [
        {"key": 1, "value": "uno"},
        {"key": 2, "value": 3.5},
    ]
    assert run(hazelcast_member, "scan", "shell", "--where", "__key < 2") == "1  uno\n"
    assert len(run(hazelcast_member, "scan", "shell", "-n", "1").splitlines()) == 1
    told = {row["name"]: row["size"] for row in rows(run(hazelcast_member, "top", "--json"))}
    assert told["shell"] == 2
    assert "shell" in run(hazelcast_member, "top")


STORED = {
    "true": "true",
    "false": "false",
    "5": "5",
    "-7.25": "-7.25",
    "text": "text",
    '"5"': '"5"',
    "NaN": "NaN",
    "99999999999999999999": "99999999999999999999",
    "-" + "9" * 60: "-" + "9" * 60,
    "[1, 2]": "[1,2]",
    '[true, {"a": null}]': '[true,{"a":null}]',
    '{"a": 1, "big": 99999999999999999999}': '{"a": 1, "big": 99999999999999999999}',
    "\x1b[31m\u202e": r"\x1b[31m\u202e",
    '"\\u009b"': r"\x9b",
    '"\\ud800"': r"\ud800",
}


def test_what_is_put_is_what_is_printed(hazelcast_member):
    for number, (given, shown) in enumerate(STORED.items()):
        run(hazelcast_member, "put", "--", "exact", str(number), given)
        assert run(hazelcast_member, "get", "exact", str(number)) == f"{shown}\n"
    printed = dict(
        line.split("  ", 1) for line in run(hazelcast_member, "scan", "exact").splitlines()
    )
    assert printed == {str(number): shown for number, shown in enumerate(STORED.values())}
    values = {
        row["key"]: row["value"] for row in rows(run(hazelcast_member, "scan", "exact", "--json"))
    }
    assert values[7] == 99999999999999999999
    assert values[11] == {"a": 1, "big": 99999999999999999999}
    assert values[12] == "\x1b[31m\u202e"
    assert values[14] == "\ud800"
    # Members read the objects of any client.
    run(hazelcast_member, "put", "objects", "1", '{"a": 1}')
    assert run(hazelcast_member, "scan", "objects", "--where", "a = 1") == '1  {"a": 1}\n'


def test_a_value_that_a_program_put_is_printed_as_json(hazelcast_member):
    with HazelcastClient.connect([hazelcast_member.address]) as client:
        client.get_map("by program").put(1, float("nan"))
        client.get_map("by program").put(2, b"\x1b")
    assert run(hazelcast_member, "get", "by program", "1") == '"NaN"\n'
    assert run(hazelcast_member, "get", "by program", "2") == '{"base64":"Gw=="}\n'


def test_what_cannot_be_stored_is_wrong_usage(hazelcast_member):
    with HazelcastClient.connect([hazelcast_member.address]) as client:
        client.get_map("refused").put(1, 1)
    for key, value in (
        ("1", "null"),
        ("null", "1"),
        ("1", "1e400"),
        ("1", "9" * 5000),
        ("1", "[" * 50_000 + "]" * 50_000),
    ):
        done = jvmwire(
            "hazelcast",
            "put",
            "--server",
            hazelcast_member.address,
            "refused",
            key,
            value,
            status=2,
        )
        assert len(done.stderr) < 600
    for ttl in ("nan", "-1", "1e300", "inf"):
        run(hazelcast_member, "put", "refused", "1", "2", "--ttl", ttl, status=2)
    assert run(hazelcast_member, "get", "refused", "1") == "1\n"


def test_looking_creates_no_map(hazelcast_member):
    def structures():
        with HazelcastClient.connect([hazelcast_member.address]) as client:
            return sorted(client.get_distributed_objects())

    with HazelcastClient.connect([hazelcast_member.address]) as client:
        client.get_map("customers").put(1, 1)
        client.get_queue("jobs").offer(1)
    before = structures()
    for verb in (
        ("get", "customer", "1"),
        ("scan", "customer"),
        ("scan", "customer", "--where", "this = 1", "--json"),
        ("listen", "customer", "-n", "1"),
        ("get", "jobs", "1"),
        ("get", "no\x1bmap", "1"),
    ):
        done = jvmwire(
            "hazelcast", verb[0], "--server", hazelcast_member.address, *verb[1:], status=1
        )
        assert done.stdout == b""
        [said] = done.stderr.splitlines()
        assert said.startswith("jvmwire: no map ")
        if verb[1] == "customer":
            assert said.startswith("jvmwire: no map 'customer': the cluster has 'customers'")
    for name in ("top", "members", "ping"):
        run(hazelcast_member, name)
    assert structures() == before


@contextmanager
def running(member, verb, *arguments):
    """Start a command that does not end by itself."""
    line = command("hazelcast", verb, "--server", member.address, *arguments)
    with subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        try:
            yield process
        finally:
            process.kill()


def test_what_comes_to_pass_with_entries_is_printed_as_it_does(hazelcast_member):
    with HazelcastClient.connect([hazelcast_member.address]) as client:
        client.get_map("heard").put("key", 1)
    with (
        HazelcastClient.connect([hazelcast_member.address]) as client,
        running(hazelcast_member, "listen", "heard", "-n", "2", "--json") as told,
        running(hazelcast_member, "listen", "heard", "-n", "1") as printed,
    ):
        for process in (told, printed):
            said = process.stderr.readline()
            assert said == b"jvmwire: listening to map 'heard', Ctrl-C ends\n"
        # Nothing that comes after this line is missed.
        client.get_map("heard").put("key", 2)
        client.get_map("heard").put("key", 3)
        events = [
            {"event": "UPDATED", "key": "key", "value": new, "old_value": new - 1, "count": 1}
            for new in (2, 3)
        ]
        assert rows(told.stdout.read()) == events
        assert printed.stdout.read() == b"UPDATED  key  2\n"
        for process in (told, printed):
            assert process.wait(TIMEOUT) == 0
            assert process.stderr.read() == b""


def test_listening_ends_by_ctrl_c(hazelcast_member):
    with HazelcastClient.connect([hazelcast_member.address]) as client:
        client.get_map("heard").put("key", 1)
    with running(hazelcast_member, "listen", "heard") as listening:
        assert listening.stderr.readline().endswith(b"Ctrl-C ends\n")
        listening.send_signal(signal.SIGINT)
        assert listening.communicate(timeout=TIMEOUT) == (b"", b"")
        assert listening.returncode == 130


def test_who_does_not_answer_is_told_in_a_sentence():
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"127.0.0.1:{silent.getsockname()[1]}"
        done = jvmwire("hazelcast", "ping", "--server", address, "--timeout", "0.5", status=3)
    assert done.stderr == "jvmwire: no answer to connect in 0.5 s\n"


def test_the_structures_are_listed_again_and_again(hazelcast_member):
    with (
        HazelcastClient.connect([hazelcast_member.address]) as client,
        running(hazelcast_member, "top", "-i", "0.05", "--json") as listing,
    ):
        shown = client.get_queue("shown")
        shown.offer("first")  # a structure that only was looked at is not listed
        seen: list[int] = []
        while len(seen) < 3:
            row = json.loads(listing.stdout.readline())
            if row["name"] == "shown" and row["size"] not in seen:
                seen.append(row["size"])
            if len(seen) >= shown.size():
                shown.offer("more")
        assert seen == sorted(seen)
        listing.send_signal(signal.SIGINT)
        # Its output may fill the pipe.
        _, said = listing.communicate()
        assert b"Traceback" not in said
