"""Client of Pravega's streams, blocking and asyncio; each call is implemented once for both."""

from __future__ import annotations

import itertools
import uuid
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from jvmwire._checks import check_range
from jvmwire._core import PRAVEGA_EVENT_LIMIT
from jvmwire._runtime.client import (
    AsyncClient,
    Client,
    Connecting,
    Either,
    SyncClient,
    connector,
    factory,
    operation,
    operation_factory,
    operation_stream,
)
from jvmwire._runtime.operations import Emit, Sleep, Spawn
from jvmwire.options import merge_options
from jvmwire.pravega._appender import MAX_BYTES, MAX_EVENTS
from jvmwire.pravega._arguments import (
    MAX_LONG,
    check_milliseconds,
    check_name,
    check_offset,
    check_type,
)
from jvmwire.pravega._commands import GetStreamSegmentInfo
from jvmwire.pravega._segment_reader import emit_mapped, read_chunks
from jvmwire.pravega._writer import FIRST_REQUEST_ID, Writer
from jvmwire.pravega.errors import NoSuchSegment
from jvmwire.pravega.streams import _controller_pb2 as messages
from jvmwire.pravega.streams._byte_stream import (
    AsyncByteReader,
    AsyncByteWriter,
    ByteReader,
    ByteSegments,
    ByteSpan,
    ByteWriter,
    only,
)
from jvmwire.pravega.streams._configuration import StreamConfiguration
from jvmwire.pravega.streams._controller import Controller, refusal, status_of
from jvmwire.pravega.streams._controllers import Controllers
from jvmwire.pravega.streams._event_writer import AsyncEventWriter, EventWriter
from jvmwire.pravega.streams._group_reader import (
    AsyncGroupReader,
    GroupAccess,
    GroupMember,
    GroupReader,
)
from jvmwire.pravega.streams._group_state import GROUP, Begin, GroupConfig
from jvmwire.pravega.streams._names import (
    StreamSegment,
    scope_info,
    segment_id_of,
    segment_name,
    segment_of,
    stream_info,
    transaction_name,
)
from jvmwire.pravega.streams._options import StreamOptions
from jvmwire.pravega.streams._reader import StreamBatch, StreamReader
from jvmwire.pravega.streams._reader_group import (
    AsyncReaderGroup,
    Group,
    ReaderGroup,
    ReaderGroupConfig,
    by_stream,
    config_of,
    config_to_proto,
    state_stream,
)
from jvmwire.pravega.streams._revisioned import (
    AsyncRevisionedStream,
    RevisionedSegment,
    RevisionedStream,
)
from jvmwire.pravega.streams._store_locator import Stores
from jvmwire.pravega.streams._stream_cut import StreamCut
from jvmwire.pravega.streams._stream_info import StreamInfo
from jvmwire.pravega.streams._successors import readable_successors
from jvmwire.pravega.streams._synchronizer import (
    AsyncStateSynchronizer,
    StateKind,
    StateSynchronizer,
    Synchronizer,
)
from jvmwire.pravega.streams._tables import (
    SUFFIX,
    AsyncKeyValueTable,
    KeyValueTable,
    KeyValueTableConfig,
    Table,
)
from jvmwire.pravega.streams._transaction import (
    LEASE,
    AsyncTransaction,
    Transaction,
    TransactionWriter,
)
from jvmwire.pravega.streams._watermarks import Watermark, mark_stream
from jvmwire.pravega.streams._writer import StreamWriter
from jvmwire.pravega.streams.errors import (
    ControllerError,
    NoSuchReaderGroup,
    NoSuchStream,
    NoSuchTransaction,
    ReaderGroupExists,
    ScaleRefused,
    StreamIsSealed,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import timedelta
    from typing import Unpack
    from uuid import UUID

    from google.protobuf.message import Message

    from jvmwire._runtime.operations import Operation, OperationStream
    from jvmwire.pravega._responses import SegmentInfo
    from jvmwire.pravega._segment_reader import EventBatch, EventParser
    from jvmwire.pravega.streams._options import StreamKeywords
    from jvmwire.transports._addresses import EndpointsLike

S = TypeVar("S")
U = TypeVar("U")

SCALE_POLL_INTERVAL = 0.1
"""Seconds between two polls of a scaling in progress (chosen by jvmwire)."""


class _StreamMethods:
    _controller: Controller
    _servers: str
    _options: StreamOptions
    _stores: dict[str, Stores]
    _writer_id: str
    """The id under which the transactions of this client note times."""
    _request_ids: itertools.count[int]

    def _target(self) -> str:
        user = f" user={self._options.user!r}" if self._options.user else ""
        return f"{self._servers}{user}"

    @operation
    def _connect(self) -> Operation[None]:
        # Every user may ask this; a standalone controller answers that it has no list.
        with suppress(ControllerError):
            yield from self._controller.call("getControllerServerList", messages.ServerRequest())

    # Scopes.

    @operation
    def create_scope(self, scope: str) -> Operation[bool]:
        """Create a scope.

        Args:
            scope: The scope's name.

        Returns:
            Whether the scope is new; False if it existed already.

        Raises:
            InvalidName: the name is not permitted.

        Source: StreamManager.createScope (Pravega 0.13).
        """
        request = scope_info(scope)
        also = {"SCOPE_EXISTS": False}
        made: bool = yield from self._controller.change("createScope", request, scope, also)
        return made

    @operation
    def delete_scope(self, scope: str, *, recursive: bool = False) -> Operation[bool]:
        """Delete a scope.

        Args:
            scope: The scope's name.
            recursive: Also delete everything in the scope: streams, sealed or not, reader groups
                and key-value tables. The controller then reports success even if there is no such
                scope.

        Returns:
            Whether the scope existed.

        Raises:
            ScopeNotEmpty: the scope has streams, and `recursive` is not set.

        Source: StreamManager.deleteScope, deleteScopeRecursive (Pravega 0.13).
        """
        request = scope_info(scope)
        method = "deleteScopeRecursive" if recursive else "deleteScope"
        also = {"SCOPE_NOT_FOUND": False}
        was: bool = yield from self._controller.change(method, request, scope, also)
        return was

    @operation_stream
    def scopes(self) -> OperationStream[str]:
        """List all scopes, including Pravega's internal scope.

        Yields:
            The names of the scopes.
        """
        token = ""
        while True:
            request = messages.ScopesRequest(continuationToken={"token": token})
            page = yield from self._controller.call("listScopes", request)
            for scope in page.scopes:
                yield Emit(scope)
            if not page.scopes or page.continuationToken.token in {"", token}:
                return
            token = page.continuationToken.token

    @operation_stream
    def streams(self, scope: str, *, tag: str | None = None) -> OperationStream[str]:
        """List the streams of a scope.

        Args:
            scope: The scope's name.
            tag: List only the streams with this tag.

        Yields:
            The names of the streams as `scope/stream`.

        Raises:
            NoSuchScope: no scope has that name.
        """
        scope_info(scope)
        if tag is not None:
            check_name("tag", tag)
        token = ""
        while True:
            asked: dict[str, Any] = {
                "scope": {"scope": scope},
                "continuationToken": {"token": token},
            }
            if tag is None:
                method = "listStreamsInScope"
                request: Message = messages.StreamsInScopeRequest(**asked)
            else:
                method = "listStreamsInScopeForTag"
                request = messages.StreamsInScopeWithTagRequest(tag=tag, **asked)
            page = yield from self._controller.call(method, request)
            if (status := status_of(page)) != "SUCCESS":
                raise refusal(method, status, scope)
            for found in page.streams:
                yield Emit(f"{found.scope}/{found.stream}")
            if not page.streams or page.continuationToken.token in {"", token}:
                return
            token = page.continuationToken.token

    # Streams.

    @operation
    def create_stream(
        self, name: str, configuration: StreamConfiguration | None = None
    ) -> Operation[bool]:
        """Create a stream.

        Args:
            name: The stream, `scope/stream`.
            configuration: Scaling, retention and tags; by default one segment, everything kept, no
                tags.

        Returns:
            Whether the stream is new; False if it existed already.

        Raises:
            NoSuchScope: no scope has that name.
        """
        configuration = StreamConfiguration() if configuration is None else configuration
        check_type("configuration", configuration, StreamConfiguration)
        proto = configuration.to_proto(stream_info(name))
        also = {"STREAM_EXISTS": False}
        made: bool = yield from self._controller.change("createStream", proto, name, also)
        return made

    @operation
    def update_stream(self, name: str, configuration: StreamConfiguration) -> Operation[None]:
        """Change the configuration of a stream; a change of `min_segments` may scale the stream.

        Args:
            name: The stream, `scope/stream`.
            configuration: The new configuration, which replaces the old one as a whole.

        Raises:
            NoSuchStream: no stream has that name.
        """
        check_type("configuration", configuration, StreamConfiguration)
        proto = configuration.to_proto(stream_info(name))
        yield from self._controller.change("updateStream", proto, name)

    @operation
    def get_configuration(self, name: str) -> Operation[StreamConfiguration]:
        """Fetch the configuration of a stream.

        Args:
            name: The stream, `scope/stream`.

        Returns:
            Its scaling policy, retention policy and tags.

        Raises:
            NoSuchStream: no stream has that name.
        """
        found = yield from self._controller.call("getStreamConfiguration", stream_info(name))
        return StreamConfiguration.from_proto(found)

    @operation
    def get_stream_info(self, name: str) -> Operation[StreamInfo]:
        """Fetch the configuration of a stream, where it begins and ends, and its segments.

        Args:
            name: The stream, `scope/stream`.

        Returns:
            The description of the stream.

        Raises:
            NoSuchStream: no stream has that name.

        Source: StreamManager.fetchStreamInfo (Pravega 0.13).
        """
        found = yield from self._controller.call("getStreamConfiguration", stream_info(name))
        head = yield from self._head(name)
        segments = yield from self._current(name)
        tail = yield from self._ends(name, segments)
        return StreamInfo(name, StreamConfiguration.from_proto(found), head, tail, tuple(segments))

    @operation
    def seal_stream(self, name: str) -> Operation[None]:
        """Seal a stream, so that it accepts no more events; sealing it again has no effect.

        Args:
            name: The stream, `scope/stream`.

        Raises:
            NoSuchStream: no stream has that name.
        """
        yield from self._controller.change("sealStream", stream_info(name), name)

    @operation
    def delete_stream(self, name: str) -> Operation[bool]:
        """Delete a sealed stream.

        Args:
            name: The stream, `scope/stream`.

        Returns:
            Whether the stream existed.

        Raises:
            StreamNotSealed: the stream still accepts events; seal it first.
        """
        also = {"STREAM_NOT_FOUND": False}
        info = stream_info(name)
        was: bool = yield from self._controller.change("deleteStream", info, name, also)
        return was

    @operation
    def subscribers(self, name: str) -> Operation[list[str]]:
        """List the reader groups for which the retention of a stream waits.

        Args:
            name: The stream, `scope/stream`.

        Returns:
            The reader groups, `scope/name` each.

        Source: Controller.listSubscribers (Pravega 0.13).
        """
        answer = yield from self._controller.call("listSubscribers", stream_info(name))
        if (status := status_of(answer)) != "SUCCESS":
            raise refusal("listSubscribers", status, name)
        return list(answer.subscribers)

    @operation
    def truncate_stream(self, cut: StreamCut) -> Operation[None]:
        """Drop the events before a stream cut.

        Args:
            cut: The cut at which the stream will begin.

        Raises:
            ValueError: the cut has an offset after the end of its segment. A controller would
                accept such a cut, and events written before that offset later would never be read.
        """
        check_type("cut", cut, StreamCut)
        yield from self._truncate(cut)

    @operation
    def segments(self, name: str) -> Operation[list[StreamSegment]]:
        """Fetch the segments of a stream that accept events; a sealed stream has none.

        Args:
            name: The stream, `scope/stream`.

        Returns:
            The segments with their ids and key ranges.

        Raises:
            NoSuchStream: no stream has that name.
        """
        return (yield from self._current(name))

    @operation
    def successors(self, segment: StreamSegment) -> Operation[list[StreamSegment]]:
        """Fetch the segments that took over the key range of a sealed segment.

        Args:
            segment: The segment.

        Returns:
            The successors; an empty list while the segment accepts events.
        """
        check_type("segment", segment, StreamSegment)
        return (yield from self._following(segment))

    @operation
    def get_delegation_token(self, name: str) -> Operation[str]:
        """Fetch a delegation token that grants access to a stream's segments for a limited time.

        This client fetches and renews its own tokens; the call is for other clients of segment
        stores.

        Args:
            name: The stream, `scope/stream`.

        Returns:
            The token, `""` if the controller requires no authentication.
        """
        return (yield from self._stores_of(name).fetch_token())

    @operation
    def head(self, name: str) -> Operation[StreamCut]:
        """Fetch the stream cut at the first event that was not truncated.

        Args:
            name: The stream, `scope/stream`.

        Returns:
            The cut at the head of the stream.
        """
        return (yield from self._head(name))

    @operation
    def tail(self, name: str) -> Operation[StreamCut]:
        """Fetch the stream cut at the current end of a stream.

        Args:
            name: The stream, `scope/stream`.

        Returns:
            The cut after which the next events will be written.
        """
        return (yield from self._tail(name))

    @operation
    def advance(self, cut: StreamCut, *, end: StreamCut | None = None) -> Operation[StreamCut]:
        """Compute a later stream cut; the segments between both cuts may be read in any order.

        Each offset of the result is the current end of its segment, or its offset in `end`. A
        segment that `cut` has at the end of a sealed segment is replaced by its successors, once
        all predecessors of a successor have been reached. A reader that repeats this until the
        result equals `cut` has reached the tail of the stream, or `end`.

        Args:
            cut: The cut from which to continue.
            end: The cut at which to stop; by default the end of each segment now.

        Returns:
            A cut at or after `cut`.
        """
        _check_cuts(cut=cut, end=cut if end is None else end)
        ends = {} if end is None else end.positions
        reached: dict[int, int] = {}
        finished: set[int] = set()
        for segment_id, offset in cut.positions.items():
            if segment_id in ends:
                reached[segment_id] = max(offset, ends[segment_id])
                continue
            info = yield from self._info(cut.stream, segment_id)
            reached[segment_id] = info.write_offset
            if info.is_sealed and offset >= info.write_offset:
                finished.add(segment_id)
        after: dict[int, set[int]] = {}
        for segment_id in finished:
            after |= yield from self._preceding(cut.stream, segment_id)
        for segment_id in readable_successors(after, finished):
            for before in after[segment_id]:
                reached.pop(before, None)
            if segment_id in ends:
                reached[segment_id] = ends[segment_id]
            else:
                info = yield from self._info(cut.stream, segment_id)
                reached[segment_id] = info.write_offset
        return StreamCut(cut.stream, reached)

    @operation
    def scale(
        self, name: str, segment_ids: Iterable[int], ranges: Iterable[tuple[float, float]]
    ) -> Operation[None]:
        """Replace segments of a stream by segments with other key ranges, and wait until done.

        Args:
            name: The stream, `scope/stream`.
            segment_ids: The ids of the segments that are sealed.
            ranges: The key ranges of the new segments, each `(low, high)` within 0.0 to 1.0;
                together they must cover the key ranges of the sealed segments.

        Raises:
            ScaleRefused: the segments are not among the current ones, or the key ranges do not
                match theirs.
            ValueError: a key range is not within 0.0 to 1.0.
        """
        info = stream_info(name)
        check_type("segment_ids", segment_ids, Iterable)
        check_type("ranges", ranges, Iterable)
        segment_ids = [check_offset("each of the segment_ids", each) for each in segment_ids]
        request = messages.ScaleRequest(streamInfo=info, sealedSegments=segment_ids)
        for each in ranges:
            try:
                start, end = map(float, each)
            except (TypeError, ValueError):
                raise TypeError(f"each of the ranges must be two numbers, got {each!r}") from None
            if not 0.0 <= start < end <= 1.0:
                raise ValueError(f"the ranges must be within 0.0 to 1.0, got {start} to {end}")
            request.newKeyRanges.add(start=start, end=end)
        answer = yield from self._controller.call("scale", request)
        if (status := status_of(answer)) != "STARTED":
            raise ScaleRefused(f"scale of {name!r}: {status}")
        status_request = messages.ScaleStatusRequest(streamInfo=info, epoch=answer.epoch)
        while True:
            answer = yield from self._controller.call("checkScale", status_request)
            if (status := status_of(answer)) == "SUCCESS":
                return
            if status != "IN_PROGRESS":
                raise ScaleRefused(f"scale of {name!r}: {status}")
            yield Sleep(SCALE_POLL_INTERVAL)

    # Reading.

    @operation_stream
    def read_events(
        self,
        name: str,
        *,
        start: StreamCut | None = None,
        end: StreamCut | None = None,
        follow: bool = False,
    ) -> OperationStream[StreamBatch[list[bytes]]]:
        """Read the events of all segments as lists of byte strings.

        Events with the same routing key are read in the order in which they were written.

        Args:
            name: The stream, `scope/stream`.
            start: The cut at which to begin; by default the head of the stream.
            end: The cut at which to stop; by default the tail of the stream at the time of the
                call.
            follow: Continue with later events, until the stream is sealed.

        Yields:
            Batches of one segment each: a list of `bytes`, and the cut after it, at which a later
            call can continue.

        Raises:
            ValueError: `start` or `end` is a cut of another stream.
        """
        reading = self._read(name, start, end, follow=follow, convert=lambda cutter: cutter.events)
        yield from cast("OperationStream[StreamBatch[list[bytes]]]", reading)

    @operation_stream
    def read_batches(
        self,
        name: str,
        *,
        start: StreamCut | None = None,
        end: StreamCut | None = None,
        follow: bool = False,
    ) -> OperationStream[StreamBatch[EventBatch]]:
        """Read the events of all segments as Arrow arrays, with their offsets.

        Events with the same routing key are read in the order in which they were written.

        Args:
            name: The stream, `scope/stream`.
            start: The cut at which to begin; by default the head of the stream.
            end: The cut at which to stop; by default the tail of the stream at the time of the
                call.
            follow: Continue with later events, until the stream is sealed.

        Yields:
            Batches of one segment each: an `EventBatch` (`events: binary`, `offsets: int64`), and
            the cut after it, at which a later call can continue.

        Raises:
            ValueError: `start` or `end` is a cut of another stream.
        """
        reading = self._read(name, start, end, follow=follow, convert=lambda cutter: cutter.batch)
        yield from cast("OperationStream[StreamBatch[EventBatch]]", reading)

    @operation_stream
    def read_bytes(
        self, name: str, offset: int | None = None, *, follow: bool = False
    ) -> OperationStream[bytes]:
        """Read the bytes of a stream that has one segment.

        If the stream was scaled from one segment to one segment, reading continues in the
        successor.

        Args:
            name: The stream, `scope/stream`.
            offset: The offset of the first byte, counted from the stream's beginning; by default
                the first byte that was not truncated.
            follow: Continue with bytes that are written later; by default reading stops where the
                stream ended at the time of the call.

        Yields:
            The bytes in order, in chunks of any size.

        Raises:
            ConfigError: the stream has several segments.
            ValueError: the stream ends before `offset`.
        """
        if offset is not None:
            check_offset("offset", offset)
        segments = self._byte_segments(name)
        span = yield from (segments.first() if offset is None else segments.find(offset))
        start = span.info.start_offset if offset is None else offset - span.base
        following: ByteSpan | None = span
        while following is not None:
            span = following
            segment = segment_name(name, span.segment_id)
            reading = read_chunks(
                segments.line(span.segment_id),
                segment,
                start,
                follow=follow,
                handler=emit_mapped(bytes),
            )
            yield from cast("OperationStream[bytes]", reading)
            info = yield from segments.info(span.segment_id)
            following = yield from segments.after(replace(span, info=info))
            start = 0

    def _read(
        self,
        name: str,
        start: StreamCut | None,
        end: StreamCut | None,
        *,
        follow: bool,
        convert: Callable[[EventParser], Callable[[memoryview], Any]],
    ) -> OperationStream[StreamBatch[Any]]:
        _check_cuts(start=start, end=end)
        for cut in (start, end):
            if cut is not None and cut.stream != name:
                raise ValueError(f"the cut is of {cut.stream!r}, not of {name!r}")
        if start is None:
            start = yield from self._head(name)
        if end is None and not follow:
            end = yield from self._tail(name)

        reader = StreamReader(
            self._stores_of(name),
            start.positions,
            ends={} if end is None else end.positions,
            convert=convert,
            successors=lambda segment_id: self._preceding(name, segment_id),
        )
        yield from reader.read()

    # Reader groups.

    @operation
    def create_reader_group(self, name: str, config: ReaderGroupConfig) -> Operation[bool]:
        """Create a reader group.

        Args:
            name: The group, `scope/name`.
            config: The streams that the group reads, and how its readers are synchronised.

        Returns:
            Whether the group is new; False if it existed already with the same configuration.

        Raises:
            ReaderGroupExists: a group of that name exists with another configuration.
            NoSuchScope: the scope does not exist.

        Source: ReaderGroupManager.createReaderGroup (Pravega 0.13).
        """
        check_type("config", config, ReaderGroupConfig)
        wanted = config.of_group(uuid.uuid4())
        answer = yield from self._controller.call(
            "createReaderGroup", config_to_proto(name, wanted)
        )
        if (status := status_of(answer)) != "SUCCESS":
            raise refusal("createReaderGroup", status, name)
        found = config_of(answer.config)
        if replace(found, group_id=wanted.group_id, generation=0) != wanted:
            raise ReaderGroupExists(f"{name!r} exists with another configuration: {found}")
        if found.generation > 0:
            return False
        # The client that created the group may have failed before it initialised the state.
        segments = yield from self._group_starts(found)
        sync = yield from self._synchronizer(state_stream(name), GROUP)
        yield from sync.initialize(Begin.of(found, segments).state())
        return found.group_id == wanted.group_id

    @operation
    def delete_reader_group(self, name: str) -> Operation[bool]:
        """Delete a reader group.

        Args:
            name: The group, `scope/name`.

        Returns:
            Whether the group existed.

        Source: ReaderGroupManager.deleteReaderGroup (Pravega 0.13).
        """
        try:
            config = yield from self._group_config(name)
        except NoSuchReaderGroup:
            return False
        info = stream_info(name)
        request = messages.ReaderGroupInfo(
            scope=info.scope, readerGroup=info.stream, readerGroupId=str(config.group_id)
        )
        also = {"RG_NOT_FOUND": False}
        was: bool = yield from self._controller.change("deleteReaderGroup", request, name, also)
        return was

    def _group_config(self, name: str) -> Operation[GroupConfig]:
        info = stream_info(name)
        request = messages.ReaderGroupInfo(scope=info.scope, readerGroup=info.stream)
        answer = yield from self._controller.call("getReaderGroupConfig", request)
        if (status := status_of(answer)) != "SUCCESS":
            raise refusal("getReaderGroupConfig", status, name)
        return config_of(answer.config)

    def _group_starts(self, config: GroupConfig) -> Operation[dict[str, int]]:
        """Return the segments at which a group begins to read, with their offsets."""
        found: dict[str, int] = {}
        for stream, cut in config.starts.items():
            offsets = cut or (yield from self._head(stream)).positions
            found |= {segment_name(stream, each): offset for each, offset in offsets.items()}
        return found

    def _change_group(self, name: str, config: GroupConfig) -> Operation[int | None]:
        answer = yield from self._controller.call(
            "updateReaderGroup", config_to_proto(name, config)
        )
        status = status_of(answer)
        if status == "INVALID_CONFIG":  # the configuration has another generation
            return None
        if status != "SUCCESS":
            raise refusal("updateReaderGroup", status, name)
        generation: int = answer.generation
        return generation

    def _publish(
        self, name: str, config: GroupConfig, positions: dict[str, int]
    ) -> Operation[None]:
        for stream, offsets in by_stream(positions).items():
            request = messages.SubscriberStreamCut(
                subscriber=name,
                generation=config.generation,
                readerGroupId=str(config.group_id),
                streamCut=messages.StreamCut(streamInfo=stream_info(stream), cut=offsets),
            )
            yield from self._controller.change("updateSubscriberStreamCut", request, name)

    def _named_info(self, segment: str) -> Operation[SegmentInfo]:
        return self._info(segment.rpartition("/")[0], segment_id_of(segment))

    def _named_successors(
        self, segment: str
    ) -> Operation[tuple[dict[str, list[int]], dict[str, tuple[float, float] | None]]]:
        stream = segment.rpartition("/")[0]
        answer = yield from self._next(stream, segment_id_of(segment))
        before: dict[str, list[int]] = {}
        ranges: dict[str, tuple[float, float] | None] = {}
        for entry in answer.segments:
            found = segment_of(entry.segment)
            before[found.name] = list(entry.value)
            ranges[found.name] = (found.low, found.high)
        return before, ranges

    def _group(self, name: str) -> Operation[Group]:
        stream_info(name)
        try:
            sync = yield from self._synchronizer(state_stream(name), GROUP)
        except NoSuchStream as error:
            raise NoSuchReaderGroup(f"there is no reader group {name!r}") from error

        def start_offset(segment: str) -> Operation[int]:
            return (yield from self._named_info(segment)).start_offset

        def end_offset(segment: str) -> Operation[int]:
            return (yield from self._named_info(segment)).write_offset

        access = GroupAccess(
            line=lambda segment: self._stores_of(segment.rpartition("/")[0]).segment_channel(
                segment_id_of(segment)
            ),
            start_offset=start_offset,
            successors=self._named_successors,
            config=lambda: self._group_config(name),
            starts=self._group_starts,
            publish=lambda config, positions: self._publish(name, config, positions),
            marks=self._marks,
            max_event=self._options.max_event,
        )
        change = partial(self._change_group, name)
        return Group(name, sync, access, change=change, end_offset=end_offset)

    def _member(self, name: str, reader: str) -> Operation[GroupMember]:
        check_name("reader", reader)
        group = yield from self._group(name)
        member = GroupMember(reader, name, group.sync, group.access)
        yield from member.join()
        return member

    # Key-value tables.

    @operation
    def create_table(self, name: str, config: KeyValueTableConfig) -> Operation[bool]:
        """Create a key-value table.

        Args:
            name: The table, `scope/name`.
            config: The number of partitions and the lengths of keys.

        Returns:
            Whether the table is new; False if it existed already.

        Source: KeyValueTableManager.createKeyValueTable (Pravega 0.13).
        """
        info = stream_info(name)
        check_type("config", config, KeyValueTableConfig)
        request = messages.KeyValueTableConfig(
            scope=info.scope,
            kvtName=info.stream,
            partitionCount=config.partitions,
            primaryKeyLength=config.primary_key_length,
            secondaryKeyLength=config.secondary_key_length,
            rolloverSizeBytes=config.rollover_size,
        )
        also = {"TABLE_EXISTS": False}
        made: bool = yield from self._controller.change("createKeyValueTable", request, name, also)
        return made

    @operation
    def delete_table(self, name: str) -> Operation[bool]:
        """Delete a key-value table with its entries.

        Args:
            name: The table, `scope/name`.

        Returns:
            Whether the table existed.

        Source: KeyValueTableManager.deleteKeyValueTable (Pravega 0.13).
        """
        request = _table_info(name)
        also = {"TABLE_NOT_FOUND": False}
        was: bool = yield from self._controller.change("deleteKeyValueTable", request, name, also)
        return was

    @operation_stream
    def tables(self, scope: str) -> OperationStream[str]:
        """List the key-value tables of a scope.

        Args:
            scope: The scope's name.

        Yields:
            The names of the tables as `scope/name`.

        Raises:
            NoSuchScope: no scope has that name.

        Source: KeyValueTableManager.listKeyValueTables (Pravega 0.13).
        """
        token = ""
        while True:
            request = messages.KVTablesInScopeRequest(
                scope=scope_info(scope), continuationToken={"token": token}
            )
            page = yield from self._controller.call("listKeyValueTablesInScope", request)
            if (status := status_of(page)) != "SUCCESS":
                raise refusal("listKeyValueTablesInScope", status, scope)
            for found in page.kvtables:
                yield Emit(f"{found.scope}/{found.kvtName}")
            if not page.kvtables or page.continuationToken.token in {"", token}:
                return
            token = page.continuationToken.token

    def _table(self, name: str) -> Operation[Table]:
        request = _table_info(name)
        answer = yield from self._controller.call("getKeyValueTableConfiguration", request)
        if (status := status_of(answer)) != "SUCCESS":
            raise refusal("getKeyValueTableConfiguration", status, name)
        proto = answer.config
        config = KeyValueTableConfig(
            proto.partitionCount,
            proto.primaryKeyLength,
            proto.secondaryKeyLength,
            proto.rolloverSizeBytes,
        )
        found = yield from self._controller.call("getCurrentSegmentsKeyValueTable", request)
        stores = self._stores_of(f"{name}{SUFFIX}")
        partitions = [
            replace(segment_of(each), stream=stores.stream) for each in found.segmentRanges
        ]
        if len(partitions) != config.partitions:
            raise ControllerError(
                f"{name!r} has {len(partitions)} partitions, and should have {config.partitions}"
            )
        partitions.sort(key=lambda each: each.high)
        return Table(
            name, config, [(each, stores.segment_channel(each.segment_id)) for each in partitions]
        )

    @operation_stream
    def watermarks(self, name: str) -> OperationStream[Watermark]:
        """Read the watermarks of a stream, which come from the times that its writers noted.

        A controller computes a watermark every 10 seconds, unless it is configured otherwise, once
        every writer that is active has noted a later time.

        Args:
            name: The stream, `scope/stream`.

        Yields:
            The watermarks, in the order of their times and positions.

        Raises:
            NoSuchStream: no stream has that name.
        """
        marks = yield from self._marks(name)
        start = (yield from marks.info()).start_offset
        yield from marks.entries(start, None, lambda entry: Watermark.decode(name, entry.data))

    # Operations that the calls above are composed of.

    def _truncate(self, cut: StreamCut) -> Operation[None]:
        for segment_id, offset in cut.positions.items():
            with suppress(NoSuchSegment):  # truncated already, or rejected by the controller
                info = yield from self._info(cut.stream, segment_id)
                if offset > info.write_offset:
                    at = f"segment {segment_id} of {cut.stream!r} ends at {info.write_offset}"
                    raise ValueError(f"cannot truncate to offset {offset}: {at}")
        request = messages.StreamCut(streamInfo=stream_info(cut.stream), cut=cut.positions)
        yield from self._controller.change("truncateStream", request, cut.stream)

    def _stores_of(self, name: str) -> Stores:
        if name not in self._stores:
            self._stores[name] = Stores(self._controller, name, self._options)
        return self._stores[name]

    def _current(self, name: str) -> Operation[list[StreamSegment]]:
        answer = yield from self._controller.call("getCurrentSegments", stream_info(name))
        return [segment_of(each) for each in answer.segmentRanges]

    def _next(self, name: str, segment_id: int) -> Operation[messages.SuccessorResponse]:
        request = messages.SegmentId(streamInfo=stream_info(name), segmentId=segment_id)
        found: messages.SuccessorResponse = yield from self._controller.call(
            "getSegmentsImmediatelyFollowing", request
        )
        return found

    def _preceding(self, name: str, segment_id: int) -> Operation[dict[int, set[int]]]:
        """Return the successors of a segment, each with its predecessors."""
        found = yield from self._next(name, segment_id)
        return {entry.segment.segmentId.segmentId: set(entry.value) for entry in found.segments}

    def _following(self, segment: StreamSegment) -> Operation[list[StreamSegment]]:
        answer = yield from self._next(segment.stream, segment.segment_id)
        return [segment_of(entry.segment) for entry in answer.segments]

    def _head(self, name: str) -> Operation[StreamCut]:
        request = messages.GetSegmentsRequest(streamInfo=stream_info(name), timestamp=0)
        answer = yield from self._controller.call("getSegments", request)
        return StreamCut(name, {at.segmentId.segmentId: at.offset for at in answer.segments})

    def _tail(self, name: str) -> Operation[StreamCut]:
        return (yield from self._ends(name, (yield from self._current(name))))

    def _ends(self, name: str, segments: list[StreamSegment]) -> Operation[StreamCut]:
        positions: dict[int, int] = {}
        for segment in segments:
            info = yield from self._info(name, segment.segment_id)
            positions[segment.segment_id] = info.write_offset
        return StreamCut(name, positions)

    def _info(self, name: str, segment_id: int) -> Operation[SegmentInfo]:
        line = self._stores_of(name).segment_channel(segment_id)
        info: SegmentInfo = yield from line.call(
            GetStreamSegmentInfo(segment_name(name, segment_id))
        )
        return info

    def _segment_writer(
        self,
        segment: StreamSegment,
        *,
        name: str | None = None,
        max_bytes: int = MAX_BYTES,
        max_events: int = MAX_EVENTS,
        raw_bytes: bool = False,
    ) -> Writer:
        return Writer(
            self._stores_of(segment.stream).segment_channel(segment.segment_id),
            name or segment.name,
            writer_id=uuid.uuid4(),
            request_id=next(self._request_ids),
            max_bytes=check_range("max_bytes", max_bytes, 1, MAX_LONG),
            max_events=check_range("max_events", max_events, 1, MAX_LONG),
            retry=self._options.retry,
            max_event=self._options.max_event,
            raw_bytes=raw_bytes,
        )

    def _stream_writer(self, name: str, max_bytes: int, max_events: int) -> StreamWriter:
        stream_info(name)
        check_range("max_bytes", max_bytes, 1, MAX_LONG)
        check_range("max_events", max_events, 1, MAX_LONG)
        return StreamWriter(
            name,
            current=lambda: self._current(name),
            successors=self._following,
            new_writer=lambda segment: self._segment_writer(
                segment, max_bytes=max_bytes, max_events=max_events
            ),
            max_event=self._options.max_event,
            note_time=partial(self._note_time, name, str(uuid.uuid4())),
        )

    def _note_time(
        self, name: str, writer: str, position: dict[int, int], timestamp: int
    ) -> Operation[None]:
        cut = messages.StreamCut(streamInfo=stream_info(name), cut=position)
        request = messages.TimestampFromWriter(writer=writer, position=cut, timestamp=timestamp)
        answer = yield from self._controller.call("noteTimestampFromWriter", request)
        status = messages.TimestampResponse.Status.Name(answer.result)
        if status == "INVALID_TIME":
            raise ValueError(f"this writer of {name!r} noted a time later than {timestamp} before")
        if status != "SUCCESS":
            raise ControllerError(f"noteTimestampFromWriter of {name!r}: {status}")

    def _marks(self, name: str) -> Operation[RevisionedSegment]:
        """Return the segment that holds a stream's watermarks."""
        stream_info(name)
        return (yield from self._revisioned(mark_stream(name)))

    def _byte_segments(self, name: str) -> ByteSegments:
        return ByteSegments(
            name,
            head=lambda: self._head(name),
            info=lambda segment_id: self._info(name, segment_id),
            successors=lambda segment_id: self._preceding(name, segment_id),
            line=self._stores_of(name).segment_channel,
            truncate=self._truncate,
        )

    def _byte_writer(self, name: str, max_bytes: int) -> Operation[StreamWriter]:
        check_range("max_bytes", max_bytes, 1, MAX_LONG)
        segments = yield from self._current(name)
        if not segments:
            raise StreamIsSealed(f"{name!r} is sealed")
        only(name, segments)

        def following(segment: StreamSegment) -> Operation[list[StreamSegment]]:
            found = yield from self._following(segment)
            return [only(name, found)] if found else []

        return StreamWriter(
            name,
            current=lambda: self._current(name),
            successors=following,
            new_writer=lambda segment: self._segment_writer(
                segment, max_bytes=max_bytes, raw_bytes=True
            ),
            max_event=PRAVEGA_EVENT_LIMIT,
        )

    def _revisioned(self, name: str) -> Operation[RevisionedSegment]:
        """Return the first segment by key range, which holds a revisioned stream's entries."""
        segments = yield from self._current(name)
        if not segments:
            raise StreamIsSealed(f"{name!r} is sealed")
        segment = min(segments, key=lambda each: each.low)
        return RevisionedSegment(
            name,
            segment.name,
            line=self._stores_of(name).segment_channel(segment.segment_id),
            new_writer=lambda: self._segment_writer(segment),
            max_event=self._options.max_event,
        )

    def _synchronizer(self, name: str, kind: StateKind[S, U]) -> Operation[Synchronizer[S, U]]:
        check_type("kind", kind, StateKind)
        segment = yield from self._revisioned(name)
        return Synchronizer(segment, kind)

    def _begin(self, name: str, lease: float | timedelta) -> Operation[TransactionWriter]:
        info = stream_info(name)
        milliseconds = check_milliseconds("lease", lease)
        request = messages.CreateTxnRequest(streamInfo=info, lease=milliseconds)
        answer = yield from self._controller.call("createTransaction", request)
        high, low = (half & (1 << 64) - 1 for half in (answer.txnId.highBits, answer.txnId.lowBits))
        transaction_id = uuid.UUID(int=high << 64 | low)
        return (
            yield from self._open_transaction(
                info, transaction_id, answer.activeSegments, milliseconds / 1000
            )
        )

    def _resume(
        self, name: str, transaction_id: UUID, lease: float | timedelta
    ) -> Operation[TransactionWriter]:
        info = stream_info(name)
        milliseconds = check_milliseconds("lease", lease)
        check_type("transaction_id", transaction_id, uuid.UUID)
        # The upper half of a transaction's id begins with the epoch in which it was created.
        epoch = transaction_id.int >> 96
        try:
            request = messages.GetEpochSegmentsRequest(streamInfo=info, epoch=epoch)
            answer = yield from self._controller.call("getEpochSegments", request)
        except (NoSuchStream, ValueError) as error:  # or an epoch that does not or cannot exist
            raise NoSuchTransaction(f"{name!r} has no transaction {transaction_id}") from error
        return (
            yield from self._open_transaction(
                info, transaction_id, answer.segmentRanges, milliseconds / 1000
            )
        )

    def _open_transaction(
        self,
        info: messages.StreamInfo,
        transaction_id: UUID,
        ranges: Iterable[messages.SegmentRange],
        lease: float,
    ) -> Operation[TransactionWriter]:
        segments = sorted(map(segment_of, ranges), key=lambda each: each.high)
        branches = [
            (each, self._segment_writer(each, name=transaction_name(each.name, transaction_id)))
            for each in segments
        ]
        writer = TransactionWriter(
            self._controller,
            info,
            transaction_id,
            lease=lease,
            branches=branches,
            writer_id=self._writer_id,
        )
        yield Spawn(writer.keep_alive(), f"keep {writer.description}")
        return writer


def _check_cuts(**cuts: StreamCut | None) -> None:
    for name, cut in cuts.items():
        if cut is not None or name == "cut":
            check_type(name, cut, StreamCut)


def _table_info(name: str) -> messages.KeyValueTableInfo:
    info = stream_info(name)
    return messages.KeyValueTableInfo(scope=info.scope, kvtName=info.stream)


class _StreamClient(_StreamMethods, Client):
    """Common base of the blocking and the asyncio client."""

    def __init__(
        self,
        controller: Controllers | EndpointsLike,
        options: StreamOptions | None = None,
        **keywords: Unpack[StreamKeywords],
    ) -> None:
        options = merge_options(StreamOptions, options, keywords)
        controllers = Controllers.of(controller)
        super().__init__(options)
        self._servers = ",".join(map(str, controllers.endpoints))
        self._options = options
        self._controller = Controller(
            controllers,
            user=options.user,
            password=options.password,
            retry=options.retry,
        )
        self._stores = {}
        self._writer_id = str(uuid.uuid4())
        self._request_ids = itertools.count(FIRST_REQUEST_ID)

    @connector
    def connect(
        cls,
        controller: Controllers | EndpointsLike,
        options: StreamOptions | None = None,
        **keywords: Unpack[StreamKeywords],
    ) -> Either[Self, Connecting[Self]]:
        """Create a client, and check that a controller answers.

        Args:
            controller: The address of a controller, or of several, as for the class.
            options: Credentials, timeouts, retries and limits.
            **keywords: Fields of `StreamOptions`, which take precedence over `options`.

        Returns:
            The client. An asyncio client is awaited, or used in `async with`.

        Raises:
            ConnectFailed: no controller could be reached.
        """
        return cls._open(controller, options, **keywords)

    def _release(self) -> None:
        self._controller.close()

    @factory
    def writer(
        self, name: str, *, max_bytes: int = MAX_BYTES, max_events: int = MAX_EVENTS
    ) -> Either[EventWriter, AsyncEventWriter]:
        """Create a writer of events to a stream; nothing is sent yet.

        Args:
            name: The stream, `scope/stream`.
            max_bytes: Bytes of events that the writer buffers per segment before its callers block.
            max_events: Events that the writer buffers per segment before its callers block.

        Returns:
            The writer.
        """
        writer = self._stream_writer(name, max_bytes, max_events)
        return self._styled(EventWriter, AsyncEventWriter)(self, writer)

    @operation_factory
    def byte_writer(
        self, name: str, *, max_bytes: int = MAX_BYTES
    ) -> Operation[Either[ByteWriter, AsyncByteWriter]]:
        """Create a writer of bytes to a stream that has one segment.

        Args:
            name: The stream, `scope/stream`.
            max_bytes: Bytes that the writer buffers before its callers block.

        Returns:
            The writer.

        Raises:
            StreamIsSealed: the stream accepts no more bytes.
            ConfigError: the stream has several segments.
        """
        writer = yield from self._byte_writer(name, max_bytes)
        return self._styled(ByteWriter, AsyncByteWriter)(self, writer, self._byte_segments(name))

    @factory
    def byte_reader(self, name: str) -> Either[ByteReader, AsyncByteReader]:
        """Create a reader of the bytes of a stream that has one segment; nothing is sent yet.

        Args:
            name: The stream, `scope/stream`.

        Returns:
            The reader.
        """
        return self._styled(ByteReader, AsyncByteReader)(self, self._byte_segments(name))

    @operation_factory
    def revisioned_stream(
        self, name: str
    ) -> Operation[Either[RevisionedStream, AsyncRevisionedStream]]:
        """Open a revisioned stream, a stream of one segment whose entries are read by revision.

        Args:
            name: The stream, `scope/stream`.

        Returns:
            The revisioned stream.

        Raises:
            StreamIsSealed: the stream accepts no more entries.
        """
        segment = yield from self._revisioned(name)
        return self._styled(RevisionedStream, AsyncRevisionedStream)(self, segment)

    @operation_factory
    def reader_group(self, name: str) -> Operation[Either[ReaderGroup, AsyncReaderGroup]]:
        """Open a reader group.

        Args:
            name: The group, `scope/name`.

        Returns:
            The reader group.

        Raises:
            NoSuchReaderGroup: no group has that name.

        Source: ReaderGroupManager.getReaderGroup (Pravega 0.13).
        """
        group = yield from self._group(name)
        return self._styled(ReaderGroup, AsyncReaderGroup)(self, group)

    @operation_factory
    def group_reader(
        self, name: str, reader: str
    ) -> Operation[Either[GroupReader, AsyncGroupReader]]:
        """Join a reader group, and create a reader of the segments that the group assigns to it.

        Args:
            name: The group, `scope/name`.
            reader: An id that no other reader of the group has.

        Returns:
            The reader.

        Raises:
            NoSuchReaderGroup: no group has that name.
            ReaderInGroup: the group has a reader of that id already.

        Source: EventStreamClientFactory.createReader (Pravega 0.13).
        """
        member = yield from self._member(name, reader)
        return self._styled(GroupReader, AsyncGroupReader)(self, member)

    @operation_factory
    def key_value_table(self, name: str) -> Operation[Either[KeyValueTable, AsyncKeyValueTable]]:
        """Open a key-value table.

        Args:
            name: The table, `scope/name`.

        Returns:
            The table.

        Raises:
            NoSuchTable: no table has that name.

        Source: KeyValueTableFactory.forKeyValueTable (Pravega 0.13).
        """
        table = yield from self._table(name)
        return self._styled(KeyValueTable, AsyncKeyValueTable)(self, table)

    @operation_factory
    def begin_transaction(
        self, name: str, *, lease: float | timedelta = LEASE
    ) -> Operation[Either[Transaction, AsyncTransaction]]:
        """Begin a transaction.

        Args:
            name: The stream, `scope/stream`.
            lease: Seconds without a ping after which the controller aborts the transaction; the
                client pings four times per lease. Default: 90.

        Returns:
            The open transaction.
        """
        writer = yield from self._begin(name, lease)
        return self._styled(Transaction, AsyncTransaction)(self, writer)

    @operation_factory
    def resume_transaction(
        self, name: str, transaction_id: UUID, *, lease: float | timedelta = LEASE
    ) -> Operation[Either[Transaction, AsyncTransaction]]:
        """Resume a transaction that was begun by another client.

        Args:
            name: The stream, `scope/stream`.
            transaction_id: The transaction's UUID.
            lease: Seconds without a ping after which the controller aborts the transaction.

        Returns:
            The transaction; if it has ended, calls that write or commit raise `TransactionEnded`.

        Raises:
            NoSuchTransaction: the stream has no epoch in which a transaction of that id could have
                begun.
        """
        writer = yield from self._resume(name, transaction_id, lease)
        return self._styled(Transaction, AsyncTransaction)(self, writer)


class StreamClient(_StreamClient, SyncClient):
    """Blocking client of Pravega's streams, connected through a controller; thread-safe.

    Args:
        controller: The address of a controller, or of several: `host:port`, a URL as in Java's
            client, `tcp://a:9090,b:9090` or `pravega://a:9090` (see `Controllers.parse`), a list,
            `Controllers`, or endpoint objects such as `Tcp`. The default port is 9090.
        options: Credentials, timeouts, retries and limits.
        **keywords: Fields of `StreamOptions`, which take precedence over `options`.
    """

    def state_synchronizer(self, name: str, kind: StateKind[S, U]) -> StateSynchronizer[S, U]:
        """Open a state that processes share through a stream of one segment.

        Args:
            name: The stream, `scope/stream`.
            kind: How states and updates are serialised; the same for all that share the state.

        Returns:
            The synchronizer.

        Raises:
            StreamIsSealed: the stream accepts no more updates.

        Source: SynchronizerClientFactory.createStateSynchronizer (Pravega 0.13).
        """
        synchronizer = self._run(self._synchronizer(name, kind), "state_synchronizer")
        return StateSynchronizer(self, synchronizer)


class AsyncStreamClient(_StreamClient, AsyncClient):
    """Asyncio client of Pravega's streams; its calls may overlap.

    Args:
        controller: The address of a controller, or of several: `host:port`, a URL as in Java's
            client, `tcp://a:9090,b:9090` or `pravega://a:9090` (see `Controllers.parse`), a list,
            `Controllers`, or endpoint objects such as `Tcp`. The default port is 9090.
        options: Credentials, timeouts, retries and limits.
        **keywords: Fields of `StreamOptions`, which take precedence over `options`.
    """

    async def state_synchronizer(
        self, name: str, kind: StateKind[S, U]
    ) -> AsyncStateSynchronizer[S, U]:
        """Open a state that processes share through a stream of one segment.

        Args:
            name: The stream, `scope/stream`.
            kind: How states and updates are serialised; the same for all that share the state.

        Returns:
            The synchronizer.

        Raises:
            StreamIsSealed: the stream accepts no more updates.

        Source: SynchronizerClientFactory.createStateSynchronizer (Pravega 0.13).
        """
        synchronizer = await self._run(self._synchronizer(name, kind), "state_synchronizer")
        return AsyncStateSynchronizer(self, synchronizer)


connect = StreamClient.connect
"""Return a client of streams, after a controller answered: `StreamClient.connect`."""
connect_async = AsyncStreamClient.connect
"""Return an asyncio client of streams, after a controller answered: `AsyncStreamClient.connect`."""
