"""`jvmwire hazelcast` reads, writes and lists what a real member has."""

import json

from kit.command import jvmwire


def run(member, verb, *arguments, status=0):
    done = jvmwire("hazelcast", verb, "-a", member.address, *arguments, status=status)
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
