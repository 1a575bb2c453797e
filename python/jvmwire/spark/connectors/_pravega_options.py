"""Options of the format `pravega`, with checks."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
from pyspark.sql.datasource import InputPartition

from jvmwire._escaping import hide_password, quote
from jvmwire.errors import ConfigError
from jvmwire.pravega import SegmentStoreOptions
from jvmwire.spark._option_parser import OF_SINKS, SourceOptions
from jvmwire.transports import Tcp, Tls

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from jvmwire.pravega.streams import Controllers, StreamOptions

EVENT = "event"
ROUTING_KEY = "routing_key"
Offsets = dict[str, int]
"""Offset of the next unread event by name of segment."""
LEASE = 90
"""Default seconds that a task's events wait for the job's commit, as Java's default lease."""
_SEGMENT_OPTIONS = ("store", "segment", "token")
_OF_A_STREAM = ("controller", "stream", "user", "password", "lease")
_COMMON_OPTIONS = ("ca_file", "start")
_OF_WRITES = {"lease": "option lease is for a write to a stream: a read holds nothing open"}
_OF_QUERIES = {"start": "option start is for readStream: a read is of all, a write appends"}


@dataclass(frozen=True)
class SegmentRange(InputPartition):
    """The events of a segment between two offsets, for one task."""

    segment: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class EventOptions:
    """The segment of a store, or the stream of a controller, and the parameters of access."""

    server: Tcp | Controllers
    """The segment store, or the controllers of the cluster."""
    name: str
    """Name of the segment, or `scope/stream`."""
    is_stream: bool
    token: str = field(repr=False)
    user: str
    password: str = field(repr=False)
    lease: int
    start: str
    """Start position of a query: `head` or `tail`."""

    @classmethod
    def of_read(cls, options: Mapping[str, str]) -> EventOptions:
        """Check the options of a read; unknown names and values are refused.

        Raises:
            ConfigError: an option is unknown, missing or invalid.
        """
        return cls._of(options, refused=_OF_WRITES | _OF_QUERIES)

    @classmethod
    def of_query(cls, options: Mapping[str, str]) -> EventOptions:
        """Check the options of a streaming read; raises as `of_read` does."""
        return cls._of(options, refused=_OF_WRITES)

    @classmethod
    def of_write(cls, options: Mapping[str, str]) -> EventOptions:
        """Check the options of a write; raises as `of_read` does."""
        return cls._of(options, refused=_OF_QUERIES, besides=OF_SINKS)

    @classmethod
    def _of(
        cls,
        options: Mapping[str, str],
        *,
        refused: Mapping[str, str],
        besides: Collection[str] = (),
    ) -> EventOptions:
        known = {*_SEGMENT_OPTIONS, *_OF_A_STREAM, *_COMMON_OPTIONS, *besides}
        given = SourceOptions("pravega", options, known)
        for name, reason in refused.items():
            if name in given:
                raise ConfigError(reason)
        is_stream = "controller" in given or "stream" in given
        what, others = ("stream", _SEGMENT_OPTIONS) if is_stream else ("segment", _OF_A_STREAM)
        for name in others:
            if name in given:
                raise ConfigError(
                    f"option {name} is not of a {what}: format pravega takes store and segment, "
                    f"or controller and stream"
                )
        address = "controller" if is_stream else "store"
        endpoints = _server(
            address, given.required(address, "10.0.0.7:9090"), given.text("ca_file")
        )
        name = given.required(what, "shop/orders" if is_stream else "shop/orders/0.#epoch.0")
        if is_stream and (name.count("/") != 1 or name.startswith("/") or name.endswith("/")):
            raise ConfigError(f"{name!r} is not the name of a stream: expected scope/stream")
        return cls(
            server=endpoints,
            name=name,
            is_stream=is_stream,
            token=given.text("token") or "",
            user=given.text("user") or "",
            password=given.text("password") or "",
            lease=given.integer("lease", LEASE, minimum=1, unit="seconds"),
            start=given.one_of("start", ("head", "tail")) or "head",
        )

    @property
    def store(self) -> Tcp:
        """The endpoint of the segment store."""
        assert isinstance(self.server, Tcp)  # noqa: S101 # the options are those of a segment
        return self.server

    def store_options(self) -> SegmentStoreOptions:
        """Return the options of a segment store client."""
        return SegmentStoreOptions(delegation_token=self.token)

    def of_streams(self) -> StreamOptions:
        """Return the options of a controller client."""
        # Imported here: a segment does not need the extra with gRPC.
        from jvmwire.pravega.streams import StreamOptions

        return StreamOptions(user=self.user, password=self.password)


def _server(option: str, text: str, ca_file: str | None) -> Tcp | Controllers:
    scheme, separator, rest = text.rpartition("://")
    if scheme in {"tcp", "pravega"} and ca_file is not None:
        raise ConfigError(f"option ca_file is for TLS, and option {option} says {scheme}")
    expected = "host:port, or tls://host:port"
    if option == "controller":
        expected += ", several with commas between, or pravega://"
    elif separator and scheme not in {"tcp", "tls"}:
        raise ConfigError(f"option {option} is {expected}, not {quote(hide_password(text))}")
    tls = None if ca_file is None else Tls(ca_file=Path(ca_file))
    try:
        if option == "store":
            return Tcp.parse(rest, tls=tls or (Tls() if scheme == "tls" else None))
        # Imported here: a segment does not need the extra with gRPC.
        from jvmwire.pravega.streams import Controllers

        return Controllers.parse(text, tls=tls)
    except ConfigError as error:
        raise ConfigError(f"option {option} is {expected}: {error}") from error


def events_of(batch: pa.RecordBatch) -> pa.Array[Any]:
    """Return the column `event` as binary.

    Raises:
        ValueError: an event is null.
    """
    events = batch.column(EVENT)
    if events.null_count:
        raise ValueError(f"column event has {events.null_count} nulls: an event is bytes or a text")
    return events.cast(pa.binary())
