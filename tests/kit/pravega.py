"""Pravega's peers: a segment store in memory, and the classes that read and write its commands."""

import json
import time
import xml.etree.ElementTree as ET
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Self

from jvmwire.errors import JvmWireError
from jvmwire.pravega import NoSuchSegment, SegmentStore
from jvmwire.transports import Tcp

from .jvm import PEERS, Peer, Program, free_port

PACKAGE = "jvmwire.peers.pravega"
RECOVERY_TIMEOUT = 60.0
ORACLE_TIMEOUT = 60.0


def pravega_version() -> str:
    """Return the version of Pravega that the peers are of, as their pom says."""
    pom = ET.parse(PEERS / "pravega" / "pom.xml")  # noqa: S314 - our own file
    version = pom.findtext(".//{*}pravega.version")
    assert version is not None
    return version


class SegmentStorePeer(Peer):
    """A segment store that keeps all in memory."""

    def __init__(self, directory: Path, *, heap: str = "1g") -> None:
        arguments = (str(free_port()),)
        super().__init__(
            Program(
                module="pravega",
                main=f"{PACKAGE}.SegmentStore",
                arguments=arguments,
                directory=directory,
                heap=heap,
            )
        )

    def __enter__(self) -> Self:
        super().__enter__()
        try:
            self._await_recovery()
        except BaseException:
            self.close()
            raise
        return self

    @property
    def endpoint(self) -> Tcp:
        """Where to connect."""
        return Tcp("127.0.0.1", self.port)

    def _await_recovery(self) -> None:
        """It says that it is ready before its container is."""
        deadline = time.monotonic() + RECOVERY_TIMEOUT
        with SegmentStore(self.endpoint) as store:
            while True:
                try:
                    store.within(20.0).get_segment_info("kit/ready/0")
                except NoSuchSegment:
                    return
                except JvmWireError:
                    if time.monotonic() > deadline:
                        raise
                    time.sleep(0.1)


class WireOracle(Peer):
    """A JVM that says what Pravega's own classes make of bytes."""

    def __init__(self, directory: Path) -> None:
        super().__init__(Program(module="pravega", main=f"{PACKAGE}.Oracle", directory=directory))

    def tell(self, frames: Sequence[bytes]) -> list[dict[str, Any]]:
        """Have each frame read: its name, its fields, and its bytes when written again."""
        return [json.loads(line) for line in self._ask("tell", [f.hex() for f in frames])]

    def encode(self, asked: Sequence[dict[str, Any]]) -> bytes:
        """Have a client's channel write appends and other commands."""
        return bytes.fromhex("".join(self._ask("encode", [json.dumps(it) for it in asked])))

    def decode(self, wire: bytes) -> list[dict[str, Any]]:
        """Have a server's channel read what a client wrote; gives its appends."""
        return [json.loads(line) for line in self._ask("decode", [wire.hex()])]

    def _ask(self, what: str, lines: Sequence[str]) -> list[str]:
        directory = self.program.directory
        (directory / "request").write_text("".join(f"{line}\n" for line in lines), "utf-8")
        self.ask(what, timeout=ORACLE_TIMEOUT)
        return (directory / "reply").read_text("utf-8").splitlines()
