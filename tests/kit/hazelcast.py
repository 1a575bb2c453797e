"""Hazelcast's peers: members of three versions, alone and in clusters."""

import os
import queue
import signal
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path

from .jvm import Program, free_port
from .peer import Peer

MAIN = "jvmwire.peers.hazelcast.Member"
MODULES = {"3.12.13": "hazelcast", "3.8.9": "hazelcast-3.8", "3.6.8": "hazelcast-3.6"}
"""Module of the class path, by version of Hazelcast."""
NEWEST = "3.12.13"
HEAP = "256m"
JOIN_TIMEOUT = 60.0
CP_SETTINGS = {
    "cp.CPMemberCount": "3",
    "cp.SessionHeartbeatIntervalSeconds": "1",
    "cp.SessionTimeToLiveSeconds": "30",
}
"""Settings of three members with a CP subsystem; sessions outlive pauses of a busy machine."""


class Member(Peer):
    """A member of a cluster."""

    def __init__(
        self,
        directory: Path,
        *,
        version: str = NEWEST,
        port: int | None = None,
        ports: Sequence[int] = (),
        settings: Mapping[str, str] | None = None,
        heap: str = HEAP,
    ) -> None:
        port = port or free_port()
        all_ports = ",".join(str(one) for one in ports or (port,))
        # Few threads: tests share the machine with many members.
        wanted = {
            "hazelcast.operation.thread.count": "2",
            "hazelcast.operation.generic.thread.count": "2",
            "hazelcast.io.thread.count": "1",
            "hazelcast.client.engine.thread.count": "4",
            # Seconds after which the locks of a client that is gone are released; the default is a
            # minute.
            "hazelcast.client.endpoint.remove.delay.seconds": "2",
        } | dict(settings or {})
        told = [f"{name}={value}" for name, value in wanted.items()]
        super().__init__(
            Program(
                module=MODULES[version],
                main=MAIN,
                arguments=(str(port), all_ports, *told),
                directory=directory,
                properties={"java.net.preferIPv4Stack": "true", "hazelcast.logging.type": "jdk"},
                heap=heap,
            )
        )
        self.version = version

    @property
    def address(self) -> str:
        """Address on which the member listens."""
        return f"127.0.0.1:{self.port}"

    @property
    def uuid(self) -> str:
        """UUID of the member in the cluster."""
        return self.facts["uuid"]

    def do(self, command: str) -> str:
        """Have the member execute a command, and return its answer."""
        return self.ask(command, start="ANSWER ").removeprefix("ANSWER ")

    def kill(self) -> None:
        """Kill the process as kill -9 does."""
        self._process.kill()
        self._process.wait()

    def restart(self) -> None:
        """Restart a killed member at its port: as another member of the same cluster."""
        self.close()
        self._lines = queue.Queue()
        self.__enter__()

    def stop(self) -> None:
        """Suspend the process."""
        os.kill(self.pid, signal.SIGSTOP)

    def go_on(self) -> None:
        """Resume the suspended process."""
        os.kill(self.pid, signal.SIGCONT)


@contextmanager
def cluster(
    directory: Path,
    count: int = 3,
    *,
    version: str = NEWEST,
    settings: Mapping[str, str] | None = None,
) -> Iterator[list[Member]]:
    """Run a cluster of members that are configured with each other's addresses."""
    ports = [free_port() for _ in range(count)]
    together = {"hazelcast.initial.min.cluster.size": str(count)} | dict(settings or {})
    with ExitStack() as stack:
        members = [
            Member(
                directory / str(port), version=version, port=port, ports=ports, settings=together
            )
            for port in ports
        ]
        started = _start_all(members, stack)
        deadline = time.monotonic() + JOIN_TIMEOUT
        while any(member.do("members") != str(count) for member in started):
            assert time.monotonic() < deadline, "the members do not find each other"
            time.sleep(0.1)
        yield started


def _start_all(members: list[Member], stack: ExitStack) -> list[Member]:
    """Start members in parallel: each waits for the others."""
    with ThreadPoolExecutor(len(members)) as pool:
        return list(pool.map(stack.enter_context, members))
