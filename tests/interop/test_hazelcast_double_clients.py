"""Hazelcast's own clients work with the double of a cluster."""

import queue
from typing import Any

import pytest

from jvmwire.hazelcast import HazelcastClient
from kit.double_peer import DoublePeer
from kit.hazelcast_clients import JavaClient, python_client
from kit.polling import eventually


def test_java_s_client_puts_gets_and_listens_and_outlives_a_member(tmp_path) -> None:
    with (
        DoublePeer(members=2) as double,
        JavaClient(tmp_path, double.ports) as java,
        HazelcastClient.connect(double.addresses) as ours,
    ):
        found = ours.get_map("m")
        java.do("listen-entries m")
        java.do("listen t")
        assert java.do("put m a 1") == "null"
        assert (found.get("a"), found.put("b", "two"), java.do("get m b")) == ("1", None, "two")
        assert java.do("fill m 500") == "500"
        assert (java.do("size m"), found.size(), found.get(499)) == ("502", 502, "v499")
        ours.get_topic("t").publish("news")
        log = java.program.log
        eventually(lambda: "RECEIVED MESSAGE: news" in log.read_text())
        eventually(lambda: log.read_text().count("RECEIVED ENTRY: ") == 502)
        assert (java.do("offer q x"), ours.get_queue("q").poll()) == ("true", "x")
        ours.get_queue("q").offer("y")
        assert java.do("poll q") == "y"
        assert java.do("lock l") == "locked"
        assert not ours.get_lock("l").try_lock()
        double.stop_member(0)
        assert java.do("get m a") == "1"
        eventually(lambda: java.do("members") == "1")
        double.start_member(0)
        eventually(lambda: java.do("members") == "2")
        assert java.do("put m a 2") == "1"


@pytest.mark.filterwarnings("ignore::DeprecationWarning:hazelcast")
def test_the_python_client_puts_gets_and_listens() -> None:
    events: queue.Queue[Any] = queue.Queue()
    with DoublePeer() as double, python_client(double.address) as theirs:
        found = theirs.get_map("m").blocking()
        found.add_entry_listener(include_value=True, added_func=events.put)
        assert found.put("a", 1) is None
        assert found.get_all(["a", "b"]) == {"a": 1}
        added = events.get(timeout=10)
        assert (added.key, added.value) == ("a", 1)
        assert theirs.get_atomic_long("n").blocking().increment_and_get() == 1
        items = theirs.get_queue("q").blocking()
        assert items.offer("x")
        with HazelcastClient.connect([double.address]) as ours:
            assert (ours.get_map("m").get("a"), ours.get_queue("q").poll()) == (1, "x")
            assert items.poll(timeout=0) is None
