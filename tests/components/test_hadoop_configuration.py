"""Hadoop's configuration files determine servers and behaviour, as in Hadoop's own clients."""

import re
import traceback
from pathlib import Path

import pytest

from jvmwire._cli.hadoop.connection_options import RESOURCE_MANAGER, Target
from jvmwire.errors import ConfigError
from jvmwire.hadoop import (
    HadoopConfiguration,
    HadoopOptions,
    NameNode,
    apply_name_service,
    find_namenodes,
    find_resource_managers,
    options_from_configuration,
)
from jvmwire.hadoop._config_mapping import RESOURCE_MANAGER_PRINCIPAL, UNREAD, _warn, find_user
from jvmwire.hadoop.namenode._trash import keeps_trash
from jvmwire.hadoop.sasl import Authentication, Token
from jvmwire.hadoop.sasl._kerberos import Kerberos
from jvmwire.hadoop.sasl._protection import STRONGEST_FIRST, Protection
from jvmwire.options import ConnectRetries
from jvmwire.transports import Tcp
from kit.hadoop_judge import written_tokens
from kit.hadoop_scripted import scripted, status
from kit.hadoop_settings import MEANINGLESS, OBSERVERS, PAIR, READ, READ_ELSEWHERE


def site(*settings: tuple[str, str], more: str = "") -> str:
    properties = "".join(
        f"<property><name>{name}</name><value>{value}</value></property>"
        for name, value in settings
    )
    return (
        f'<configuration xmlns:xi="http://www.w3.org/2001/XInclude">{properties}{more}'
        "</configuration>"
    )


def test_later_files_count_unless_an_earlier_one_is_final(tmp_path):
    final = "<property><name>c</name><value>1</value><final>true</final></property>"
    (tmp_path / "core-site.xml").write_text(site(("a", "1"), ("b", " 1 "), more=final))
    (tmp_path / "hdfs-site.xml").write_text(site(("a", "2"), ("c", "2")))
    found = HadoopConfiguration.load(tmp_path)
    assert dict(found) == {"a": "2", "b": " 1 ", "c": "1"}
    assert found.text("b", "") == "1"


# uber/petastorm 782: settings of an included URL were missing without a word. Java fetches it.
@pytest.mark.parametrize("url", ["http://127.0.0.1:1/x.xml", "file://other/x.xml", "FTP://h/x"])
@pytest.mark.parametrize("how", ["include", "fallback", "entity"])
def test_what_only_a_network_has_is_refused_by_name(tmp_path, url, how):
    fallback = "<xi:fallback/>" if how == "fallback" else ""
    text = site(more=f'<xi:include href="{url}">{fallback}</xi:include>')
    if how == "entity":
        text = f'<!DOCTYPE configuration [<!ENTITY a SYSTEM "{url}">]>{site(more="&a;")}'
    (tmp_path / "core-site.xml").write_text(text)
    said = f"core-site.xml.*{url}' is not read: expected a file"
    with pytest.raises(ConfigError, match=said):
        HadoopConfiguration.load(tmp_path)


def test_variables_lead_to_other_settings_and_to_the_environment(monkeypatch):
    monkeypatch.setenv("CLUSTER", "east")
    monkeypatch.setenv("EMPTY", "")
    monkeypatch.delenv("NOTHING", raising=False)
    found = HadoopConfiguration(
        {
            "host": "${name}.${domain}",
            "name": "nn-${env.CLUSTER}",
            "domain": "example.org",
            "unknown": "${nothing} ${env.NOTHING}",
            "default": "${env.NOTHING-a}${env.NOTHING:-b}${env.EMPTY-c}${env.EMPTY:-d}",
            "round": "${round}!",
        }
    )
    assert found["host"] == "nn-east.example.org"
    assert found["unknown"] == "${nothing} ${env.NOTHING}"
    assert found["default"] == "abd"
    with pytest.raises(ConfigError, match="more than 20 variables"):
        found["round"]


def test_files_are_included_or_fallen_back_from(tmp_path):
    (tmp_path / "more.xml").write_text(site(("from", "more")))
    fallback = '<xi:fallback><property name="from" value="fallback"/></xi:fallback>'
    for href, expected in {"more.xml": "more", "missing.xml": "fallback"}.items():
        included = f'<xi:include href="{href}">{fallback}</xi:include>'
        (tmp_path / "core-site.xml").write_text(site(more=included))
        assert HadoopConfiguration.load(tmp_path)["from"] == expected
    (tmp_path / "core-site.xml").write_text(site(more='<xi:include href="core-site.xml"/>'))
    with pytest.raises(ConfigError, match="include each other"):
        HadoopConfiguration.load(tmp_path)
    (tmp_path / "core-site.xml").write_text(site(more='<xi:include href="missing.xml"/>'))
    with pytest.raises(ConfigError, match=r"missing\.xml"):
        HadoopConfiguration.load(tmp_path)


def test_what_is_no_configuration_is_told_by_its_file(tmp_path, monkeypatch):
    for text in ("<configuration>", "<html/>", ""):
        (tmp_path / "core-site.xml").write_text(text)
        with pytest.raises(ConfigError, match=r"core-site\.xml"):
            HadoopConfiguration.load(tmp_path)
    with pytest.raises(ConfigError, match="is not a directory"):
        HadoopConfiguration.load(tmp_path / "missing")
    monkeypatch.delenv("HADOOP_CONF_DIR", raising=False)
    monkeypatch.delenv("HADOOP_HOME", raising=False)
    assert dict(HadoopConfiguration.load()) == {}


def test_namenodes_are_found_by_host_by_name_service_and_by_default():
    found = HadoopConfiguration(
        {
            "fs.defaultFS": "hdfs://nn:9000/",
            "dfs.nameservices": "east,west",
            "dfs.ha.namenodes.east": "a,b",
            "dfs.namenode.rpc-address.east.a": "one:8020",
            "dfs.namenode.rpc-address.east.b": "two",
            "dfs.namenode.rpc-address.west": "three:8021",
        }
    )
    assert find_namenodes(found) == [Tcp("nn", 9000)]
    assert find_namenodes(found, "hdfs://other/a/path") == [Tcp("other", 8020)]
    assert find_namenodes(found, "hdfs://east/") == [Tcp("one", 8020), Tcp("two", 8020)]
    assert find_namenodes(found, "hdfs://west") == [Tcp("three", 8021)]
    assert find_namenodes(found, "hdfs:///path") == [Tcp("nn", 9000)]
    for wrong in ("file:///", "hdfs:path", "hdfs://nn:port", "hdfs://nn:99999", "hdfs://a:1,b:1"):
        with pytest.raises(ConfigError):
            find_namenodes(found, wrong)
    with pytest.raises(ConfigError, match="HADOOP_CONF_DIR"):
        find_namenodes(HadoopConfiguration())


@pytest.mark.parametrize("default", ["hdfs://alice@nn:9000", "nn:9000", "hdfs://nn:9000/x"])
def test_a_url_without_a_host_is_in_the_default_file_system(default):
    found = HadoopConfiguration({"fs.defaultFS": default})
    for url in (None, "hdfs:///x", "hdfs:/x", "HDFS:///"):
        assert find_namenodes(found, url) == [Tcp("nn", 9000)]


@pytest.mark.parametrize("default", ["hdfs:///", "file:///", "/", "hdfs://@/"])
def test_a_default_file_system_without_a_namenode_is_refused(default):
    with pytest.raises(ConfigError):
        find_namenodes(HadoopConfiguration({"fs.defaultFS": default}), "hdfs:///x")


@pytest.mark.parametrize("url", ["hdfs://alice@nn:1/x", "hdfs://alice:secret@nn:1", "hdfs:///x"])
def test_who_is_named_in_a_url_makes_the_calls(url, monkeypatch):
    monkeypatch.setenv("HADOOP_USER_NAME", "hdfs")
    monkeypatch.setenv("HADOOP_PROXY_USER", "carol")
    found = HadoopConfiguration({"fs.defaultFS": "hdfs://alice@nn:1"})
    with NameNode.from_configuration(url, found) as client:
        assert (client._user, client._real_user) == ("alice", None)
    assert find_user(found, "hdfs://al%40ice@nn") == "al@ice"
    assert find_user(found, "hdfs://nn") is None
    with pytest.raises(ConfigError, match="the user 'alice', and the option user is 'bob'"):
        NameNode.from_configuration(url, found, user="bob")


def test_whom_kerberos_does_not_prove_makes_no_calls():
    kerberos = Kerberos(principal="bob@R", server_pattern="*")
    proof = Authentication(kerberos=kerberos)
    for url, user in (("hdfs://bob@nn", "bob"), ("hdfs://nn", "hdfs")):
        with NameNode.from_configuration(
            url, HadoopConfiguration(), authentication=proof, user=user
        ) as client:
            assert client.home_directory == "/user/bob"
    with pytest.raises(ConfigError, match=r"of the user 'alice', and Kerberos proves .* 'bob@R'"):
        NameNode.from_configuration("hdfs://alice@nn", HadoopConfiguration(), authentication=proof)


NOT_ADDRESSES = [
    "::1:8020",
    "a:1,b:1",
    "hdfs://a:1,b:1",
    "host:99999",
    "h:8020/x",
    ":1",
    "a b:1",
    "h:x",
]


@pytest.mark.parametrize("address", NOT_ADDRESSES)
def test_an_address_that_is_none_is_refused_when_it_is_read(address):
    name = "dfs.namenode.rpc-address.ns.a"
    found = HadoopConfiguration({"dfs.ha.namenodes.ns": "a", name: address})
    with pytest.raises(ConfigError) as raised:
        find_namenodes(found, "hdfs://ns")
    assert str(raised.value).startswith(f"{name} = {address}: ")


@pytest.mark.parametrize(
    "address", ["hdfs://h:1", "h:1", "hdfs://h:1/x", "u@h:1", " h:1 ", "http://u:p@h:1"]
)
def test_an_address_may_be_written_as_a_url(address):
    found = HadoopConfiguration(
        {"dfs.ha.namenodes.ns": "a", "dfs.namenode.rpc-address.ns.a": address}
    )
    assert find_namenodes(found, "hdfs://ns") == [Tcp("h", 1)]


def test_the_order_of_namenodes_is_drawn_if_the_name_service_says_so():
    order = "dfs.client.failover.random.order"
    base = {"dfs.ha.namenodes.ns": "a,b", "dfs.ha.namenodes.other": "a,b"}
    for service in ("ns", "other"):
        for member in "ab":
            base[f"dfs.namenode.rpc-address.{service}.{member}"] = f"{member}:1"

    def firsts(settings, service="ns"):
        found = HadoopConfiguration(base | settings)
        return {find_namenodes(found, f"hdfs://{service}")[0].host for _ in range(60)}

    assert firsts({}) == firsts({f"{order}.ns": "true"}, "other") == {"a"}
    assert firsts({order: "true", f"{order}.ns": "false"}) == {"a"}
    assert firsts({order: "true"}) == firsts({f"{order}.ns": "true"}) == {"a", "b"}


@pytest.fixture
def environment(monkeypatch):
    """The environment without the variables that name the user."""
    for name in ("USER_NAME", "PROXY_USER", "TOKEN_FILE_LOCATION", "TOKEN"):
        monkeypatch.delenv(f"HADOOP_{name}", raising=False)
    return lambda name, value: monkeypatch.setenv(f"HADOOP_{name}", value)


def test_a_proxy_user_acts_and_the_current_user_is_the_real_one(environment):
    environment("USER_NAME", "hdfs")
    environment("PROXY_USER", "bob")
    found = HadoopOptions()
    assert (found.user, found.real_user) == ("bob", "hdfs")
    assert type(found.user) is str
    assert HadoopOptions(real_user="alice").real_user == "alice"
    given = HadoopOptions(user="carol")
    assert (given.user, given.real_user) == ("carol", None)
    environment("PROXY_USER", "")
    assert (HadoopOptions().user, HadoopOptions().real_user) == ("hdfs", None)


def token_file(path, *tokens):
    path.write_bytes(written_tokens(*tokens))
    return str(path)


def test_tokens_are_in_files_and_in_the_environment(environment, tmp_path):
    tokens = [Token(bytes([at]), b"p", service=f"nn{at}:8020") for at in range(6)]
    one = token_file(tmp_path / "one", *tokens[:2])
    two = token_file(tmp_path / "two", tokens[2])
    three = token_file(tmp_path / "three", tokens[3])
    environment("TOKEN_FILE_LOCATION", f"{one}, {tmp_path / 'gone'},{two},{tmp_path}")
    environment("TOKEN", tokens[4].to_url())
    found = HadoopOptions().authentication
    assert found is not None
    assert list(found.tokens) == [*tokens[:3], tokens[4]]
    settings = {"hadoop.token.files": f"{three},{one}", "hadoop.tokens": tokens[5].to_url()}
    found = options_from_configuration(HadoopConfiguration(settings)).authentication
    assert found is not None
    assert list(found.tokens) == [tokens[at] for at in (3, 0, 1, 2, 5, 4)]


def test_without_a_token_that_is_there_nothing_is_proved(environment, tmp_path):
    environment("TOKEN_FILE_LOCATION", f"{tmp_path / 'gone'},")
    assert HadoopOptions().authentication is None
    environment("TOKEN_FILE_LOCATION", token_file(tmp_path / "empty"))
    assert HadoopOptions().authentication is None


@pytest.mark.parametrize("text", ["Zq7hush", "é", "=", "AAAA" * 99])
def test_a_text_that_is_no_token_is_refused_and_not_shown(environment, text):
    environment("TOKEN", text)
    with pytest.raises(ConfigError, match="HADOOP_TOKEN") as raised:
        HadoopOptions()
    assert repr(text) not in repr(raised.value)
    assert raised.value.__cause__ is None


MANAGERS = {
    "yarn.resourcemanager.ha.enabled": "true",
    "yarn.resourcemanager.ha.rm-ids": "a,b",
    "yarn.resourcemanager.address.a": "one:9032",
    "yarn.resourcemanager.hostname.b": "two",
    "yarn.resourcemanager.principal": "rm/_HOST@EXAMPLE.ORG",
}


def test_resource_managers_are_found_alone_and_in_pairs():
    alone = HadoopConfiguration({"yarn.resourcemanager.hostname": "rm"})
    assert find_resource_managers(alone) == [Tcp("rm", 8032)]
    assert find_resource_managers(HadoopConfiguration(MANAGERS)) == [
        Tcp("one", 9032),
        Tcp("two", 8032),
    ]


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"yarn.resourcemanager.ha.enabled": "true"}, r"ha\.rm-ids is not set"),
        ({"yarn.resourcemanager.hostname": "h:9"}, "not an address"),
        ({"yarn.resourcemanager.address": "", "yarn.resourcemanager.hostname": "h"}, "is not set"),
    ],
)
def test_resource_managers_that_java_would_not_find_are_refused(settings, said):
    with pytest.raises(ConfigError, match=said):
        find_resource_managers(HadoopConfiguration(settings))


def test_the_command_line_takes_a_resource_manager_for_the_principal_of_its_own(
    environment, monkeypatch, tmp_path
):
    (tmp_path / "core-site.xml").write_text(site(*(SECURE | MANAGERS).items()))
    monkeypatch.setenv("HADOOP_CONF_DIR", str(tmp_path))
    for protocol, principal in [
        (RESOURCE_MANAGER, "rm/_HOST@EXAMPLE.ORG"),
        ("ClientProtocol", SECURE["dfs.namenode.kerberos.principal"]),
    ]:
        with Target(("127.0.0.1:1",), config=None, user=None, timeout=5.0).service(
            protocol
        ) as client:
            authentication = client._options.authentication
            assert authentication is not None
            assert authentication.kerberos is not None
            assert authentication.kerberos.server_principal == principal


def test_options_have_the_names_that_hadoop_gives_them():
    assert options_from_configuration(HadoopConfiguration()).retry is None
    found = HadoopConfiguration(
        {
            "ipc.client.connect.timeout": "3000",
            "ipc.ping.interval": "1500",
            "ipc.maximum.response.length": "0x4000000",
            "ipc.client.connect.max.retries": "3",
            "ipc.client.connect.retry.interval": "250",
            "dfs.client.failover.max.attempts": "7",
            "dfs.client.failover.sleep.base.millis": "100",
            "dfs.client.failover.sleep.max.millis": " 2000 ",
            "fs.permissions.umask-mode": "027",
            "rpc.engine.some.Protocol": "org.apache.hadoop.ipc.ProtobufRpcEngine2",
        }
    )
    one = options_from_configuration(found, user="alice")
    assert (one.connect_timeout, one.ping_interval, one.reply_limit) == (3.0, 1.5, 64 << 20)
    assert (one.umask, one.user) == (0o027, "alice")
    assert one.retry is None
    assert one.connect_retries == ConnectRetries(failures=3, timeouts=45, wait=0.25)
    two = options_from_configuration(found, servers=2)
    assert two.retry is not None
    assert (two.retry.attempts, two.retry.first_wait, two.retry.longest_wait) == (7, 0.1, 2.0)
    assert two.connect_retries == ConnectRetries(failures=0, timeouts=0, wait=0.25)


def test_how_often_a_server_is_connected_to_is_said_for_one_and_for_a_pair():
    one, pair = "ipc.client.connect.max.retries", "dfs.client.failover.connection.retries"
    found = HadoopConfiguration({f"{one}.on.timeouts": "2", pair: "5", f"{pair}.on.timeouts": "6"})
    assert options_from_configuration(found).connect_retries == ConnectRetries(
        failures=10, timeouts=2
    )
    assert options_from_configuration(found, servers=2).connect_retries == ConnectRetries(
        failures=5, timeouts=6
    )
    # Then jvmwire's own policy applies.
    assert options_from_configuration(HadoopConfiguration({pair: "5"})).connect_retries is None


@pytest.mark.parametrize(
    ("mask", "expected"),
    [("022", 0o022), ("u=rwx,g=rx,o=", 0o027), ("a=rx", 0o222), ("go=", 0o777), ("u+w,g-w", 0o577)],
)
def test_a_umask_is_octal_or_what_is_permitted(mask, expected):
    assert (
        options_from_configuration(HadoopConfiguration({"fs.permissions.umask-mode": mask})).umask
        == expected
    )


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("ipc.ping.interval", "soon"),
        ("ipc.maximum.response.length", "many"),
        ("fs.permissions.umask-mode", "rwx"),
        ("rpc.engine.some.Protocol", "some.Engine"),
        ("rpc.engine.some.ProtocolPB", "org.apache.hadoop.ipc.WritableRpcEngine"),
    ],
)
def test_a_setting_that_cannot_be_meant_so_is_named(name, value):
    with pytest.raises(ConfigError, match=name):
        options_from_configuration(HadoopConfiguration({name: value}))


def test_an_interface_may_be_of_the_writable_engine():
    name, engine = "rpc.engine.some.Protocol", "org.apache.hadoop.ipc.WritableRpcEngine"
    assert options_from_configuration(
        HadoopConfiguration({name: engine})
    ) == options_from_configuration(HadoopConfiguration({}))


def test_a_client_that_does_not_ping_is_told_by_a_truth():
    assert (
        options_from_configuration(HadoopConfiguration({"ipc.client.ping": "FALSE"})).ping_interval
        is None
    )
    assert (
        options_from_configuration(
            HadoopConfiguration({"ipc.client.ping": "perhaps"})
        ).ping_interval
        == 60.0
    )


def test_a_call_lasts_as_long_as_the_configuration_lets_it():
    name = "ipc.client.rpc-timeout.ms"
    assert options_from_configuration(HadoopConfiguration({name: "90000"})).timeout == 90.0
    assert options_from_configuration(HadoopConfiguration({name: "0"})).timeout is None
    assert (
        options_from_configuration(HadoopConfiguration({name: "5000"}), timeout=1.0).timeout == 1.0
    )
    assert options_from_configuration(HadoopConfiguration()).timeout == HadoopOptions().timeout


SECURE = {
    "hadoop.security.authentication": "kerberos",
    "dfs.namenode.kerberos.principal": "nn/_HOST@EXAMPLE.ORG",
}


@pytest.fixture
def without_tokens(monkeypatch):
    monkeypatch.delenv("HADOOP_TOKEN_FILE_LOCATION", raising=False)


def test_who_is_to_be_proved_by_kerberos_is_so(without_tokens):
    assert options_from_configuration(HadoopConfiguration()).authentication is None
    found = options_from_configuration(HadoopConfiguration(SECURE)).authentication
    assert found is not None
    assert found.kerberos is not None
    assert found.kerberos.server_principal == "nn/_HOST@EXAMPLE.ORG"
    assert (found.protection, found.fallback_to_simple) == (STRONGEST_FIRST, False)
    more = {
        "hadoop.rpc.protection": "integrity,authentication",
        "ipc.client.fallback-to-simple-auth-allowed": "true",
    }
    found = options_from_configuration(HadoopConfiguration(SECURE | more)).authentication
    assert found is not None
    assert found.protection == (Protection.INTEGRITY, Protection.AUTHENTICATION)
    assert found.fallback_to_simple
    assert (
        options_from_configuration(HadoopConfiguration(SECURE), authentication=None).authentication
        is None
    )


def test_a_pattern_says_which_principals_a_namenode_may_have(without_tokens):
    secure = {"hadoop.security.authentication": "kerberos"}
    name = "dfs.namenode.kerberos.principal"

    def expected(settings, principal=name):
        proof = options_from_configuration(
            HadoopConfiguration(secure | settings), principal=principal
        ).authentication
        assert proof is not None
        assert proof.kerberos is not None
        return proof.kerberos.server_principal, proof.kerberos.server_pattern

    assert expected({}) == (None, "*")
    assert expected({name: "nn/_HOST@R"}) == ("nn/_HOST@R", None)
    assert expected({f"{name}.pattern": "hdfs/*"}) == (None, "hdfs/*")
    assert expected({name: "nn/h", f"{name}.pattern": "*"}) == ("nn/h", "*")
    other = "yarn.resourcemanager.principal"
    assert expected({f"{other}.pattern": "rm/*"}, other) == (None, "rm/*")
    with pytest.raises(ConfigError, match="bracket that is not closed"):
        expected({f"{name}.pattern": "nn/["})


def test_kerberos_without_the_name_of_the_server_is_refused_and_other_proofs_are(without_tokens):
    name = "hadoop.security.authentication"
    with pytest.raises(ConfigError, match=r"yarn\.resourcemanager\.principal is not set"):
        options_from_configuration(
            HadoopConfiguration({name: "kerberos"}), principal="yarn.resourcemanager.principal"
        )
    with pytest.raises(ConfigError, match="is 'ldap', not simple or kerberos"):
        options_from_configuration(HadoopConfiguration({name: "ldap"}))
    with pytest.raises(ConfigError, match="protection"):
        options_from_configuration(HadoopConfiguration(SECURE | {"hadoop.rpc.protection": "much"}))


def test_tokens_for_a_name_service_are_for_each_of_its_namenodes():
    pair = HadoopConfiguration(
        {
            "dfs.ha.namenodes.pair": "a,b",
            "dfs.namenode.rpc-address.pair.a": "one:9000",
            "dfs.namenode.rpc-address.pair.b": "two:9000",
        }
    )
    tokens = [
        Token(b"i", b"p", service="ha-hdfs:pair"),
        Token(b"j", b"q", service="ha-hdfs:other"),
    ]
    options = HadoopOptions(authentication=Authentication(tokens=tokens))
    servers = find_namenodes(pair, "hdfs://pair/")
    found = apply_name_service(options, pair, "hdfs://pair/", servers).authentication
    assert found is not None
    assert [(token.identifier, token.service) for token in found.tokens] == [
        (b"i", "ha-hdfs:pair"),
        (b"j", "ha-hdfs:other"),
        (b"i", "one:9000"),
        (b"i", "two:9000"),
    ]


HUSH = "Zq7hush"


@pytest.mark.parametrize(
    "value", ["${hush}", "${hush}:port", "hdfs://u:${hush}@h:99999", "1${hush}"]
)
@pytest.mark.parametrize(
    "name",
    [
        "fs.defaultFS",
        "fs.permissions.umask-mode",
        "hadoop.security.authentication",
        "ipc.client.connect.timeout",
        "ipc.maximum.response.length",
        "rpc.engine.org.example.Protocol",
        "yarn.resourcemanager.address",
        "dfs.ha.namenodes.ns",
        "dfs.namenode.rpc-address.ns.one",
    ],
)
def test_no_error_says_what_a_variable_stands_for(name: str, value: str) -> None:
    settings = {"fs.defaultFS": "hdfs://ns", "dfs.ha.namenodes.ns": "one", "hush": HUSH}
    configuration = HadoopConfiguration(settings | {name: value})
    for read in (options_from_configuration, find_namenodes, find_resource_managers):
        try:
            read(configuration)
        except ConfigError as error:
            told = "".join(traceback.format_exception(error))
            assert HUSH not in told
            assert HUSH.lower() not in told


def test_no_error_of_a_variable_without_end_says_what_it_stands_for() -> None:
    configuration = HadoopConfiguration({"a": "${hush}${a}", "hush": HUSH})
    with pytest.raises(ConfigError, match="a: more than 20 variables") as refused:
        configuration["a"]
    assert HUSH not in "".join(traceback.format_exception(refused.value))


@pytest.mark.parametrize("setting", READ, ids=lambda setting: setting.name)
def test_each_setting_that_is_read_changes_an_option(environment, setting):
    assert setting.ours({}) != setting.ours({setting.name: setting.value}) == setting.expected


class Watched(HadoopConfiguration):
    """Configuration that records the settings that are read."""

    def __init__(self, settings):
        super().__init__(settings)
        self.asked = set()

    def __getitem__(self, name):
        self.asked.add(name)
        return super().__getitem__(name)


def test_each_setting_that_is_asked_for_has_a_test_of_what_it_changes(environment):
    asked = set()
    for more in (SECURE | PAIR | OBSERVERS, {"fs.defaultFS": "hdfs://ns", "dfs.nameservices": "ns",
                                             "dfs.namenode.rpc-address.ns": "a:1"}):  # fmt: skip
        watched = Watched(more)
        with NameNode.from_configuration(None, watched):
            asked |= watched.asked
    watched = Watched(SECURE | MANAGERS)
    find_resource_managers(watched)
    options_from_configuration(watched, servers=2, principal=RESOURCE_MANAGER_PRINCIPAL)
    asked |= watched.asked
    tested = {setting.name for setting in READ} | set(READ_ELSEWHERE)
    assert asked - tested == set()


@pytest.mark.parametrize("name", UNREAD)
def test_a_setting_that_is_not_read_is_warned_of_once(name, caplog):
    _warn.cache_clear()
    for value in ("Zq7", "Zq7", UNREAD[name], ""):
        options_from_configuration(HadoopConfiguration({name: value, f"x{name}": "x"}))
    [said] = caplog.messages
    assert said == f"{name} is 'Zq7', which is not read and changes what Java's client does"


@pytest.mark.parametrize(
    ("provider", "warned"),
    [
        ("ha.ConfiguredFailoverProxyProvider", False),
        ("ha.ObserverReadProxyProvider", False),
        ("ha.RequestHedgingProxyProvider", True),
        ("ha.ObserverReadProxyProviderWithIPFailover", True),
        ("org.example.Own", True),
    ],
)
def test_a_failover_provider_that_means_nothing_here_is_warned_of(provider, warned, caplog):
    _warn.cache_clear()
    name = "dfs.client.failover.proxy.provider.ns"
    options_from_configuration(HadoopConfiguration({name: provider}))
    assert bool(caplog.messages) is warned
    assert all(message.startswith(f"{name} is ") for message in caplog.messages)


def test_a_new_file_has_the_replicas_and_blocks_of_the_configuration():
    made = {"fs": status("", "IS_FILE", file_id=7)}

    def answer(method, _request):
        return made if method == "create" else {"result": True}

    settings = HadoopConfiguration({"dfs.replication": "2", "dfs.blocksize": "1m"})
    with scripted(answer) as namenode:
        url = f"hdfs://127.0.0.1:{namenode.port}"
        with NameNode.from_configuration(url, settings, user="x") as client:
            client.create("/a")
            client.create("/b", replication=1, block_size=4096)
        made_as = [(one["replication"], one["block_size"]) for one in namenode.called("create")]
    assert made_as == [(2, 1 << 20), (1, 4096)]


DEFAULTS = {
    "block_size": 1 << 27,
    "bytes_per_checksum": 512,
    "write_packet_size": 1 << 16,
    "replication": 3,
    "file_buffer_size": 4096,
}


# Trash.moveToAppropriateTrash: the NameNode's interval, if it is not zero, is used instead.
@pytest.mark.parametrize(
    ("server", "client", "keeps"),
    [(60, "0", True), (0, "0.5f", True), (0, "0", False), (0, None, False), (0, "-1", False)],
)
def test_the_trash_of_the_client_counts_where_the_namenode_keeps_none(server, client, keeps):
    settings = HadoopConfiguration({"fs.trash.interval": client} if client else {})

    def answer(_method, _request):
        return {"server_defaults": DEFAULTS | {"trash_interval": server}}

    with scripted(answer) as namenode, NameNode(Tcp("127.0.0.1", namenode.port)) as client:
        assert keeps_trash(client, settings) is keeps


@pytest.mark.parametrize("value", ["x", "1_0", "NaN", "Infinity", "0x10", ""])
def test_an_interval_of_the_trash_is_a_number(value):
    with pytest.raises(
        ConfigError, match=r"fs\.trash\.interval is .*: expected a number of minutes"
    ):
        HadoopConfiguration({"fs.trash.interval": value}).minutes("fs.trash.interval", 0)


DOCUMENTS = Path(__file__).parents[2] / "docs"
NAME = re.compile(r"`((?:dfs|fs|hadoop|ipc|rpc|yarn)\.[a-zA-Z][\w.-]*(?:<[\w ]+>|\*)?)`")
"""A setting of Hadoop as the guides write it; `*` and `<name service>` stand for any end."""
NOT_SETTINGS = ("yarn.call", "yarn.close", "rpc.connect", "rpc.serve")
OTHERS = frozenset({
    "dfs.client.failover.proxy.provider", "dfs.umaskmode", "dfs.federation.nameservices",
    "fs.default.name", "fs.trash.interval", "rpc.engine.x",
})  # fmt: skip
"""Former names, which stand for others, and names whose ends vary: other tests here have them."""


@pytest.mark.parametrize("guide", ["hdfs.md", "hadoop-security.md", "yarn.md", "features.md"])
def test_each_setting_of_the_guides_is_read_warned_of_or_without_meaning(guide):
    known = (
        {setting.name for setting in READ} | set(READ_ELSEWHERE) | set(UNREAD) | set(MEANINGLESS)
    )
    known |= OTHERS
    named = set(NAME.findall((DOCUMENTS / guide).read_text())) - set(NOT_SETTINGS)
    for name in named:
        start = re.sub(r"(<.*>|\*)$", "", name)
        assert any(
            each == name or (start != name and each.startswith(start.rstrip("."))) for each in known
        ), name


def test_each_setting_of_the_docstring_is_read():
    text = options_from_configuration.__doc__ or ""
    names = {name.removesuffix("*") for name in NAME.findall(text)}
    read = {setting.name for setting in READ} | set(READ_ELSEWHERE) | OTHERS
    assert len(names) > 15
    assert {name for name in names if not any(each.startswith(name) for each in read)} == set()
