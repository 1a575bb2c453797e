"""Hadoop's peers: a NameNode, a Writable-engine server, a secure NameNode, and their clients."""

import json
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from .jvm import PEERS, Program, free_port
from .peer import Peer

PACKAGE = "jvmwire.peers.hadoop"
# The superuser, who starts the NameNode: the user `hdfs`, in every recording.
SUPERUSER = "hdfs"
GROUPS = (
    "hdfs=supergroup;alice=analysts,engineers;bob=engineers;carol=engineers;"
    "dave=engineers;erin=;frank=engineers"
)

SCENARIO_TIMEOUT = 180.0
CLIENT_TIMEOUT = 60.0


def hadoop_version() -> str:
    """Return the Hadoop version of the peers, from their pom."""
    pom = ET.parse(PEERS / "hadoop" / "pom.xml")  # noqa: S314 - our own file
    version = pom.findtext(".//{*}hadoop.version")
    assert version is not None
    return version


MODULES = ("hadoop", "hadoop-3.4")
"""Class paths of current versions; 2.0 and 2.1 have a server or two of the Writable engine."""


def program(main: str, *arguments: str, directory: Path, module: str = "hadoop") -> Program:
    """Return a class of a module as a program that runs as the superuser."""
    return Program(
        module=module,
        main=f"{PACKAGE}.{main}",
        arguments=arguments,
        directory=directory,
        environment={"HADOOP_USER_NAME": SUPERUSER},
    )


class MiniDfs(Peer):
    """A NameNode with one DataNode, which connects to it on a separate port."""

    def __init__(
        self,
        directory: Path,
        *,
        settings: Mapping[str, str] | None = None,
        module: str = "hadoop",
    ) -> None:
        wanted = {
            "dfs.namenode.servicerpc-address": f"127.0.0.1:{free_port()}",
            "hadoop.user.group.static.mapping.overrides": GROUPS,
            # Block recovery comes with a heartbeat: without this a truncate would wait for three
            # seconds.
            "dfs.heartbeat.interval": "1",
        } | dict(settings or {})
        arguments = (f"{name}={value}" for name, value in wanted.items())
        super().__init__(
            program("MiniDfs", "0", "1", *arguments, directory=directory, module=module)
        )

    @property
    def url(self) -> str:
        """URL of the file system."""
        return f"hdfs://127.0.0.1:{self.port}"

    @property
    def web_port(self) -> int:
        """Port of the web pages."""
        return int(self.facts["web"])

    def metrics(self) -> dict[str, dict[str, float]]:
        """Return the NameNode's own metrics of the calls on its client port."""
        answer: dict[str, dict[str, float]] = json.loads(self.ask("metrics"))
        return answer


class LoneNameNode(Peer):
    """A NameNode at `port` without DataNodes, which continues from the state in `directory`."""

    def __init__(self, directory: Path, port: int) -> None:
        super().__init__(program("LoneNameNode", str(port), str(directory), directory=directory))

    def kill(self) -> None:
        """Kill the process as a power cut would, and wait until it has ended."""
        self._process.kill()
        self._process.wait()


class SharedDfs(Peer):
    """NameNodes of one HA service; the first one is active in the beginning."""

    def __init__(self, directory: Path, count: int, settings: Mapping[str, str]) -> None:
        given = (f"{name}={value}" for name, value in settings.items())
        super().__init__(program("SharedDfs", str(count), *given, directory=directory))

    @property
    def ports(self) -> list[int]:
        """Ports of all NameNodes, in order."""
        others = (self.facts[name] for name in ("standby", "observer") if name in self.facts)
        return [self.port, *map(int, others)]


class PairedDfs(SharedDfs):
    """HA service of two NameNodes."""

    def __init__(self, directory: Path) -> None:
        settings = {
            # Without DataNodes only the journal is waited for.
            "dfs.ha.tail-edits.period": "1",
            "hadoop.proxyuser.hdfs.hosts": "*",
            "hadoop.proxyuser.hdfs.groups": "*",
            # Issue tokens on request, although none is required.
            "dfs.namenode.delegation.token.always-use": "true",
        }
        super().__init__(directory, 2, settings)


class ObservedDfs(SharedDfs):
    """HA service of three NameNodes: active, standby, observer."""

    def __init__(self, directory: Path) -> None:
        settings = {
            "dfs.ha.tail-edits.period": "100ms",
            "dfs.ha.tail-edits.in-progress": "true",
            "dfs.namenode.state.context.enabled": "true",
        }
        super().__init__(directory, 3, settings)

    def answered(self, index: int) -> dict[str, int]:
        """Return the number of calls of each method of a NameNode."""
        detailed = json.loads(self.ask(f"metrics{index}"))["detailed"]
        return {
            name.removesuffix("NumOps"): number
            for name, number in detailed.items()
            if name.endswith("NumOps") and number
        }


class WritablePeer(Peer):
    """Server of the Writable engine with the seed's `ping`, and `test.Echo` with all its types."""

    def __init__(
        self,
        directory: Path,
        *,
        settings: Mapping[str, str] | None = None,
        module: str = "hadoop",
    ) -> None:
        given = (f"{name}={value}" for name, value in (settings or {}).items())
        super().__init__(
            program("WPing", "server", "0", *given, directory=directory, module=module)
        )


class SecureDfs(Peer):
    """A NameNode with Kerberos, and its key distribution centre."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory / "realm"
        self.directory.mkdir(parents=True)
        settings = ("hadoop.proxyuser.alice.hosts=*", "hadoop.proxyuser.alice.users=bob")
        arguments = ("0", str(self.directory), *settings)
        super().__init__(program("SecureDfs", *arguments, directory=directory))

    @property
    def realm(self) -> str:
        """The Kerberos realm."""
        return self.facts["realm"]

    @property
    def token(self) -> str:
        """A delegation token of alice, in Hadoop's URL form."""
        return (self.directory / "token").read_text()

    @property
    def keytab(self) -> Path:
        """The keys of alice, and of the server."""
        return self.directory / "keytab"

    @property
    def krb5_conf(self) -> Path:
        """Path for `KRB5_CONFIG` by which its key distribution centre is found."""
        return self.directory / "krb5.conf"


def run_scenario(port: int, directory: Path) -> "list[LoggedCall]":
    """Run NameNodeScenario against a NameNode and return the calls that it logged."""
    log = directory / "rpc.log"
    program("NameNodeScenario", str(port), str(log), directory=directory).run(SCENARIO_TIMEOUT)
    return logged_calls(log)


def run_native_client(port: int, log: Path) -> None:
    """Run native_client.py against a NameNode, in a separate process and as a given user."""
    kit = Path(__file__).parent
    subprocess.run(
        [sys.executable, "-m", f"{kit.name}.native_client", f"hdfs://127.0.0.1:{port}", str(log)],
        cwd=kit.parent,
        env=os.environ | {"HADOOP_USER_NAME": "frank"},
        timeout=CLIENT_TIMEOUT,
        check=True,
    )


def run_writable_client(
    kind: str, port: int, directory: Path, *, module: str = "hadoop"
) -> list[str]:
    """Run WPing as `client` or `seed` against a Writable peer and return the lines it printed."""
    ping = program("WPing", kind, str(port), directory=directory, module=module)
    return ping.run(CLIENT_TIMEOUT).splitlines()


def run_secure_client(
    peer: SecureDfs, port: int, how: str, quality: str, directory: Path
) -> "list[LoggedCall]":
    """Run SecureClient by `kerberos` or `token`, with a value of hadoop.rpc.protection."""
    log = directory / "rpc.log"
    arguments = (str(port), how, quality, peer.realm, str(peer.directory), str(log))
    program("SecureClient", *arguments, directory=directory).run(CLIENT_TIMEOUT)
    return logged_calls(log)


@dataclass(frozen=True, slots=True, kw_only=True)
class LoggedCall:
    """A call on the wire, as Hadoop's Java client logged it."""

    call_id: int
    retry: int
    user: str
    protocol: str
    method: str
    # Microseconds since 1970, from a clock of milliseconds.
    sent: int
    thread: str | None
    took_ms: int | None
    error: str | None


def logged_calls(path: Path) -> list[LoggedCall]:
    """Read the log of RpcLog.java; its order is that of the wire, per connection."""
    lines = path.read_text().splitlines()
    outcomes: dict[tuple[int, int], re.Match[str]] = {}
    for line in lines:
        if outcome := OUTCOME.match(line):
            outcomes[int(outcome["call"]), int(outcome["retry"])] = outcome
    calls: list[LoggedCall] = []
    sendings: Counter[int] = Counter()
    for line in lines:
        if (sending := SENDING.match(line)) is None:
            continue
        call = int(sending["call"])
        retry = sendings[call]
        sendings[call] += 1
        outcome = outcomes.get((call, retry))
        calls.append(
            LoggedCall(
                call_id=call,
                retry=retry,
                user=sending["user"],
                protocol=sending["protocol"],
                method=sending["method"],
                sent=_microseconds(sending["time"]),
                thread=outcome and outcome["thread"],
                took_ms=int(outcome["took"]) if outcome and outcome["took"] else None,
                error=outcome and outcome["error"],
            )
        )
    return calls


SENDING = re.compile(
    r"(?P<time>\S+) \[.*\] \S+ Client: IPC Client .* from (?P<user>.+)"
    r" sending #(?P<call>\d+) (?P<protocol>\S+)\.(?P<method>\w+)$"
)
OUTCOME = re.compile(
    r"\S+ \[(?P<thread>.*)\] #(?P<call>\d+)/(?P<retry>\d+) ProtobufRpcEngine2:"
    r" (?:Call: \w+ took (?P<took>\d+)ms"
    r"|\d+: Exception <- \S+ \w+ \{(?:[\w.]+\.RemoteException\()?(?P<error>[\w.$]+).*)"
)


def _microseconds(time: str) -> int:
    at = datetime.fromisoformat(time).replace(tzinfo=UTC)
    return (at - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(microseconds=1)
