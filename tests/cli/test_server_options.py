"""Options of commands that call servers: the same names and meanings for every system."""

from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

from jvmwire._cli import cli
from kit.hadoop_scripted import scripted, status
from kit.wrong_arguments import commands

SYSTEMS = ("hadoop", "hazelcast", "pravega")
NOBODY = "127.1.2.3"
"""A host on which no server listens."""
WITHOUT_USERS = {"hazelcast"}
"""Systems that know groups only."""
WITHOUT_FILES = {"pravega"}
"""Systems whose clients have no configuration file."""
ALONE = {"hadoop replay"}
"""Commands that send bytes as they are: nobody's, and by no configuration."""
NO_RETRIES = "<property><name>ipc.client.connect.max.retries</name><value>0</value></property>"


SERVERS = {"hadoop serve", "hazelcast serve", "pravega serve"}
"""Commands that serve, and call nobody."""


def calling() -> Iterator[tuple[str, click.Command]]:
    for name, command in commands(cli):
        if name.split()[0] in SYSTEMS and name not in SERVERS:
            yield name, command


def run(line: list[str], **environment: str) -> Result:
    return CliRunner().invoke(cli, line, env=environment, standalone_mode=False)


def unset(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HADOOP_CONF_DIR", "HADOOP_HOME", "HADOOP_USER_NAME"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize("name", [name for name, _ in calling()])
def test_every_command_has_the_same_options_and_variables(name: str) -> None:
    command = dict(calling())[name]
    system = name.split()[0]
    options = {
        option: parameter
        for parameter in command.params
        if isinstance(parameter, click.Option)
        for option in parameter.opts
    }
    expected = {"--server", "--timeout"}
    if name not in ALONE:
        expected |= set() if system in WITHOUT_USERS else {"--user"}
        expected |= set() if system in WITHOUT_FILES else {"--config"}
    assert expected <= options.keys()
    assert {"-a", "--address", "--to", "--json-lines"}.isdisjoint(options)
    shown = " ".join(CliRunner().invoke(cli, [*name.split(), "--help"]).output.split())
    for option in expected:
        variable = f"JVMWIRE_{system}_{option.removeprefix('--')}".upper().replace("-", "_")
        assert options[option].envvar == variable
        assert f"env var: {variable}" in shown
    assert options["--server"].metavar == "HOST[:PORT]"
    assert options["--server"].multiple == (name not in ALONE)


@pytest.mark.parametrize(
    ("line", "port"),
    [
        (["hadoop", "ping"], 8020),
        (["hadoop", "call", "getClusterMetrics", "--protocol", "ApplicationClientProtocol"], 8032),
        (["hazelcast", "ping"], 5701),
        (["pravega", "ping"], 12345),
        (["pravega", "scopes"], 9090),
    ],
    ids=lambda value: " ".join(value[:2]) if isinstance(value, list) else str(value),
)
def test_a_server_is_named_by_the_option_or_the_variable_with_a_default_port(
    line: list[str], port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    unset(monkeypatch)
    where = f"{NOBODY}:{port}"
    assert where in str(run([*line, "--server", NOBODY, "--timeout", "5"]).exception)
    variables = {
        f"JVMWIRE_{line[0].upper()}_SERVER": NOBODY,
        f"JVMWIRE_{line[0].upper()}_TIMEOUT": "5",
    }
    assert where in str(run(line, **variables).exception)
    # The option takes precedence.
    told = str(run([*line, "--server", f"{NOBODY}:1"], **variables).exception)
    assert f"{NOBODY}:1" in told
    assert where not in told


@pytest.mark.parametrize("system", SYSTEMS)
def test_more_than_one_server_may_be_named(system: str, monkeypatch: pytest.MonkeyPatch) -> None:
    unset(monkeypatch)
    line = [system, "scopes" if system == "pravega" else "ping", "--timeout", "10"]
    with scripted(lambda *_: {"fs": status()}) as namenode:
        first = f"{NOBODY}:1"
        second = f"127.0.0.1:{namenode.port}" if system == "hadoop" else f"{NOBODY}:2"
        for told in (
            run([*line, "--server", first, "--server", second]),
            run([*line, "--server", f"{first},{second}"]),
            run(line, **{f"JVMWIRE_{system.upper()}_SERVER": f"{first} {second}"}),
        ):
            if system == "hadoop":
                assert (told.exception, told.exit_code) == (None, 0)
            else:
                assert second in str(told.exception)


def test_hadoop_reads_a_directory_or_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    unset(monkeypatch)
    file = tmp_path / "core-site.xml"
    address = f"<property><name>fs.defaultFS</name><value>hdfs://{NOBODY}:1</value></property>"
    file.write_text(f"<configuration>{address}{NO_RETRIES}</configuration>")
    for config in (tmp_path, file):
        assert f"{NOBODY}:1" in str(run(["hadoop", "ping", "--config", str(config)]).exception)
        told = run(["hadoop", "ls", "/"], JVMWIRE_HADOOP_CONFIG=str(config)).exception
        assert f"{NOBODY}:1" in str(told)
        told = run(["hadoop", "ping", "--config", str(config), "--server", f"{NOBODY}:2"]).exception
        assert f"{NOBODY}:2" in str(told)


def test_a_name_service_of_the_configuration_is_a_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    unset(monkeypatch)
    settings = {
        "dfs.nameservices": "cluster",
        "dfs.ha.namenodes.cluster": "one",
        "dfs.namenode.rpc-address.cluster.one": f"{NOBODY}:1",
    }
    properties = "".join(
        f"<property><name>{name}</name><value>{value}</value></property>"
        for name, value in settings.items()
    )
    (tmp_path / "hdfs-site.xml").write_text(
        f"<configuration>{properties}{NO_RETRIES}</configuration>"
    )
    line = ["hadoop", "ping", "--config", str(tmp_path), "--server", "hdfs://cluster"]
    assert f"{NOBODY}:1" in str(run(line).exception)


def test_hazelcast_reads_the_file_of_java_s_client(tmp_path: Path) -> None:
    yaml = tmp_path / "hazelcast-client.yaml"
    yaml.write_text(
        "hazelcast-client:\n"
        "  network:\n"
        f"    cluster-members: ['{NOBODY}:1']\n"
        "    connection-attempt-limit: 1\n"
    )
    xml = tmp_path / "hazelcast-client.xml"
    xml.write_text(
        '<hazelcast-client xmlns="http://www.hazelcast.com/schema/client-config"><network>'
        f"<cluster-members><address>{NOBODY}:1</address></cluster-members>"
        "<connection-attempt-limit>1</connection-attempt-limit></network></hazelcast-client>"
    )
    for file in (yaml, xml):
        line = ["hazelcast", "ping", "--config", str(file)]
        assert f"{NOBODY}:1" in str(run(line).exception)
        told = str(run([*line, "--server", f"{NOBODY}:2"]).exception)
        assert f"{NOBODY}:2" in told
        assert f"{NOBODY}:1:" not in told
