"""The client decides as Java's client does, case by case; Java gives the expected results."""

import itertools
from base64 import b64encode
from random import Random
from threading import Event

import pytest

from jvmwire._core import encode_message
from jvmwire.errors import ConfigError, DecodeError, JvmWireError
from jvmwire.hadoop import (
    HadoopConfiguration,
    NameNode,
    find_namenodes,
    find_resource_managers,
    options_from_configuration,
)
from jvmwire.hadoop._commands import CLIENT_PROTOCOL
from jvmwire.hadoop._config_mapping import UNREAD
from jvmwire.hadoop.errors import CLASSES, InvalidPath, from_java
from jvmwire.hadoop.namenode._glob import Glob
from jvmwire.hadoop.namenode._paths import absolute
from jvmwire.hadoop.namenode._status import STATUS, FileFlags
from jvmwire.hadoop.sasl import Token
from jvmwire.hadoop.sasl._token import kinds_for, token_for
from jvmwire.transports import Tcp
from kit.hadoop_judge import ClientJudge, written_tokens
from kit.hadoop_scripted import scripted, status
from kit.hadoop_settings import (
    FILE_SYSTEMS,
    MEANINGLESS,
    PAIR,
    READ,
    READ_ELSEWHERE,
    Refused,
)
from kit.scale import seeded

YARN = "org.apache.hadoop.yarn."
HERE = "10.0.0.7:8020"
PROTOCOLS = {
    CLIENT_PROTOCOL: "org.apache.hadoop.hdfs.protocolPB.ClientNamenodeProtocolPB",
} | {
    name: name
    for name in (
        f"{YARN}api.ApplicationClientProtocolPB",
        f"{YARN}api.ApplicationHistoryProtocolPB",
        f"{YARN}api.ContainerManagementProtocolPB",
        "org.apache.hadoop.mapreduce.v2.api.HSClientProtocolPB",
        "org.apache.hadoop.mapreduce.v2.api.MRClientProtocolPB",
    )
}
"""Protocols by their names on the wire, and the interfaces that name their kinds of tokens."""
KINDS = (
    "HDFS_BLOCK_TOKEN",
    "HDFS_DELEGATION_TOKEN",
    "Localizer",
    "MR_DELEGATION_TOKEN",
    "NMToken",
    "RM_DELEGATION_TOKEN",
    "TIMELINE_DELEGATION_TOKEN",
    "WEBHDFS delegation",
    "YARN_AM_RM_TOKEN",
    "YARN_CLIENT_TOKEN",
    "kms-dt",
    "mapreduce.job",
)


@pytest.fixture(scope="module")
def judge(tmp_path_factory):
    with ClientJudge(tmp_path_factory.mktemp("judge")) as judge:
        yield judge


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_of_tokens_for_a_server_the_one_that_java_selects_is_shown(judge, protocol):
    drawn = seeded(len(protocol))
    for _ in range(20):
        given = [
            (kind, service)
            for kind, service in itertools.product(KINDS, (HERE, "10.0.0.8:8020"))
            if drawn.random() < 0.5
        ]
        drawn.shuffle(given)
        chosen = judge.says("token", protocol=PROTOCOLS[protocol], service=HERE, tokens=given)
        tokens = [
            Token(bytes([at]), b"", kind, service) for at, (kind, service) in enumerate(given)
        ]
        ours = token_for(tokens, [HERE], kinds_for(protocol))
        assert (-1 if ours is None else ours.identifier[0]) == chosen, given


@pytest.mark.parametrize("code", ["ERROR_APPLICATION", "FATAL_UNAUTHORIZED"])
def test_whom_a_refused_call_is_sent_to_again_is_what_java_says(judge, code):
    classes = {*CLASSES, "java.io.IOException", "org.apache.hadoop.ipc.RpcServerException"}
    classes.add("org.apache.hadoop.hdfs.server.federation.router.RouterSafeModeException")
    for java_class in sorted(classes):
        error = from_java((java_class, "said", code))
        ours = "FAIL" if not error.retryable else "RETRY"
        if error.failover:
            ours = "FAILOVER_AND_RETRY"
        assert ours == judge.says("retry", **{"class": java_class}), java_class


# Patterns.

ODD = [
    "}", "a}", "{}", "{,a}", "{a,}b", "[]a]", "[^]]", "[!a]", "[a-]", "[a-c]?", "a,b", "",
    "**", "***a", "{a,{b,c}d}", "[", "{a", "a\\", "[c-a]", "a]", "^", "$", "(a)", "a|b",
    "a+", ".", "\\*", "\\{a\\}",
]  # fmt: skip
LETTERS = "abc.-é🙂"


def drawn_pattern(drawn: Random, depth: int = 0) -> str:
    parts = []
    for _ in range(drawn.randrange(1, 6)):
        match drawn.randrange(8 if depth < 3 else 7):
            case 0 | 1:
                parts.append("*")
            case 2:
                parts.append("?")
            case 3:
                parts.append(drawn.choice(["[ab]", "[^ab]", "[!c]", "[a-c]", "[.-]", "[é🙂]"]))
            case 7:
                inner = (drawn_pattern(drawn, depth + 1) for _ in range(drawn.randrange(1, 4)))
                parts.append("{" + ",".join(inner) + "}")
            case _:
                parts.append(drawn.choice(LETTERS))
    return "".join(parts)


def test_patterns_match_what_they_match_in_java(judge):
    drawn = seeded(4)
    patterns = ODD + [drawn_pattern(drawn) for _ in range(300)]
    names = ["", *LETTERS, *"^$()|+*{},]", "a}", "a|b", "a,b", "{a}"]
    names += ["".join(drawn.choices(LETTERS, k=drawn.randrange(2, 9))) for _ in range(60)]
    verdicts = judge.says("globs", patterns=patterns, names=names)
    for pattern, verdict in zip(patterns, verdicts, strict=True):
        try:
            ours = [Glob(pattern).matches(name) for name in names]
        except InvalidPath:
            assert verdict is None, pattern
        else:
            assert ours == verdict, pattern


# Paths, addresses, the current user.

ODD_PATHS = [
    "/", ".", "..", "x", "../x", "/a//b", "///a", "//a", "/a:b", "a:b", "/..", "/a/../..", "/a?b#c",
    "/a%2fb", "/é/./e", "/a/.../b", "", "/.reserved/raw/../x", "/.reserved/.inodes/7/..",
    "a/../../..",
]  # fmt: skip


def test_paths_are_what_java_makes_of_them(judge):
    drawn = seeded(5)
    pieces = ["/", "/", ".", "..", "a", "é b", "...", ".x", ":"]
    paths = ODD_PATHS + [
        "".join(drawn.choices(pieces, weights=[9, 9, 4, 4, 4, 3, 2, 2, 1], k=drawn.randrange(1, 9)))
        for _ in range(400)
    ]
    theirs = judge.says("paths", user="alice", uri="hdfs://127.0.0.1:8020", paths=paths)
    for path, there in zip(paths, theirs, strict=True):
        try:
            ours = absolute(path, "/user/alice")
        except InvalidPath:
            ours = None
        assert ours == there, path


def test_the_home_directory_is_where_java_has_it(judge):
    for user in ("alice", "alice/host@EXAMPLE.COM"):
        for prefix in ("/user", "/home/", "/a/b"):
            settings = {"dfs.user.home.dir.prefix": prefix}
            [there] = judge.says(
                "paths",
                user=user,
                uri="hdfs://127.0.0.1:8020",
                paths=["x"],
                configuration=settings,
            )
            options = options_from_configuration(HadoopConfiguration(settings), user=user)
            with NameNode(Tcp("127.0.0.1", 1), options) as client:
                assert f"{client.home_directory}/x" == there


@pytest.mark.parametrize(
    "address",
    [
        "h:1", "h", "h:", "hdfs://h:1", "hdfs://h", "hdfs://h:1/x", "http://h:2", "u@h:1",
        "[::1]:1", "[::1]", "::1:8020", "a:1,b:1", "hdfs://a:1,b:1", "h:99999", "h:1/x",
        ":1", "a b:1", "h:x", "127.0.0.1:80",
    ],
)  # fmt: skip
def test_addresses_are_read_as_java_reads_them(judge, address):
    there = judge.says("address", value=address, port=8020)
    settings = {"dfs.ha.namenodes.ns": "a", "dfs.namenode.rpc-address.ns.a": address}
    try:
        [ours] = find_namenodes(HadoopConfiguration(settings), "hdfs://ns")
    except ConfigError:
        assert there is None
    else:
        host = ours.host if ours.host != "::1" else "0:0:0:0:0:0:0:1"
        assert f"{host} {ours.port}" == there


# colinmarc/hdfs 310: "lookup ${dfs.namenode.hostname.nn4}: no such host".
@pytest.mark.parametrize("host", ["${dfs.namenode.hostname.nn4}", "${unset}", "${a}", "x${a}-y"])
def test_variables_in_addresses_stand_for_what_they_stand_for_in_java(judge, host):
    settings = {
        "dfs.nameservices": "ns",
        "dfs.ha.namenodes.ns": "nn4",
        "dfs.namenode.rpc-address.ns.nn4": f"{host}:8020",
        "dfs.namenode.hostname.nn4": "${a}.example",
        "a": "host",
    }
    there = judge.says("namenodes", service="ns", configuration=settings)
    try:
        [ours] = find_namenodes(HadoopConfiguration(settings), "hdfs://ns")
    except ConfigError:
        assert there is None
    else:
        assert {"nn4": f"{ours.host} {ours.port}"} == there


NAME_SERVICES = {
    "in a pair": {"dfs.ha.namenodes.ns": "a, b", "dfs.namenode.rpc-address.ns.b": "b:2"},
    "alone": {"dfs.namenode.rpc-address.ns": "one:1"},
    "in a pair of one": {"dfs.ha.namenodes.ns": "a"},
    "twice": {"dfs.ha.namenodes.ns": "a,a"},
    "of another service": {"dfs.nameservices": "other", "dfs.ha.namenodes.ns": "a"},
}


@pytest.mark.parametrize("name", NAME_SERVICES)
def test_the_namenodes_of_a_name_service_are_those_of_java(judge, name):
    settings = {"dfs.nameservices": "ns", "dfs.namenode.rpc-address.ns.a": "a:1"}
    settings |= NAME_SERVICES[name]
    there = judge.says("namenodes", service="ns", configuration=settings)
    found = find_namenodes(HadoopConfiguration(settings), "hdfs://ns")
    if name == "of another service":  # a client may call it, whatever else it is told of
        assert (there, found) == ({}, [Tcp("a", 1)])
    else:
        assert [f"{one.host} {one.port}" for one in found] == list(there.values())


PROVIDERS = "org.apache.hadoop.hdfs.server.namenode.ha"


@pytest.mark.parametrize(
    "provider",
    [
        *(f"{PROVIDERS}.{name}" for name in ("ConfiguredFailoverProxyProvider",
          "ObserverReadProxyProvider", "RequestHedgingProxyProvider")),
        f" {PROVIDERS}.ObserverReadProxyProvider ", "", "org.example.Gone",
    ],
)  # fmt: skip
def test_observers_are_asked_if_the_provider_of_java_asks_them(judge, provider):
    settings = PAIR | {"dfs.nameservices": "ns"}
    settings["dfs.client.failover.proxy.provider.ns"] = provider
    there = judge.says("provider", configuration=settings)
    with NameNode.from_configuration(None, HadoopConfiguration(settings), user="x") as client:
        ours = client._options.observer_reads is not None
    assert ours is (there == "ObserverReadProxyProvider")


PAIR_OF_MANAGERS = {"ha.enabled": "true", "ha.rm-ids": "a,b"}


@pytest.mark.parametrize(
    "settings",
    [
        {"hostname": "rm"},
        {"address": "rm:1"},
        {"address": "rm"},
        {"address": ""},
        {"hostname": ""},
        {"address": "${yarn.resourcemanager.hostname}:77", "hostname": "q"},
        {"ha.enabled": "true"},
        {"ha.enabled": "true", "address": "z:1"},
        {"ha.enabled": "true", "ha.rm-ids": "", "address": "z:1"},
        {"ha.enabled": "true", "ha.rm-ids": "a", "address.a": "one:1"},
        {"ha.enabled": "true", "ha.rm-ids": "a", "address.a": "", "hostname.a": "h"},
        {"ha.enabled": "true", "ha.rm-ids": "a", "hostname.a": "h:9"},
        {"ha.enabled": "TRUE", "ha.rm-ids": " a , b ", "hostname.a": "h", "address.b": "two"},
        {"ha.enabled": "yes", "ha.rm-ids": "a", "address.a": "one:1", "address": "z:1"},
        {"ha.rm-ids": "a,b", "address.a": "one:1", "address.b": "two:1", "address": "z:1"},
        PAIR_OF_MANAGERS | {"address.a": "one:1", "hostname.b": "two"},
        PAIR_OF_MANAGERS | {"address": "one:1", "hostname": "h"},
        PAIR_OF_MANAGERS | {"address.a": "x:1", "address.b": "y:1", "ha.id": "b"},
        PAIR_OF_MANAGERS | {"ha.rm-ids": "b,a,b", "address.a": "x:1", "address.b": "y:1"},
    ],
)
def test_the_resource_managers_are_those_of_java(judge, settings):
    named = {f"yarn.resourcemanager.{name}": value for name, value in settings.items()}
    there = judge.says("resource managers", configuration=named)
    try:
        ours = find_resource_managers(HadoopConfiguration(named))
    except ConfigError:
        assert there is None
    else:
        assert [f"{one.host} {one.port}" for one in ours] == there


# Without either, Java uses hdfs-default.xml, which shuffles; here the order is that of the file.
@pytest.mark.parametrize(
    ("both", "own"), list(itertools.product([True, False, None], repeat=2))[:-1]
)
def test_the_order_of_a_name_service_is_random_where_it_is_in_java(judge, both, own):
    order = "dfs.client.failover.random.order"
    settings = {order: both, f"{order}.ns": own}
    given = {name: str(value).lower() for name, value in settings.items() if value is not None}
    members = {
        "dfs.ha.namenodes.ns": "a,b",
        "dfs.namenode.rpc-address.ns.a": "a:1",
        "dfs.namenode.rpc-address.ns.b": "b:1",
    }
    found = HadoopConfiguration(given | members)
    firsts = {find_namenodes(found, "hdfs://ns")[0].host for _ in range(60)}
    random = judge.says("order", uri="hdfs://ns", configuration=given)
    assert firsts == ({"a", "b"} if random else {"a"})


def test_who_is_logged_in_and_by_which_tokens_is_what_java_says(tmp_path, monkeypatch):
    tokens = [Token(bytes([at]), b"p%d" % at, f"kind {at}", f"nn{at}:8020") for at in range(5)]
    files = []
    for at, token in enumerate(tokens[:3]):
        path = tmp_path / f"file{at}"
        path.write_bytes(written_tokens(token))
        files.append(str(path))
    environment = {
        "HADOOP_USER_NAME": "hdfs",
        "HADOOP_PROXY_USER": "bob",
        "HADOOP_TOKEN_FILE_LOCATION": f"{files[0]},{tmp_path / 'gone'}, {files[1]}",
        "HADOOP_TOKEN": tokens[3].to_url(),
    }
    settings = {"hadoop.token.files": files[2], "hadoop.tokens": tokens[4].to_url()}
    with ClientJudge(tmp_path / "java", environment) as judge:
        there = judge.says("login", configuration=settings)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    ours = options_from_configuration(HadoopConfiguration(settings))
    assert ours.authentication is not None
    shown = [
        [token.kind, token.service, token.password.decode()] for token in ours.authentication.tokens
    ]
    assert there == {"user": ours.user, "real user": ours.real_user, "tokens": sorted(shown)}


of_servers = pytest.mark.parametrize(
    ("setting", "protocol"),
    [
        ("dfs.namenode.kerberos.principal", PROTOCOLS[CLIENT_PROTOCOL]),
        ("yarn.resourcemanager.principal", f"{YARN}api.ApplicationClientProtocolPB"),
    ],
)


@pytest.mark.parametrize(
    "pattern",
    ["*", "hdfs/*", "hdfs/nn1@EXAMPLE.COM", "hdfs/nn[12]@*", "{hdfs,nn}/*", "nn/*", "hdfs/nn1"],
)
@of_servers
def test_a_server_may_have_the_principals_that_java_lets_it_have(judge, setting, protocol, pattern):
    settings = {"hadoop.security.authentication": "kerberos", f"{setting}.pattern": pattern}
    there = judge.says(
        "server principal",
        protocol=protocol,
        host="nn1",
        service="hdfs",
        server="nn1",
        configuration=settings,
    )
    found = options_from_configuration(HadoopConfiguration(settings), principal=setting)
    assert found.authentication is not None
    assert found.authentication.kerberos is not None
    assert found.authentication.kerberos.server_pattern == pattern
    ours = "hdfs/nn1@EXAMPLE.COM" if Glob(pattern).matches("hdfs/nn1@EXAMPLE.COM") else None
    assert ours == there


# spotify/snakebite 167: the server's principal was always that of "hdfs".
@of_servers
@pytest.mark.parametrize(
    "principal",
    ["nn/_HOST@EXAMPLE.COM", "nn/localhost@EXAMPLE.COM", "nn/other@EXAMPLE.COM", "nn/LocalHost@E"],
)
def test_a_server_has_the_principal_that_java_expects(
    judge, setting, protocol, principal, monkeypatch
):
    monkeypatch.delenv("HADOOP_TOKEN_FILE_LOCATION", raising=False)
    settings = {"hadoop.security.authentication": "kerberos", setting: principal}
    there = judge.says(
        "server principal",
        protocol=protocol,
        host="localhost",
        service="nn",
        server="localhost",
        # As delivered, the pattern is one that any principal matches.
        configuration=settings | {f"{setting}.pattern": ""},
    )
    ours = options_from_configuration(HadoopConfiguration(settings), principal=setting)
    assert ours.authentication is not None
    assert ours.authentication.kerberos is not None
    expected = ours.authentication.kerberos.server("localhost")
    assert (expected == "nn/localhost@EXAMPLE.COM") is (there is not None)
    assert there in (expected, None)


# Settings.


@pytest.mark.parametrize("setting", READ, ids=lambda setting: setting.name)
def test_values_of_a_setting_mean_what_they_mean_in_java(judge, setting):
    for text in setting.texts:
        given = {setting.name: text, "seven": "7"}
        said = judge.says("client", configuration=given)
        try:
            theirs = None if said is None else ("is", setting.java(said))
        except Refused:
            theirs = None
        try:
            ours = ("is", setting.ours(given))
        except ConfigError:
            ours = None
        assert ours == theirs, text


@pytest.mark.parametrize("text", FILE_SYSTEMS)
def test_the_default_file_system_is_that_of_java(judge, text):
    said = judge.says("client", configuration={"fs.defaultFS": text})
    theirs = None if said is None else said["default file system"].rstrip("/")
    try:
        [server] = find_namenodes(HadoopConfiguration({"fs.defaultFS": text}))
    except ConfigError:
        ours = None
    else:
        ours = f"hdfs://{server}".removesuffix(":8020")
    assert ours == (theirs if theirs and theirs.startswith("hdfs") else None)


PREFIXES = (
    "dfs.client.failover.", "dfs.client.retry.", "dfs.ha.namenodes", "dfs.nameservices",
    "dfs.namenode.kerberos.principal", "dfs.user.home.", "fs.default", "fs.permissions.",
    "hadoop.rpc.", "hadoop.security.auth", "hadoop.security.kerberos.", "hadoop.security.sasl",
    "hadoop.socks.", "hadoop.token", "ipc.client.", "ipc.maximum.response.", "ipc.ping.",
    "rpc.engine.", "yarn.client.failover", "yarn.federation.enabled",
    "yarn.resourcemanager.address", "yarn.resourcemanager.connect", "yarn.resourcemanager.ha.",
    "yarn.resourcemanager.hostname", "yarn.resourcemanager.principal",
)  # fmt: skip
"""What the names of settings begin with that Java's clients read, for their calls."""


def test_each_setting_of_java_is_read_warned_of_or_known_to_mean_nothing_here(judge):
    delivered = judge.says("delivered", prefixes=PREFIXES)
    read = {setting.name.removesuffix(".ns") for setting in READ} | set(READ_ELSEWHERE)
    assert set(delivered) - read - set(UNREAD) - set(MEANINGLESS) == set()
    # What is warned of, if it differs from this value, is delivered with it.
    different = {
        name: (value, UNREAD[name])
        for name, value in delivered.items()
        if name in UNREAD and value != UNREAD[name]
    }
    assert different == {}


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"fs.permissions.umask-mode": "077"},
        {"fs.permissions.umask-mode": "u=rwx,g=x,o="},
        {"dfs.user.home.dir.prefix": "/home/of"},
        {"dfs.replication": "2"},
        {"dfs.blocksize": "64m"},
        {"dfs.umaskmode": "007", "dfs.block.size": "2097152"},
    ],
    ids=str,
)
def test_a_setting_changes_what_is_sent_as_in_java(judge, settings):
    def answer(method, _request):
        if method == "create":
            return {"fs": status("", "IS_FILE", file_id=7, blocksize=512, block_replication=1)}
        return {"result": True}

    def sent(namenode):
        [made], [created] = namenode.called("mkdirs"), namenode.called("create")
        names = ("src", "masked", "replication", "block_size", "create_parent")
        return made, {name: created[name] for name in names}

    with scripted(answer) as theirs, scripted(answer) as ours:
        uri = f"hdfs://127.0.0.1:{theirs.port}"
        assert judge.says("work", uri=uri, configuration=settings) is True
        url = f"hdfs://127.0.0.1:{ours.port}"
        configuration = HadoopConfiguration(settings)
        with NameNode.from_configuration(url, configuration, user="alice") as client:
            client.mkdirs("d")
            client.create("f", create_parent=True)
    assert sent(ours) == sent(theirs)


def work_is_done(url, settings):
    """Return whether jvmwire does what `judge.says("work")` does."""
    configuration = HadoopConfiguration(settings)
    try:
        with NameNode.from_configuration(url, configuration, user="alice") as client:
            client.mkdirs("d")
            client.create("f")
    except JvmWireError:
        return None
    return True


# With 0, Java does not fail over at all; here 0 is 1.
@pytest.mark.parametrize("attempts", ["1", "2", "5"])
def test_a_pair_of_standby_namenodes_is_called_as_often_as_by_java(judge, attempts):
    standby = ("org.apache.hadoop.ipc.StandbyException", "not active")
    counts = []
    for work in (
        lambda settings: judge.says("work", uri="hdfs://ns", configuration=settings),
        lambda settings: work_is_done("hdfs://ns", settings),
    ):
        with scripted(lambda *_: standby) as one, scripted(lambda *_: standby) as two:
            settings = PAIR | {
                "dfs.nameservices": "ns",
                "dfs.namenode.rpc-address.ns.a": f"127.0.0.1:{one.port}",
                "dfs.namenode.rpc-address.ns.b": f"127.0.0.1:{two.port}",
                "dfs.client.failover.proxy.provider.ns": (
                    f"{PROVIDERS}.ConfiguredFailoverProxyProvider"
                ),
                "dfs.client.failover.random.order": "false",
                "dfs.client.failover.max.attempts": attempts,
                "dfs.client.failover.sleep.base.millis": "1",
                "dfs.client.failover.sleep.max.millis": "2",
            }
            assert work(settings) is None
            counts.append((len(one.calls), len(two.calls)))
    assert counts[0] == counts[1]


@pytest.mark.parametrize(
    "settings", [{"ipc.client.rpc-timeout.ms": "200"}, {"ipc.maximum.response.length": "64"}, {}]
)
def test_what_takes_longer_than_a_setting_allows_fails_where_it_fails_in_java(judge, settings):
    # Replies are of 200 bytes, or come after more than the timeout, and less than the default.
    is_over = Event()

    def answer(method, _request):
        if "ipc.client.rpc-timeout.ms" in settings:
            is_over.wait(5.0)
        if method == "create":
            return {"fs": status("x" * 200, "IS_FILE", file_id=7, blocksize=512)}
        return {"result": True}

    with scripted(answer) as namenode:
        url = f"hdfs://127.0.0.1:{namenode.port}"
        theirs = judge.says("work", uri=url, configuration=settings)
        assert work_is_done(url, settings) == theirs == (None if settings else True)
        is_over.set()


def test_each_setting_that_is_read_elsewhere_has_its_test_here():
    assert {test for test in READ_ELSEWHERE.values() if test not in globals()} == set()


# Contents of files.

ALL = (1 << 64) - 1
STATUSES = [
    status("a", "IS_FILE", modification_time=ALL - 999, access_time=1 << 63),
    status("a", "IS_FILE", modification_time=1 << 62, access_time=(1 << 63) - 1),
    *(status("p", permission={"perm": bits}) for bits in (0o1755, 0o7777, 0x71ED, 0xFFFFFFFF)),
    *(status("p", permission={"perm": 0x1000 << bit}, flags=1) for bit in range(4)),
    *(status("f", permission={"perm": 0o755}, flags=bits) for bits in (*range(16), 0xFFFFFFFF)),
    *(status("f", permission={"perm": bits << 12 | 0o644}) for bits in range(16)),
    status(b"x\xff\xc3", "IS_FILE", owner="", group="\x1b"),
    status("d", "IS_DIR", children_num=-5),
    status("l", "IS_SYMLINK", symlink=b"\xff/x"),
    status("", "IS_FILE", length=(1 << 63) - 1, blocksize=1 << 40, file_id=(1 << 63) - 1),
]


@pytest.mark.parametrize("at", range(len(STATUSES)))
def test_a_file_is_what_java_takes_it_for(judge, at):
    data = encode_message("HdfsFileStatusProto", STATUSES[at])
    there = judge.says("status", bytes=b64encode(data).decode())
    found = STATUS.decode("/d", data)
    ours = {name: getattr(found, name) for name in there}
    ours["file_type"] = found.file_type.value
    ours["flags"] = {flag.name: flag in found.flags for flag in FileFlags}
    assert ours == there


def test_a_file_type_that_java_refuses_is_refused(judge):
    data = encode_message("HdfsFileStatusProto", status("a"))
    assert data[:2] == b"\x08\x01"
    data = b"\x08\x09" + data[2:]
    assert judge.says("status", bytes=b64encode(data).decode()) is None
    with pytest.raises(DecodeError, match="file_type"):
        STATUS.decode("/d", data)


# Files of configuration.

PROPERTY = "<property><name>{}</name><value>{}</value></property>"
XI = 'xmlns:xi="http://www.w3.org/2001/XInclude"'
FILES = {
    "one.xml": f"<configuration>{PROPERTY.format('one', '1')}</configuration>",
    "parts/two.xml": PROPERTY.format("two", "2") + "&three;",
    "parts/three.xml": PROPERTY.format("three", "${two}3"),
    "parts/all.dtd": '<!ENTITY two SYSTEM "two.xml"><!ENTITY three SYSTEM "three.xml">',
    "parts/outer.xml": f'<configuration {XI}><xi:include href="one.xml"/></configuration>',
    "parts/inner.xml": f'<configuration {XI}><xi:include href="../one.xml"/></configuration>',
}
DOCUMENTS = {
    "an entity": '<!DOCTYPE configuration [<!ENTITY a SYSTEM "parts/three.xml">]>'
    "<configuration>&a;</configuration>",
    "entities in each other": '<!DOCTYPE configuration [<!ENTITY % d SYSTEM "parts/all.dtd"> %d;]>'
    "<configuration>&two;</configuration>",
    "an external subset": '<!DOCTYPE configuration SYSTEM "parts/all.dtd">'
    "<configuration>&two;</configuration>",
    "an entity in a value": '<!DOCTYPE configuration [<!ENTITY h "host">]><configuration>'
    + PROPERTY.format("a", "&h;:1")
    + "</configuration>",
    "an unknown entity": "<configuration>&a;</configuration>",
    "a missing entity": '<!DOCTYPE configuration [<!ENTITY a SYSTEM "gone">]>'
    "<configuration>&a;</configuration>",
    "an included file": f'<configuration {XI}><xi:include href="one.xml"/></configuration>',
    "included by a URL": f'<configuration {XI}><xi:include href="file://HERE/one.xml"/></configuration>',
    "files in each other": f'<configuration {XI}><xi:include href="parts/inner.xml"/>'
    "</configuration>",
    "files in each other of one directory": f'<configuration {XI}>'
    '<xi:include href="parts/outer.xml"/></configuration>',
    "without a namespace": '<configuration><include href="one.xml"/></configuration>',
    "a fallback": f'<configuration {XI}><xi:include href="gone"><xi:fallback>'
    + PROPERTY.format("f", "1")
    + "</xi:fallback></xi:include></configuration>",
    # greenplum-db/pxf 259, spotify/snakebite 243
    "no fallback": f'<configuration {XI}><xi:include href="gone"/></configuration>',
    "no file named": f"<configuration {XI}><xi:include/></configuration>",
    "attributes": '<configuration><property name="a" value="1"/></configuration>',
    "final": "<configuration><property><name>a</name><value>1</value><final>true</final>"
    f"</property>{PROPERTY.format('a', '2')}</configuration>",
    "space": f"<configuration>{PROPERTY.format(' a ', ' 1 ')}</configuration>",
    "twice": f"<configuration>{PROPERTY.format('a', '1')}"
    f"{PROPERTY.format('a', '2')}</configuration>",
    "deprecated": f"<configuration>{PROPERTY.format('fs.default.name', 'hdfs://h')}"
    f"{PROPERTY.format('dfs.umaskmode', '027')}{PROPERTY.format('dfs.block.size', '64m')}"
    f"{PROPERTY.format('dfs.federation.nameservices', 'a,b')}</configuration>",
    "deprecated and final": "<configuration><property><name>fs.defaultFS</name><value>hdfs://h</value>"
    f"<final>true</final></property>{PROPERTY.format('fs.default.name', 'hdfs://i')}"
    "</configuration>",
}  # fmt: skip


@pytest.mark.parametrize("name", DOCUMENTS)
def test_files_have_the_settings_that_they_have_in_java(judge, name, tmp_path):
    for file, text in FILES.items():
        (tmp_path / file).parent.mkdir(exist_ok=True)
        (tmp_path / file).write_text(text)
    (tmp_path / "core-site.xml").write_text(DOCUMENTS[name].replace("HERE", str(tmp_path)))
    there = judge.says("settings", directory=str(tmp_path))
    try:
        ours = dict(HadoopConfiguration.load(tmp_path))
    except ConfigError:
        ours = None
    assert ours == there
