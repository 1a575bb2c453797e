"""Pravega's peers: a segment store in memory, and the classes that read and write its commands."""

import json
import struct
import time
import xml.etree.ElementTree as ET
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from cryptography.hazmat.primitives import serialization

from jvmwire.errors import JvmWireError
from jvmwire.pravega import SegmentStore
from jvmwire.pravega.errors import NoSuchSegment
from jvmwire.pravega.streams import StreamClient, StreamOptions
from jvmwire.transports import Tcp, Tls

from .jvm import PEERS, Program, free_port
from .namespace import Doors
from .peer import Peer

if TYPE_CHECKING:
    from kit.certificates import Authority

PACKAGE = "jvmwire.peers.pravega"
RECOVERY_TIMEOUT = 120.0
ORACLE_TIMEOUT = 60.0
CLIENT_TIMEOUT = 110.0
GZIP = "H4sI"
"""First characters of the base64 of gzip: logs go to stdout too."""
CERTIFICATE = b"-----BEGIN CERTIFICATE-----"
STORE_PASSWORD = "1111_aaaa"  # noqa: S105 - parts of a standalone Pravega know no other
QUIET = {"logback.statusListenerClass": "ch.qos.logback.core.status.NopStatusListener"}
"""Keeps logback from printing on standard output, where replies are, that it found two settings."""
LOCAL = {
    f"pravegaservice.service.{which}.host.nameOrIp": "127.0.0.1"
    for which in ("listener", "published")
}
"""The address on which the segment store listens, and the one that it publishes."""
SOON = {"controller.watermarking.frequency.seconds": "1"}
"""Has the controller compute watermarks each second, not every 10."""
CACHE_BYTES = 128 << 20
"""Default cache of a standalone store: `InProcPravegaCluster`. It holds all data that is not in the
storage yet; appends wait while it is full.
"""


def pravega_version() -> str:
    """Return the Pravega version of the peers, from their pom."""
    pom = ET.parse(PEERS / "pravega" / "pom.xml")  # noqa: S314 - our own file
    version = pom.findtext(".//{*}pravega.version")
    assert version is not None
    return version


class SegmentStorePeer(Peer):
    """A segment store that keeps all data in memory."""

    def __init__(self, directory: Path, *, heap: str = "1g") -> None:
        arguments = (str(free_port()),)
        super().__init__(
            Program(
                module="pravega",
                main=f"{PACKAGE}.SegmentStore",
                arguments=arguments,
                directory=directory,
                properties=QUIET,
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
        """Endpoint of the segment store."""
        return Tcp("127.0.0.1", self.port)

    def _await_recovery(self) -> None:
        """Wait for the container: the store reports that it is ready before its container is."""
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


@dataclass(frozen=True)
class Security:
    """TLS certificates of a standalone Pravega, and the user that it accepts."""

    authority: "Authority"
    user: str = "admin"
    password: str = field(default="no 1 knows", repr=False)

    def arguments(self, folder: Path) -> tuple[str, ...]:
        """Write the files that the peer needs into `folder`; return the peer's arguments."""
        folder.mkdir()
        issued = self.authority.issue("localhost", "127.0.0.1").read_bytes()
        key = serialization.load_pem_private_key(issued, None)
        plain = key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
        (folder / "key.pem").write_bytes(plain)
        chain = issued[issued.index(CERTIFICATE) :]
        (folder / "cert.pem").write_bytes(chain + self.authority.file.read_bytes())
        (folder / "password").write_text(STORE_PASSWORD)
        self.authority.key_store(STORE_PASSWORD).rename(folder / "keys.p12")
        self.authority.trust_store(STORE_PASSWORD).rename(folder / "trust.p12")
        return str(folder), self.user, self.password


class StandalonePeer(Peer):
    """A controller, a segment store and Pravega's own client, in a separate network namespace."""

    def __init__(
        self,
        directory: Path,
        *,
        heap: str = "1g",
        heap_at_once: bool = False,
        cache_bytes: int = CACHE_BYTES,
        security: Security | None = None,
    ) -> None:
        self._security = security
        secrets = security.arguments(directory / "secrets") if security else ()
        self._doors = Doors(4)
        controller, store, *self._others = self._doors.ports
        self.store = Tcp("127.0.0.1", store)
        """Endpoint of the segment store."""
        super().__init__(
            Program(
                module="pravega",
                main=f"{PACKAGE}.Standalone",
                arguments=(str(controller), str(store), str(free_port()), *secrets),
                directory=directory,
                properties=LOCAL
                | QUIET
                | SOON
                | {"pravegaservice.cache.size.max": str(cache_bytes)},
                heap=heap,
                heap_at_once=heap_at_once,
                launcher=self._doors.launcher(),
                inherited=self._doors.descriptors,
            )
        )

    def __enter__(self) -> Self:
        super().__enter__()
        self._doors.close()
        try:
            self._await_controller()
        except BaseException:
            self.close()
            raise
        return self

    def _await_controller(self) -> None:
        """Wait for the controller and the store: the peer reports that it is ready before they
        are.
        """
        deadline = time.monotonic() + RECOVERY_TIMEOUT
        with StreamClient(self.controller, self.options(timeout=RECOVERY_TIMEOUT)) as client:
            while True:
                try:
                    client.create_scope("kit")
                    client.create_stream("kit/ready")
                    client.tail("kit/ready")
                except JvmWireError:
                    if time.monotonic() > deadline:
                        raise
                    time.sleep(0.2)
                else:
                    return

    @property
    def controller(self) -> Tcp:
        """Endpoint of the controller."""
        return Tcp("127.0.0.1", self.port, tls=self.tls)

    @contextmanager
    def other_controllers(self) -> Iterator[list[Tcp]]:
        """Run two other controllers of the cluster, each in a process that is killed at the end."""
        running = list(self._others)
        try:
            for port in self._others:
                self.ask(f"other-start {port}", start="started", timeout=RECOVERY_TIMEOUT)
            yield [Tcp("127.0.0.1", port) for port in self._others]
        finally:
            for port in running:
                self.kill_controller(port)

    def kill_controller(self, port: int) -> None:
        """Kill one of `other_controllers`, if it was not killed before."""
        self.ask(f"other-kill {port}", start="killed", timeout=CLIENT_TIMEOUT)

    @property
    def tls(self) -> Tls | None:
        """TLS settings of its clients."""
        return Tls(ca_file=self._security.authority.file) if self._security else None

    def options(self, **told: Any) -> StreamOptions:
        """Return options with credentials that the server accepts."""
        if self._security:
            told = {"user": self._security.user, "password": self._security.password} | told
        return StreamOptions(**told)

    def let_tokens_live(self, seconds: int) -> None:
        """Have the controller issue tokens of this lifetime."""
        self.ask(f"token-life {seconds}", start="set", timeout=CLIENT_TIMEOUT)

    def collect_garbage(self) -> None:
        """Have its JVM collect garbage."""
        self.ask("collect", start="collected", timeout=CLIENT_TIMEOUT)

    def positions(self, keys: Sequence[str]) -> list[float]:
        """Have Java hash routing keys."""
        bits = self._tell("positions", [json.dumps(key) for key in keys])
        return [struct.unpack(">d", struct.pack(">q", int(line)))[0] for line in bits]

    def write(self, stream: str, events: Sequence[tuple[str, bytes]]) -> None:
        """Have Java write events, each by its routing key."""
        lines = [f"{json.dumps(key)}\t{event.hex()}" for key, event in events]
        self._tell(f"write {stream}", lines)

    def note_time(
        self, stream: str, writer: str, events: Sequence[tuple[str, bytes]], time: int
    ) -> None:
        """Have a writer of Java, which stays open, write events and note a time after them."""
        lines = [f"{json.dumps(key)}\t{event.hex()}" for key, event in events]
        self._tell(f"note-time {stream} {writer} {time}", lines)

    def read(self, stream: str) -> list[bytes]:
        """Have Java read all events of a stream; those of a key are in order."""
        return [bytes.fromhex(line) for line in self._tell(f"read {stream}", [])]

    def write_bytes(self, stream: str, pieces: Sequence[bytes]) -> None:
        """Have Java write bytes to a byte stream."""
        self._tell(f"write-bytes {stream}", [piece.hex() for piece in pieces])

    def read_bytes(self, stream: str) -> bytes:
        """Have Java read a sealed byte stream to its end."""
        return bytes.fromhex("".join(self._tell(f"read-bytes {stream}", [])))

    def cut(self, stream: str) -> str:
        """Return the text of the stream cut after a stream's last event."""
        return self.ask(f"cut {stream}", start=GZIP, timeout=CLIENT_TIMEOUT)

    def positions_of(self, cut: str) -> dict[int, int]:
        """Return the offsets in a stream cut, by segment id."""
        told = json.loads(self.ask(f"positions-of {cut}", start="{", timeout=CLIENT_TIMEOUT))
        return {int(segment): offset for segment, offset in told.items()}

    def append_if(self, stream: str, entry: bytes, revision: int) -> int | None:
        """Have Java append an entry at a revision; return the revision after it, or None."""
        asked = f"append-if {stream} {revision} {entry.hex()}"
        told = self.ask(asked, start="at ", timeout=CLIENT_TIMEOUT).removeprefix("at ")
        return None if told == "none" else int(told)

    def revisions(self, stream: str) -> list[tuple[int, bytes]]:
        """Have Java read a revisioned stream: each entry, with the revision after it."""
        lines = [line.split(" ") for line in self._tell(f"revisions {stream}", [])]
        return [(int(revision), bytes.fromhex(entry)) for revision, entry in lines]

    def letters(self, stream: str, what: str) -> str:
        """Have Java change the letters of a state, and return all letters."""
        told = self.ask(f"letters {stream} {what}", start="state", timeout=CLIENT_TIMEOUT)
        return told.removeprefix("state").strip()

    def group(self, what: str) -> None:
        """Have Java execute a command on a reader group or reader, in `GroupReaders` syntax."""
        self.ask(f"group-{what}", start="done", timeout=CLIENT_TIMEOUT)

    def read_group(self, reader: str, seconds: float) -> list[bytes]:
        """Have a Java reader read for a while; return its events, without ends and checkpoints."""
        lines = self._tell(f"group-read {reader} {round(seconds * 1000)}", [])
        said = ("checkpoint", "end")
        return [bytes.fromhex(line) for line in lines if not line.startswith(said)]

    def told_of_group(self, what: str, start: str) -> Any:
        """Return Java's report of a reader group."""
        return json.loads(self.ask(f"group-{what}", start=start, timeout=CLIENT_TIMEOUT))

    def _tell(self, what: str, lines: Sequence[str]) -> list[str]:
        directory = self.program.directory
        (directory / "request").write_text("".join(f"{line}\n" for line in lines), "utf-8")
        self.ask(what, start="done", timeout=CLIENT_TIMEOUT)
        reply = directory / "reply"
        return reply.read_text("utf-8").splitlines() if reply.exists() else []


class WireOracle(Peer):
    """A JVM that reads and writes bytes with Pravega's own classes."""

    def __init__(self, directory: Path) -> None:
        program = Program(
            module="pravega", main=f"{PACKAGE}.Oracle", directory=directory, properties=QUIET
        )
        super().__init__(program)

    def tell(self, frames: Sequence[bytes]) -> list[dict[str, Any]]:
        """Have Java read each frame: its name, its fields, and its bytes when written again."""
        return [json.loads(line) for line in self._ask("tell", [f.hex() for f in frames])]

    def encode(self, asked: Sequence[dict[str, Any]], *, block: int = 200) -> bytes:
        """Have a client's channel write appends, in blocks of that size, and other commands."""
        lines = [json.dumps(it) for it in asked]
        return bytes.fromhex("".join(self._ask(f"encode {block}", lines)))

    def decode(self, wire: bytes) -> list[dict[str, Any]]:
        """Have a server's channel read the bytes that a client wrote; return its appends."""
        return [json.loads(line) for line in self._ask("decode", [wire.hex()])]

    def _ask(self, what: str, lines: Sequence[str]) -> list[str]:
        directory = self.program.directory
        (directory / "request").write_text("".join(f"{line}\n" for line in lines), "utf-8")
        self.ask(what, start="answered", timeout=ORACLE_TIMEOUT)
        return (directory / "reply").read_text("utf-8").splitlines()
