"""Reads that an observer NameNode answers, as with Java's `ObserverReadProxyProvider`."""

from collections.abc import Callable, Iterator
from typing import Any

import pyarrow as pa
import pytest

from jvmwire.hadoop import (
    AsyncNameNode,
    HadoopConfiguration,
    HadoopOptions,
    NameNode,
    ObserverReads,
    apply_name_service,
    find_namenodes,
    options_from_configuration,
)
from jvmwire.hadoop._observer_reads import READS
from jvmwire.options import RetryPolicy
from jvmwire.transports import Tcp
from kit.client_flavours import STYLES, in_every_style
from kit.hadoop import SUPERUSER, ObservedDfs

QUICK = RetryPolicy(attempts=400, first_wait=0.02, longest_wait=0.1)
ON_THE_WIRE = {
    "getECBlockGroupStats": "getFsECBlockGroupStats",
    "getReplicatedBlockStats": "getFsReplicatedBlockStats",
    "getStats": "getFsStats",
}
"""Methods whose name on the wire differs from Java's."""


@pytest.fixture(params=STYLES, ids=lambda style: style.name)
def style(request: pytest.FixtureRequest) -> Any:
    return request.param


@pytest.fixture(scope="module")
def observed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ObservedDfs]:
    with ObservedDfs(tmp_path_factory.mktemp("observed")) as peer:
        yield peer


def options(**given: Any) -> HadoopOptions:
    return HadoopOptions(
        user=SUPERUSER, retry=QUICK, timeout=60.0, observer_reads=ObserverReads(**given)
    )


def endpoints(observed: ObservedDfs) -> list[Tcp]:
    return [Tcp("127.0.0.1", port) for port in observed.ports]


def more(observed: ObservedDfs, index: int) -> Callable[[], dict[str, int]]:
    """Return a function that returns how often each method was called from now on."""
    before = observed.answered(index)

    def since() -> dict[str, int]:
        after = observed.answered(index)
        counted = {name: number - before.get(name, 0) for name, number in after.items()}
        return {name: number for name, number in counted.items() if number}

    return since


def test_what_an_observer_may_answer_is_what_java_says(observed: ObservedDfs) -> None:
    named = {ON_THE_WIRE.get(name, name) for name in observed.ask("reads").split()}
    assert named - {"getHAServiceState"} == READS


@in_every_style
async def test_reads_go_to_the_observer_and_see_what_was_written_before(
    style: Any, observed: ObservedDfs
) -> None:
    since = more(observed, 2)
    asked_of_the_active = more(observed, 0)
    async with style.connect(NameNode, AsyncNameNode, endpoints(observed), options()) as client:
        for number in range(20):
            path = f"/{style.name}/{number}"
            await client.mkdirs(path)
            found = await client.get_file_info(path)
            assert found is not None
        listed = await client.list_directory(f"/{style.name}")
        assert pa.record_batch(listed).num_rows == 20
        infos = await client.get_file_infos([f"/{style.name}/{number}" for number in range(30)])
        assert [status is not None for status in infos] == [True] * 20 + [False] * 10
    counted = since()
    assert (counted["GetFileInfo"], counted["GetListing"]) == (50, 1)
    counted = asked_of_the_active()
    assert (counted["Mkdirs"], counted["Msync"]) == (20, 1)
    assert not {"GetFileInfo", "GetListing"} & counted.keys()


def test_what_others_wrote_is_seen_after_msync(observed: ObservedDfs) -> None:
    alone = HadoopOptions(user=SUPERUSER, retry=QUICK)
    with (
        NameNode(endpoints(observed), options()) as reader,
        NameNode(endpoints(observed), options(auto_msync_period=0.0)) as always,
        NameNode(endpoints(observed), alone) as writer,
    ):
        reader.get_file_info("/")
        for number in range(5):
            path = f"/others/{number}"
            writer.mkdirs(path)
            assert always.get_file_info(path) is not None
            writer.mkdirs(path + "/inside")
            reader.msync()
            assert reader.get_file_info(path + "/inside") is not None


def test_without_an_observer_the_active_namenode_answers(observed: ObservedDfs) -> None:
    observed.ask("standby2")
    try:
        since = more(observed, 0)
        with NameNode(endpoints(observed), options()) as client:
            for _ in range(10):
                assert client.get_file_info("/") is not None
        counted = since()
        # The state of each NameNode was requested once.
        assert (counted["GetFileInfo"], counted["GetHAServiceState"]) == (10, 1)
    finally:
        observed.ask("observer2")


def test_an_observer_that_is_none_any_more_is_left_and_found_again(observed: ObservedDfs) -> None:
    with NameNode(endpoints(observed), options(probe_retry_period=0.0)) as client:
        assert client.get_file_info("/") is not None
        observed.ask("standby2")
        try:
            assert client.get_file_info("/") is not None
            assert len(client.get_file_infos(["/", "/nothing"])) == 2
        finally:
            observed.ask("observer2")
        since = more(observed, 2)
        for _ in range(3):
            client.mkdirs("/again")
            assert client.get_file_info("/again") is not None
        assert since()["GetFileInfo"] >= 1


def test_the_settings_of_java_are_read(observed: ObservedDfs) -> None:
    names = ["one", "two", "three"]
    provider = "org.apache.hadoop.hdfs.server.namenode.ha.ObserverReadProxyProvider"
    addresses = {
        f"dfs.namenode.rpc-address.ns.{name}": f"127.0.0.1:{port}"
        for name, port in zip(names, observed.ports, strict=True)
    }
    settings = addresses | {
        "fs.defaultFS": "hdfs://ns",
        "dfs.nameservices": "ns",
        "dfs.ha.namenodes.ns": ",".join(names),
        "dfs.client.failover.proxy.provider.ns": provider,
        "dfs.client.failover.observer.auto-msync-period.ns": "500",
        "dfs.client.failover.observer.probe.retry.period": "2m",
    }
    configuration = HadoopConfiguration(settings)
    servers = find_namenodes(configuration)
    found = apply_name_service(
        options_from_configuration(configuration, servers=len(servers)),
        configuration,
        None,
        servers,
    )
    assert found.observer_reads == ObserverReads(auto_msync_period=0.5, probe_retry_period=120.0)
    del settings["dfs.client.failover.observer.auto-msync-period.ns"]
    del settings["dfs.client.failover.observer.probe.retry.period"]
    configuration = HadoopConfiguration(settings)
    found = apply_name_service(
        options_from_configuration(configuration), configuration, None, servers
    )
    assert found.observer_reads == ObserverReads()
    del settings["dfs.client.failover.proxy.provider.ns"]
    configuration = HadoopConfiguration(settings)
    found = apply_name_service(
        options_from_configuration(configuration), configuration, None, servers
    )
    assert found.observer_reads is None
    since = more(observed, 2)
    settings["dfs.client.failover.proxy.provider.ns"] = provider
    with NameNode.from_configuration(None, HadoopConfiguration(settings), user=SUPERUSER) as client:
        assert client.get_file_info("/") is not None
    assert since()["GetFileInfo"] == 1
