"""Calls of a double's controller by name, each a function of its protobuf message."""

from __future__ import annotations

import re
import uuid
from typing import TYPE_CHECKING, Any

from jvmwire.pravega.streams import _controller_pb2 as messages
from jvmwire.pravega.streams._names import segment_name
from jvmwire.pravega.streams._tables import SUFFIX
from jvmwire.pravega.streams._watermarks import MARK_PREFIX
from jvmwire.pravega.testing._refusals import Hangup, Refusal
from jvmwire.pravega.testing._streams import (
    ABORTED,
    COMMITTED,
    OPEN,
    Piece,
    Stream,
    Streams,
    Transaction,
)
from jvmwire.pravega.testing._table import Table

if TYPE_CHECKING:
    from collections.abc import Callable

    from jvmwire.pravega.testing._segments import Segments

PAGE = 1000
"""Names of one reply of a listing, at most (chosen by jvmwire)."""
MAX_SCOPES = 10_000
"""Scopes, at most (chosen by jvmwire)."""
MAX_WRITERS = 10_000
"""Writers of a stream whose noted times are remembered, at most (chosen by jvmwire)."""
MAX_LEASE = 600_000
"""Milliseconds of a lease, at most: `controller.transaction.lease.count.max`."""
USER_NAME = re.compile(r"[A-Za-z0-9.-]{1,255}")
"""Names of scopes, tables and groups: `NameUtils.validateUserStreamName`."""
STREAM_NAME = re.compile(r"_?[A-Za-z0-9.-]{1,255}")
"""Names of streams: `NameUtils.validateStreamName`."""
GROUP_PREFIX = "_RG"
"""The stream of a reader group is named after it: `NameUtils.READER_GROUP_STREAM_PREFIX`."""

Info = messages.StreamInfo


class NotFound(Exception):
    """The object of a call does not exist."""


class Unavailable(Exception):
    """The double has no such method."""


class ControllerCalls:
    """The calls of a controller.

    Args:
        segments: The segments of the store.
        delegation_token: The token that clients are given.
        now: Returns the time in milliseconds since 1970.
    """

    def __init__(self, segments: Segments, delegation_token: str, now: Callable[[], int]) -> None:
        self._segments = segments
        self._token = delegation_token
        self._now = now
        self._streams = Streams(segments)
        self._scopes: dict[str, None] = {}
        self._tables: dict[str, messages.KeyValueTableConfig] = {}
        self._groups: dict[str, messages.ReaderGroupConfiguration] = {}
        self.store = ("", 0)
        """Host and port of the segment store."""
        self.address = ("", 0)
        """Host and port of the controller."""

    def answer(self, method: str, request: Any) -> Any:
        """Answer a call.

        Args:
            method: The name of the method.
            request: Its message.

        Returns:
            The message of the reply.

        Raises:
            NotFound: what the call is about does not exist.
            Unavailable: the double does not have the method.
            Refusal: the store has no room for another segment.
        """
        name = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", method).lower()
        function = getattr(self, f"_call_{name}", None)
        if function is None:
            raise Unavailable(f"the double of a controller has no {method}")
        return function(request)

    # Places

    def _call_get_controller_server_list(self, _: object) -> Any:
        host, port = self.address
        return messages.ServerResponse(nodeURI=[messages.NodeUri(endpoint=host, port=port)])

    def _call_get_uri(self, _: messages.SegmentId) -> Any:
        host, port = self.store
        return messages.NodeUri(endpoint=host, port=port)

    def _call_get_delegation_token(self, _: Info) -> Any:
        return messages.DelegationToken(delegationToken=self._token)

    # Scopes

    def _call_create_scope(self, asked: messages.ScopeInfo) -> Any:
        status = messages.CreateScopeStatus
        if not USER_NAME.fullmatch(asked.scope):
            return status(status=status.INVALID_SCOPE_NAME)
        if asked.scope in self._scopes:
            return status(status=status.SCOPE_EXISTS)
        if len(self._scopes) >= MAX_SCOPES:
            return status(status=status.FAILURE)
        self._scopes[asked.scope] = None
        return status(status=status.SUCCESS)

    def _call_check_scope_exists(self, asked: messages.ScopeInfo) -> Any:
        return messages.ExistsResponse(exists=asked.scope in self._scopes)

    def _call_list_scopes(self, asked: messages.ScopesRequest) -> Any:
        names, token = _page(sorted(self._scopes), asked.continuationToken.token)
        return messages.ScopesResponse(scopes=names, continuationToken={"token": token})

    def _call_delete_scope(self, asked: messages.ScopeInfo) -> Any:
        status = messages.DeleteScopeStatus
        scope = asked.scope
        if scope not in self._scopes:
            return status(status=status.SCOPE_NOT_FOUND)
        here = f"{scope}/"
        others = [name for name in (*self._tables, *self._groups) if name.startswith(here)]
        if others or self._streams.of_scope(scope):
            return status(status=status.SCOPE_NOT_EMPTY)
        del self._scopes[scope]
        return status(status=status.SUCCESS)

    def _call_delete_scope_recursive(self, asked: messages.ScopeInfo) -> Any:
        status = messages.DeleteScopeStatus
        scope = asked.scope
        if scope not in self._scopes:
            return status(status=status.SCOPE_NOT_FOUND)
        for stream in self._streams.of_scope(scope):
            if not stream.is_sealed:
                self._streams.seal(stream)
            self._streams.delete(stream)
        for name in [name for name in self._tables if name.startswith(f"{scope}/")]:
            self._delete_table(name)
        for name in [name for name in self._groups if name.startswith(f"{scope}/")]:
            del self._groups[name]
        del self._scopes[scope]
        return status(status=status.SUCCESS)

    # Streams

    def _stream(self, info: Info) -> Stream:
        stream = self._streams.get(_name(info))
        if stream is None:
            raise NotFound(f"Stream {_name(info)} not found.")
        self._streams.expire(stream, self._now())
        return stream

    def _call_create_stream(self, asked: messages.StreamConfig) -> Any:
        status = messages.CreateStreamStatus
        info = asked.streamInfo
        if not STREAM_NAME.fullmatch(info.stream):
            return status(status=status.INVALID_STREAM_NAME)
        if info.scope not in self._scopes:
            return status(status=status.SCOPE_NOT_FOUND)
        if self._streams.get(_name(info)) is not None:
            return status(status=status.STREAM_EXISTS)
        self._streams.create(_name(info), asked)
        if not info.stream.startswith("_"):  # watermarks have a stream, which stays empty
            mark = Info(scope=info.scope, stream=f"{MARK_PREFIX}{info.stream}")
            self._create_internal(mark)
        return status(status=status.SUCCESS)

    def _create_internal(self, info: Info) -> None:
        """Create a stream of one segment that clients do not create themselves."""
        if self._streams.get(_name(info)) is None:
            policy = messages.ScalingPolicy(minNumSegments=1)
            config = messages.StreamConfig(streamInfo=info, scalingPolicy=policy)
            self._streams.create(_name(info), config)

    def _delete_internal(self, name: str) -> None:
        stream = self._streams.get(name)
        if stream is not None:
            if not stream.is_sealed:
                self._streams.seal(stream)
            self._streams.delete(stream)

    def _call_check_stream_exists(self, asked: Info) -> Any:
        return messages.ExistsResponse(exists=self._streams.get(_name(asked)) is not None)

    def _call_get_stream_configuration(self, asked: Info) -> Any:
        return self._stream(asked).config

    def _call_update_stream(self, asked: messages.StreamConfig) -> Any:
        status = messages.UpdateStreamStatus
        stream = self._streams.get(_name(asked.streamInfo))
        if stream is None:
            return status(status=status.STREAM_NOT_FOUND)
        if stream.is_sealed:
            return status(status=status.STREAM_SEALED)
        stream.config = asked
        return status(status=status.SUCCESS)

    def _call_truncate_stream(self, asked: messages.StreamCut) -> Any:
        status = messages.UpdateStreamStatus
        stream = self._streams.get(_name(asked.streamInfo))
        if stream is None:
            return status(status=status.STREAM_NOT_FOUND)
        if stream.is_sealed:
            return status(status=status.STREAM_SEALED)
        done = self._streams.truncate(stream, asked.cut)
        return status(status=status.SUCCESS if done else status.FAILURE)

    def _call_seal_stream(self, asked: Info) -> Any:
        status = messages.UpdateStreamStatus
        stream = self._streams.get(_name(asked))
        if stream is None:
            return status(status=status.STREAM_NOT_FOUND)
        if not stream.is_sealed:
            self._streams.seal(stream)
        return status(status=status.SUCCESS)

    def _call_delete_stream(self, asked: Info) -> Any:
        status = messages.DeleteStreamStatus
        stream = self._streams.get(_name(asked))
        if stream is None:
            return status(status=status.STREAM_NOT_FOUND)
        if not stream.is_sealed:
            return status(status=status.STREAM_NOT_SEALED)
        self._streams.delete(stream)
        self._delete_internal(f"{asked.scope}/{MARK_PREFIX}{asked.stream}")
        return status(status=status.SUCCESS)

    def _call_list_streams_in_scope(self, asked: messages.StreamsInScopeRequest) -> Any:
        return self._listed(asked, self._streams.of_scope(asked.scope.scope))

    def _call_list_streams_in_scope_for_tag(
        self, asked: messages.StreamsInScopeWithTagRequest
    ) -> Any:
        streams = self._streams.of_scope(asked.scope.scope)
        return self._listed(asked, [each for each in streams if asked.tag in each.config.tags.tag])

    def _listed(self, asked: Any, streams: list[Stream]) -> Any:
        reply = messages.StreamsInScopeResponse
        if asked.scope.scope not in self._scopes:
            return reply(status=reply.SCOPE_NOT_FOUND)
        names = sorted(stream.name.partition("/")[2] for stream in streams)
        found, token = _page(names, asked.continuationToken.token)
        infos = [Info(scope=asked.scope.scope, stream=name) for name in found]
        return reply(streams=infos, continuationToken={"token": token}, status=reply.SUCCESS)

    # Segments of streams

    def _call_get_current_segments(self, asked: Info) -> Any:
        stream = self._stream(asked)
        return self._ranges(asked, stream.active)

    def _call_get_epoch_segments(self, asked: messages.GetEpochSegmentsRequest) -> Any:
        stream = self._stream(asked.streamInfo)
        if not 0 <= asked.epoch < len(stream.epochs):
            raise NotFound(f"epoch {asked.epoch} of {stream.name}")
        return self._ranges(asked.streamInfo, stream.epochs[asked.epoch])

    def _ranges(self, info: Info, pieces: list[Piece]) -> Any:
        ranges = [_range(info, piece) for piece in pieces]
        return messages.SegmentRanges(segmentRanges=ranges, delegationToken=self._token)

    def _call_get_segments(self, asked: messages.GetSegmentsRequest) -> Any:
        stream = self._stream(asked.streamInfo)
        reply = messages.SegmentsAtTime(delegationToken=self._token)
        for segment_id, offset in stream.cut.items():
            at = reply.segments.add(offset=offset)
            at.segmentId.CopyFrom(_id(asked.streamInfo, segment_id))
        return reply

    def _call_get_segments_immediately_following(self, asked: messages.SegmentId) -> Any:
        stream = self._stream(asked.streamInfo)
        reply = messages.SuccessorResponse(delegationToken=self._token)
        for piece in stream.successors.get(asked.segmentId, ()):
            entry = reply.segments.add(value=stream.predecessors[piece.segment_id])
            entry.segment.CopyFrom(_range(asked.streamInfo, piece))
        return reply

    _call_get_segments_immediatly_following = _call_get_segments_immediately_following
    """The name before it was corrected."""

    def _call_get_segments_between(self, asked: messages.StreamCutRange) -> Any:
        stream = self._stream(asked.streamInfo)
        # The name of the field is a keyword of Python.
        found = self._streams.between(stream, getattr(asked, "from"), asked.to)
        ids = [_id(asked.streamInfo, each) for each in found]
        return messages.StreamCutRangeResponse(segments=ids, delegationToken=self._token)

    def _call_is_segment_valid(self, asked: messages.SegmentId) -> Any:
        stream = self._stream(asked.streamInfo)
        active = {piece.segment_id for piece in stream.active}
        return messages.SegmentValidityResponse(response=asked.segmentId in active)

    def _call_is_stream_cut_valid(self, asked: messages.StreamCut) -> Any:
        stream = self._stream(asked.streamInfo)
        valid = self._streams.is_valid(stream, asked.cut)
        return messages.StreamCutValidityResponse(response=valid)

    def _call_scale(self, asked: messages.ScaleRequest) -> Any:
        stream = self._stream(asked.streamInfo)
        reply = messages.ScaleResponse
        ranges = [(each.start, each.end) for each in asked.newKeyRanges]
        epoch = len(stream.epochs) - 1
        if not self._streams.scale(stream, asked.sealedSegments, ranges):
            return reply(status=reply.PRECONDITION_FAILED, epoch=epoch)
        pieces = [_range(asked.streamInfo, piece) for piece in stream.active]
        return reply(status=reply.STARTED, segments=pieces, epoch=epoch)

    def _call_check_scale(self, asked: messages.ScaleStatusRequest) -> Any:
        stream = self._stream(asked.streamInfo)
        reply = messages.ScaleStatusResponse
        is_done = 0 <= asked.epoch < len(stream.epochs)
        return reply(status=reply.SUCCESS if is_done else reply.INVALID_INPUT)

    # Transactions

    def _call_create_transaction(self, asked: messages.CreateTxnRequest) -> Any:
        stream = self._stream(asked.streamInfo)
        if stream.is_sealed or not 0 < asked.lease <= MAX_LEASE:
            raise ValueError(f"{stream.name} is sealed, or the lease {asked.lease} is invalid")
        transaction = self._streams.begin(stream, self._now() + asked.lease)
        return messages.CreateTxnResponse(
            txnId=_txn_id(transaction.transaction_id),
            activeSegments=[_range(asked.streamInfo, piece) for piece in stream.active],
            delegationToken=self._token,
        )

    def _transaction(self, asked: Any) -> tuple[Stream, Transaction | None]:
        stream = self._stream(asked.streamInfo)
        high, low = (half & (1 << 64) - 1 for half in (asked.txnId.highBits, asked.txnId.lowBits))
        return stream, stream.transactions.get(uuid.UUID(int=high << 64 | low))

    def _call_commit_transaction(self, asked: messages.TxnRequest) -> Any:
        status = messages.TxnStatus
        stream, transaction = self._transaction(asked)
        if transaction is None:
            return status(status=status.TRANSACTION_NOT_FOUND)
        if transaction.state == OPEN:
            self._streams.commit(stream, transaction)
            if asked.writerId:
                self._note(stream, asked.writerId, asked.timestamp)
        done = transaction.state == COMMITTED
        return status(status=status.SUCCESS if done else status.FAILURE)

    def _call_abort_transaction(self, asked: messages.TxnRequest) -> Any:
        status = messages.TxnStatus
        stream, transaction = self._transaction(asked)
        if transaction is None:
            return status(status=status.TRANSACTION_NOT_FOUND)
        self._streams.abort(stream, transaction)
        done = transaction.state == ABORTED
        return status(status=status.SUCCESS if done else status.FAILURE)

    def _call_ping_transaction(self, asked: messages.PingTxnRequest) -> Any:
        status = messages.PingTxnStatus
        _, transaction = self._transaction(asked)
        if transaction is None:
            return status(status=status.UNKNOWN)
        if transaction.state != OPEN:
            ended = {COMMITTED: status.COMMITTED, ABORTED: status.ABORTED}
            return status(status=ended[transaction.state])
        if not 0 < asked.lease <= MAX_LEASE:
            return status(status=status.LEASE_TOO_LARGE)
        transaction.expires = self._now() + asked.lease
        return status(status=status.OK)

    def _call_check_transaction_state(self, asked: messages.TxnRequest) -> Any:
        _, transaction = self._transaction(asked)
        if transaction is None:
            return messages.TxnState(state=messages.TxnState.UNKNOWN)
        return messages.TxnState(state=transaction.state)

    def _call_list_completed_transactions(self, asked: messages.ListCompletedTxnRequest) -> Any:
        reply = messages.ListCompletedTxnResponse()
        for transaction in self._stream(asked.streamInfo).transactions.values():
            if transaction.state != OPEN:
                is_committed = transaction.state == COMMITTED
                kind = messages.TxnResponse
                status = kind.COMMITTED if is_committed else kind.ABORTED
                reply.response.add(txnId=_txn_id(transaction.transaction_id), status=status)
        return reply

    # Times of writers

    def _call_note_timestamp_from_writer(self, asked: messages.TimestampFromWriter) -> Any:
        reply = messages.TimestampResponse
        stream = self._stream(asked.position.streamInfo)
        if not self._note(stream, asked.writer, asked.timestamp):
            return reply(result=reply.INVALID_TIME)
        return reply(result=reply.SUCCESS)

    def _note(self, stream: Stream, writer: str, time: int) -> bool:
        """Note the time of a writer; return whether it is not before the last one."""
        if stream.times.get(writer, time) > time:
            return False
        stream.times.pop(writer, None)
        stream.times[writer] = time
        if len(stream.times) > MAX_WRITERS:
            del stream.times[next(iter(stream.times))]
        return True

    def _call_remove_writer(self, asked: messages.RemoveWriterRequest) -> Any:
        reply = messages.RemoveWriterResponse
        stream = self._streams.get(_name(asked.stream))
        if stream is None:
            return reply(result=reply.STREAM_DOES_NOT_EXIST)
        known = stream.times.pop(asked.writer, None) is not None
        return reply(result=reply.SUCCESS if known else reply.UNKNOWN_WRITER)

    # Key-value tables

    def _call_create_key_value_table(self, asked: messages.KeyValueTableConfig) -> Any:
        status = messages.CreateKeyValueTableStatus
        name = f"{asked.scope}/{asked.kvtName}"
        if not USER_NAME.fullmatch(asked.kvtName):
            return status(status=status.INVALID_TABLE_NAME)
        if asked.scope not in self._scopes:
            return status(status=status.SCOPE_NOT_FOUND)
        if name in self._tables:
            return status(status=status.TABLE_EXISTS)
        length = asked.primaryKeyLength + asked.secondaryKeyLength
        created: list[str] = []
        try:
            for number in range(asked.partitionCount):
                segment = segment_name(f"{name}{SUFFIX}", number)
                self._segments.create(segment, Table(length))
                created.append(segment)
        except (Refusal, Hangup):
            for segment in created:
                self._segments.delete(segment)
            return status(status=status.FAILURE)
        self._tables[name] = asked
        return status(status=status.SUCCESS)

    def _call_get_key_value_table_configuration(self, asked: messages.KeyValueTableInfo) -> Any:
        reply = messages.KeyValueTableConfigResponse
        config = self._tables.get(f"{asked.scope}/{asked.kvtName}")
        if config is None:
            return reply(status=reply.TABLE_NOT_FOUND)
        return reply(config=config, status=reply.SUCCESS)

    def _call_get_current_segments_key_value_table(self, asked: messages.KeyValueTableInfo) -> Any:
        config = self._tables.get(f"{asked.scope}/{asked.kvtName}")
        if config is None:
            raise NotFound(f"table {asked.scope}/{asked.kvtName}")
        count = config.partitionCount
        pieces = [Piece(at, at / count, (at + 1) / count) for at in range(count)]
        return self._ranges(Info(scope=asked.scope, stream=asked.kvtName), pieces)

    def _call_list_key_value_tables_in_scope(self, asked: messages.KVTablesInScopeRequest) -> Any:
        reply = messages.KVTablesInScopeResponse
        scope = asked.scope.scope
        if scope not in self._scopes:
            return reply(status=reply.SCOPE_NOT_FOUND)
        here = f"{scope}/"
        names = sorted(name.removeprefix(here) for name in self._tables if name.startswith(here))
        found, token = _page(names, asked.continuationToken.token)
        tables = [messages.KeyValueTableInfo(scope=scope, kvtName=name) for name in found]
        return reply(kvtables=tables, continuationToken={"token": token}, status=reply.SUCCESS)

    def _call_delete_key_value_table(self, asked: messages.KeyValueTableInfo) -> Any:
        status = messages.DeleteKVTableStatus
        name = f"{asked.scope}/{asked.kvtName}"
        if name not in self._tables:
            return status(status=status.TABLE_NOT_FOUND)
        self._delete_table(name)
        return status(status=status.SUCCESS)

    def _delete_table(self, name: str) -> None:
        for number in range(self._tables.pop(name).partitionCount):
            self._segments.delete(segment_name(f"{name}{SUFFIX}", number))

    # Reader groups

    def _call_create_reader_group(self, asked: messages.ReaderGroupConfiguration) -> Any:
        reply = messages.CreateReaderGroupResponse
        name = f"{asked.scope}/{asked.readerGroupName}"
        if not USER_NAME.fullmatch(asked.readerGroupName):
            return reply(status=reply.INVALID_RG_NAME)
        if asked.scope not in self._scopes:
            return reply(status=reply.SCOPE_NOT_FOUND)
        if name not in self._groups:
            stream = f"{GROUP_PREFIX}{asked.readerGroupName}"
            self._create_internal(Info(scope=asked.scope, stream=stream))
            self._groups[name] = asked
            self._subscribe(name, asked)
        return reply(status=reply.SUCCESS, config=self._groups[name])

    def _subscribe(self, name: str, config: messages.ReaderGroupConfiguration) -> None:
        """Make a group that keeps events a subscriber of its streams, and of no others."""
        wanted = {_name(cut.streamInfo) for cut in config.startingStreamCuts}
        if config.retentionType == messages.ReaderGroupConfiguration.NONE:
            wanted = set()
        for scope in self._scopes:
            for stream in self._streams.of_scope(scope):
                if stream.name in wanted:
                    stream.subscribers.add(name)
                else:
                    stream.subscribers.discard(name)

    def _call_get_reader_group_config(self, asked: messages.ReaderGroupInfo) -> Any:
        reply = messages.ReaderGroupConfigResponse
        config = self._groups.get(f"{asked.scope}/{asked.readerGroup}")
        if config is None:
            return reply(status=reply.RG_NOT_FOUND)
        return reply(status=reply.SUCCESS, config=config)

    def _call_update_reader_group(self, asked: messages.ReaderGroupConfiguration) -> Any:
        reply = messages.UpdateReaderGroupResponse
        name = f"{asked.scope}/{asked.readerGroupName}"
        known = self._groups.get(name)
        if known is None:
            return reply(status=reply.RG_NOT_FOUND)
        if (known.generation, known.readerGroupId) != (asked.generation, asked.readerGroupId):
            return reply(status=reply.INVALID_CONFIG, generation=known.generation)
        asked.generation += 1
        self._groups[name] = asked
        self._subscribe(name, asked)
        return reply(status=reply.SUCCESS, generation=asked.generation)

    def _call_delete_reader_group(self, asked: messages.ReaderGroupInfo) -> Any:
        status = messages.DeleteReaderGroupStatus
        name = f"{asked.scope}/{asked.readerGroup}"
        config = self._groups.get(name)
        if config is None or config.readerGroupId != asked.readerGroupId:
            return status(status=status.RG_NOT_FOUND)
        config.retentionType = messages.ReaderGroupConfiguration.NONE
        self._subscribe(name, config)
        del self._groups[name]
        self._delete_internal(f"{asked.scope}/{GROUP_PREFIX}{asked.readerGroup}")
        return status(status=status.SUCCESS)

    def _call_list_subscribers(self, asked: Info) -> Any:
        reply = messages.SubscribersResponse
        stream = self._streams.get(_name(asked))
        if stream is None:
            return reply(status=reply.STREAM_NOT_FOUND)
        return reply(status=reply.SUCCESS, subscribers=sorted(stream.subscribers))

    def _call_update_subscriber_stream_cut(self, asked: messages.SubscriberStreamCut) -> Any:
        status = messages.UpdateSubscriberStatus
        stream = self._streams.get(_name(asked.streamCut.streamInfo))
        if stream is None:
            return status(status=status.STREAM_NOT_FOUND)
        if asked.subscriber not in stream.subscribers:
            return status(status=status.SUBSCRIBER_NOT_FOUND)
        if self._groups[asked.subscriber].generation != asked.generation:
            return status(status=status.GENERATION_MISMATCH)
        return status(status=status.SUCCESS)


def _name(info: Info) -> str:
    return f"{info.scope}/{info.stream}"


def _id(info: Info, segment_id: int) -> messages.SegmentId:
    return messages.SegmentId(streamInfo=info, segmentId=segment_id)


def _range(info: Info, piece: Piece) -> messages.SegmentRange:
    segment = _id(info, piece.segment_id)
    return messages.SegmentRange(segmentId=segment, minKey=piece.low, maxKey=piece.high)


def _txn_id(of: uuid.UUID) -> messages.TxnId:
    """Return the message of a transaction's id, whose halves are signed."""
    halves = (of.int >> 64, of.int & (1 << 64) - 1)
    high, low = (half - (1 << 64) * (half >> 63) for half in halves)
    return messages.TxnId(highBits=high, lowBits=low)


def _page(names: list[str], token: str) -> tuple[list[str], str]:
    """Return the names after a token, and the token that continues after them."""
    found = [name for name in names if name > token][:PAGE]
    return found, found[-1] if found else token
