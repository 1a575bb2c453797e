"""A member that names very many others, most of which cannot be reached."""

import asyncio
import threading
from pathlib import Path
from typing import Any

import pytest

from jvmwire._runtime.operations import MAX_CONNECTS
from jvmwire.errors import CallTimeout, JvmWireError
from jvmwire.hazelcast import AsyncHazelcastClient, HazelcastClient, HazelcastOptions
from jvmwire.hazelcast._cluster_service import MAX_MEMBERS
from jvmwire.options import RetryPolicy
from kit.fake_member import Asked, DoubleMember, doubles
from kit.servers import unanswering

OPTIONS = HazelcastOptions(
    timeout=20.0,
    connect_timeout=1.0,
    connect_retry=RetryPolicy(attempts=2, first_wait=0.05),
)
OTHERS = 8
"""Threads that do not connect: the client's driver and callbacks, those of the test's member."""


def _count_threads() -> int:
    """Return how many threads this process has, those of libraries included."""
    return len(list(Path("/proc/self/task").iterdir()))


class Watch:
    """Recorder of the maximum number of threads."""

    def __init__(self) -> None:
        self.before = _count_threads()
        self.most = 0
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._look)

    def __enter__(self) -> "Watch":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join()

    def _look(self) -> None:
        while not self._ended.wait(0.002):
            self.most = max(self.most, _count_threads())


def name_members(member: DoubleMember, count: int, port: int) -> None:
    """Have a member name `count` members, the last of which is itself."""

    def others() -> list[dict[str, Any]]:
        told = member.as_told()
        return [
            told
            | {
                "uuid": f"member {number}",
                "address": {
                    # Refused at once, or never answered.
                    "host": f"127.1.{number >> 8}.{number & 255}",
                    "port": port,
                },
            }
            for number in range(count - 1)
        ] + [told]

    def tell(asked: Asked) -> bytes:
        members = others()
        event = member.event(asked.call_id, "MemberList", members)
        return event + member.response(asked, "String", member.uuid)

    member.limit = 1 << 28
    member.answers["Client.addMembershipListener"] = tell


@pytest.mark.parametrize("refused", [True, False])
def test_few_connections_are_made_at_a_time_and_calls_go_on(*, refused: bool) -> None:
    with doubles() as [member], unanswering("0.0.0.0") as full, Watch() as watch:  # noqa: S104
        name_members(member, 1000, 1 if refused else full.getsockname()[1])
        with HazelcastClient.connect([member.address], OPTIONS) as client:
            for _ in range(20):
                client.get_map("m").get("k")
            assert len(client.members) == 1000
        member.hang_up()
    assert watch.most <= watch.before + MAX_CONNECTS + OTHERS


def test_asyncio_client_makes_few_connections_at_a_time() -> None:
    async def use(member: DoubleMember) -> None:
        most = 0
        client = await AsyncHazelcastClient.connect([member.address], OPTIONS)
        async with client:
            driver = client._driver
            for _ in range(100):
                await client.get_map("m").get("k")
                most = max(most, driver._connecting)
                assert len(driver._links) <= MAX_CONNECTS + 1
        # Half of the slots are for connections that calls wait for.
        assert 0 < most <= MAX_CONNECTS // 2 + 1

    with doubles() as [member]:
        name_members(member, 1000, 1)
        asyncio.run(use(member))
        member.hang_up()


def test_cluster_of_too_many_members_is_an_error_of_ours() -> None:
    with doubles() as [member], Watch() as watch:
        name_members(member, MAX_MEMBERS + 1, 1)
        with pytest.raises(JvmWireError, match=f"names {MAX_MEMBERS + 1} members") as refused:
            HazelcastClient.connect([member.address], OPTIONS)
        assert not isinstance(refused.value, CallTimeout)
        member.hang_up()
    assert watch.most <= watch.before + MAX_CONNECTS + OTHERS


def test_thread_that_cannot_be_started_is_a_failed_connection(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def start(_: threading.Thread) -> None:
        raise MemoryError

    monkeypatch.setattr(threading.Thread, "start", start)
    with pytest.raises(JvmWireError, match="no memory is left for a thread"):
        HazelcastClient.connect(["127.0.0.1:1"], OPTIONS)
