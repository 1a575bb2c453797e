"""Two NameNodes of an HA service are one to a client, whichever is active."""

import asyncio
from typing import Any

import pytest

from jvmwire.errors import ConfigError, ConnectFailed
from jvmwire.hadoop import AsyncHadoopClient, AsyncNameNode, HadoopClient, HadoopOptions, NameNode
from jvmwire.hadoop.errors import AuthenticationRequired, Standby
from jvmwire.hadoop.sasl import Authentication
from jvmwire.options import NEVER, RetryPolicy
from jvmwire.transports import Tcp
from kit.client_flavours import STYLES, in_every_style
from kit.hadoop import PairedDfs

HA = "org.apache.hadoop.ha.HAServiceProtocol"
BY_USER = {"req_info": {"req_source": "REQUEST_BY_USER"}}
QUICK = RetryPolicy(attempts=200, first_wait=0.02, longest_wait=0.1)
SITE = """<?xml version="1.0"?>
<configuration xmlns:xi="http://www.w3.org/2001/XInclude">
  <property><name>fs.defaultFS</name><value>hdfs://${{cluster.name}}</value></property>
  <property><name>cluster.name</name><value>pair</value></property>
  <property><name>dfs.nameservices</name><value>pair, elsewhere</value></property>
  <property><name>dfs.ha.namenodes.pair</name><value>one, two</value></property>
  <property><name>dfs.namenode.rpc-address.pair.one</name><value>127.0.0.1:{}</value></property>
  <property><name>dfs.namenode.rpc-address.pair.two</name><value>127.0.0.1:{}</value></property>
  <property><name>dfs.client.failover.sleep.base.millis</name><value>50</value></property>
</configuration>
"""


@pytest.fixture(params=STYLES, ids=lambda style: style.name)
def style(request):
    return request.param


@pytest.fixture(scope="module")
def pair(tmp_path_factory):
    with PairedDfs(tmp_path_factory.mktemp("paired")) as peer:
        yield peer


def endpoints(pair):
    return [Tcp("127.0.0.1", port) for port in pair.ports]


@in_every_style
async def test_the_active_namenode_is_found_and_kept(style, pair):
    pair.ask("active0")
    first, second = endpoints(pair)
    for order in ([first, second], [second, first]):
        reports: list[Any] = []
        options = HadoopOptions(user="hdfs", retry=QUICK, on_call=reports.append)
        async with style.connect(NameNode, AsyncNameNode, order, options) as client:
            await client.mkdirs("/found")
            assert await client.get_service_state() == "ACTIVE"
            await client.get_file_info("/found")
        expected = [1, 1, 1] if order[0] is first else [2, 1, 1]
        # A NameNode answers state requests even as a standby: the call is not repeated.
        assert [report.commands for report in reports] == expected
    alone = HadoopOptions(user="hdfs", retry=NEVER)
    async with style.connect(NameNode, AsyncNameNode, second, alone) as client:
        with pytest.raises(Standby) as standby:
            await client.get_file_info("/")
        assert standby.value.retryable
        assert standby.value.failover
        assert await client.get_service_state() == "STANDBY"


@in_every_style
async def test_calls_go_on_when_the_other_one_becomes_active_and_each_is_done_once(style, pair):
    pair.ask("active0")
    home = f"/failover/{style.name}"
    options = HadoopOptions(user="hdfs", retry=QUICK, timeout=60.0)
    async with style.connect(NameNode, AsyncNameNode, endpoints(pair), options) as client:
        await client.mkdirs(home)
        done = asyncio.Event()

        async def work(number):
            made = 0
            while not done.is_set() or made < 3:
                path = f"{home}/{number}-{made}"
                await client.create(path)
                await client.rename(path, f"{path}-renamed")
                made += 1
                if made % 2:
                    assert await client.delete(f"{path}-renamed")
            return made

        workers = [asyncio.ensure_future(work(number)) for number in range(16)]
        for active in ("active1", "active0"):
            await asyncio.to_thread(pair.ask, active)
            await client.get_file_info(home)
        done.set()
        made = await asyncio.gather(*workers)
        left = await client.list_directory(home)
        expected = {
            f"{home}/{number}-{at}-renamed"
            for number, count in enumerate(made)
            for at in range(1, count, 2)
        }
        assert {entry.path for entry in left} == expected


@in_every_style
async def test_the_state_of_each_is_asked_by_another_protocol(style, pair):
    pair.ask("active0")
    for endpoint, state in zip(endpoints(pair), ("ACTIVE", "STANDBY"), strict=True):
        options = HadoopOptions(user="hdfs", retry=NEVER)
        async with style.connect(
            HadoopClient, AsyncHadoopClient, endpoint, options, protocol=HA
        ) as client:
            answer = await client.call("getServiceStatus")
            assert answer["state"] == state
            assert await client.call("monitorHealth") == {}


@in_every_style
async def test_a_client_acts_for_others(style, pair):
    pair.ask("active0")
    options = HadoopOptions(user="hdfs", retry=QUICK)
    async with style.connect(NameNode, AsyncNameNode, endpoints(pair), options) as client:
        home = f"/acts/{style.name}"
        await client.mkdirs(home)
        await client.set_permission(home, 0o777)
        acting = client.do_as("alice")
        await acting.create(f"{home}/hers")
        assert (await client.get_file_info(f"{home}/hers")).owner == "alice"


@in_every_style
async def test_who_is_not_trusted_acts_for_nobody(style, pair):
    pair.ask("active0")
    options = HadoopOptions(user="alice", real_user="mallory", retry=NEVER)
    async with style.connect(NameNode, AsyncNameNode, endpoints(pair), options) as client:
        with pytest.raises(AuthenticationRequired, match="not allowed to impersonate") as refused:
            await client.get_file_info("/")
        assert refused.value.fatal


@in_every_style
async def test_a_name_service_is_found_by_the_configuration(style, pair, tmp_path, monkeypatch):
    pair.ask("active1")
    (tmp_path / "core-site.xml").write_text(SITE.format(*pair.ports))
    monkeypatch.setenv("HADOOP_CONF_DIR", str(tmp_path))
    for url in (None, "hdfs://pair", "hdfs://pair/path"):
        async with style.connect(
            NameNode.from_configuration, AsyncNameNode.from_configuration, url, user="hdfs"
        ) as client:
            assert (await client.get_file_info("/")).owner == "hdfs"
    with pytest.raises(ConfigError, match=r"dfs.namenode.rpc-address.elsewhere is not set"):
        NameNode.from_configuration("hdfs://elsewhere")


@in_every_style
async def test_when_nobody_is_there_the_first_one_refused_is_told(style, pair):
    dead = Tcp("127.0.0.1", 1)
    patient = RetryPolicy(attempts=2, first_wait=0.01)
    options = HadoopOptions(user="hdfs", retry=patient)
    async with style.connect(NameNode, AsyncNameNode, [dead, dead], options) as client:
        with pytest.raises(ConnectFailed):
            await client.get_file_info("/")
    pair.ask("active0")
    async with style.connect(
        NameNode, AsyncNameNode, [dead, endpoints(pair)[0]], options
    ) as client:
        assert await client.get_file_info("/") is not None


@pytest.mark.parametrize("active", [0, 1], ids=["the first is active", "the first is standby"])
def test_a_token_for_the_pair_is_one_for_each_of_them(active, pair, tmp_path, monkeypatch):
    pair.ask(f"active{active}")
    with NameNode(endpoints(pair), HadoopOptions(user="hdfs", retry=QUICK)) as client:
        client.mkdirs("/of-token")
        client.set_permission("/of-token", 0o777)
    with NameNode(endpoints(pair), HadoopOptions(user="alice", retry=QUICK)) as client:
        token = client.get_delegation_token(renewer="alice")
    assert token is not None
    monkeypatch.setenv("HADOOP_CONF_DIR", str(tmp_path))
    (tmp_path / "core-site.xml").write_text(SITE.format(*pair.ports))
    tokens = Authentication(tokens=[token.for_service("ha-hdfs:pair")])
    # With the token the user is alice, even if the client names another.
    with NameNode.from_configuration(user="bob", authentication=tokens, retry=QUICK) as client:
        client.create(f"/of-token/hers{active}")
        found = client.get_file_info(f"/of-token/hers{active}")
    assert found is not None
    assert found.owner == "alice"
