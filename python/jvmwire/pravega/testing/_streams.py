"""Scopes, streams and transactions of a double's controller, without I/O.

A stream is a list of epochs. A change of its segments begins a new epoch, in which the segments
that were sealed have successors: `StreamMetadataTasks` and `PersistentStreamBase` of Pravega.
"""

from __future__ import annotations

import uuid
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING

from jvmwire.pravega.streams import _controller_pb2 as messages
from jvmwire.pravega.streams._names import segment_name, transaction_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from jvmwire.pravega.testing._segments import Segments

Ranges = list[tuple[float, float]]

MAX_EPOCHS = 10_000
"""Changes of the segments of a stream, at most (chosen by jvmwire)."""
MAX_TRANSACTIONS = 10_000
"""Transactions that a stream remembers; the oldest that have ended are forgotten."""
OPEN, COMMITTED, ABORTED = (
    messages.TxnState.OPEN,
    messages.TxnState.COMMITTED,
    messages.TxnState.ABORTED,
)
EPSILON = 1e-9
"""Difference of bounds of ranges that counts as none: `ScaleOperationTask` compares them so."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A segment of a stream and its range of routing positions."""

    segment_id: int
    low: float
    high: float

    def overlaps(self, other: Piece) -> bool:
        """Return whether keys of this segment may be of the other."""
        return self.low < other.high and other.low < self.high


@dataclass(slots=True)
class Transaction:
    """A transaction of a stream."""

    transaction_id: uuid.UUID
    epoch: int
    expires: int
    """Milliseconds since 1970 after which it is aborted."""
    state: messages.TxnState.State = OPEN


@dataclass(slots=True)
class Stream:
    """A stream: its configuration, its epochs and its transactions."""

    name: str
    """`scope/stream`."""
    config: messages.StreamConfig
    epochs: list[list[Piece]]
    next_number: int
    cut: dict[int, int]
    """The segments at the head, with offsets."""
    is_sealed: bool = False
    successors: dict[int, list[Piece]] = field(default_factory=dict)
    predecessors: dict[int, list[int]] = field(default_factory=dict)
    transactions: dict[uuid.UUID, Transaction] = field(default_factory=dict)
    times: dict[str, int] = field(default_factory=dict)
    """The latest time that each writer noted."""
    subscribers: set[str] = field(default_factory=set)

    @property
    def active(self) -> list[Piece]:
        """The segments that accept events."""
        return [] if self.is_sealed else self.epochs[-1]

    def names(self) -> Iterable[str]:
        """Return the names of all segments that the stream ever had."""
        known = {piece.segment_id for epoch in self.epochs for piece in epoch}
        return (segment_name(self.name, each) for each in known)

    def after(self, segments: Iterable[int]) -> set[int]:
        """Return segments with all that follow them."""
        found: set[int] = set()
        waiting = list(segments)
        while waiting:
            each = waiting.pop()
            if each not in found:
                found.add(each)
                waiting += [piece.segment_id for piece in self.successors.get(each, ())]
        return found


class Streams:
    """The streams of a double, whose segments are those of its store.

    Args:
        segments: The segments of the store.
    """

    def __init__(self, segments: Segments) -> None:
        self._segments = segments
        self._streams: dict[str, Stream] = {}
        self._numbers: dict[str, int] = {}
        """The next number of a segment, by the names of deleted streams."""

    def get(self, name: str) -> Stream | None:
        """Return a stream, or None."""
        return self._streams.get(name)

    def of_scope(self, scope: str) -> list[Stream]:
        """Return the streams of a scope."""
        return [each for each in self._streams.values() if each.name.startswith(f"{scope}/")]

    def create(self, name: str, config: messages.StreamConfig) -> Stream:
        """Create a stream that does not exist yet, with its segments."""
        count = max(config.scalingPolicy.minNumSegments, 1)
        ends = [number / count for number in range(count + 1)]
        first = self._numbers.pop(name, 0)
        pieces = [Piece(first + at, *each) for at, each in enumerate(pairwise(ends))]
        self._create_segments(name, pieces)
        cut = {piece.segment_id: 0 for piece in pieces}
        stream = self._streams[name] = Stream(name, config, [pieces], first + count, cut)
        return stream

    def _create_segments(self, name: str, pieces: Sequence[Piece]) -> None:
        created: list[str] = []
        try:
            for piece in pieces:
                segment = segment_name(name, piece.segment_id)
                self._segments.create(segment)
                created.append(segment)
        except BaseException:
            for segment in created:
                self._segments.delete(segment)
            raise

    def seal(self, stream: Stream) -> None:
        """Seal a stream; its open transactions are aborted."""
        for transaction in list(stream.transactions.values()):
            self.abort(stream, transaction)
        self._seal_segments(stream, stream.active)
        stream.is_sealed = True

    def _seal_segments(self, stream: Stream, pieces: Iterable[Piece]) -> None:
        for piece in pieces:
            name = segment_name(stream.name, piece.segment_id)
            if name in self._segments and not self._segments.get(name).is_sealed:
                self._segments.seal(name)

    def delete(self, stream: Stream) -> None:
        """Delete a sealed stream; numbers of its segments are not used again."""
        for name in stream.names():
            if name in self._segments:
                self._segments.delete(name)
        self._numbers[stream.name] = stream.next_number
        del self._streams[stream.name]

    # Changes of segments

    def scale(self, stream: Stream, sealed: Iterable[int], ranges: Ranges) -> bool:
        """Replace segments by others of the same ranges; return whether they match."""
        ids = set(sealed)
        old = [piece for piece in stream.active if piece.segment_id in ids]
        if not old or len(old) != len(ids) or not _same_ranges(old, ranges):
            return False
        if len(stream.epochs) >= MAX_EPOCHS:
            return False
        epoch = len(stream.epochs)
        new = [
            Piece(epoch << 32 | stream.next_number + at, *each)
            for at, each in enumerate(sorted(ranges))
        ]
        self._create_segments(stream.name, new)
        stream.next_number += len(new)
        self._seal_segments(stream, old)
        kept = [piece for piece in stream.epochs[-1] if piece.segment_id not in ids]
        stream.epochs.append(sorted([*kept, *new], key=lambda piece: piece.low))
        for piece in old:
            stream.successors[piece.segment_id] = [each for each in new if each.overlaps(piece)]
        for piece in new:
            before = [each.segment_id for each in old if each.overlaps(piece)]
            stream.predecessors[piece.segment_id] = before
        return True

    def truncate(self, stream: Stream, cut: Mapping[int, int]) -> bool:
        """Drop what is before a cut; return whether the cut is of the stream."""
        if not self.is_valid(stream, cut):
            return False
        kept = stream.after(cut)
        for piece_id in stream.after(stream.cut) - kept:
            name = segment_name(stream.name, piece_id)
            if name in self._segments:
                self._segments.delete(name)
        for segment_id, offset in cut.items():
            segment = self._segments.get(segment_name(stream.name, segment_id))
            if segment.start < offset:
                self._segments.truncate(segment.name, offset)
        stream.cut = dict(cut)
        return True

    def between(
        self, stream: Stream, start: Mapping[int, int], end: Mapping[int, int]
    ) -> list[int]:
        """Return the segments that have events between two cuts; empty ones are the ends."""
        until: set[int] = set()
        waiting = list(end or {piece.segment_id for piece in stream.epochs[-1]})
        while waiting:
            each = waiting.pop()
            if each not in until:
                until.add(each)
                waiting += stream.predecessors.get(each, ())
        return sorted(stream.after(start or stream.cut) & until)

    def is_valid(self, stream: Stream, cut: Mapping[int, int]) -> bool:
        """Return whether a cut has segments of the stream that cover all keys, and offsets."""
        pieces = {piece.segment_id: piece for epoch in stream.epochs for piece in epoch}
        if not cut or not cut.keys() <= pieces.keys():
            return False
        for segment_id, offset in cut.items():
            name = segment_name(stream.name, segment_id)
            if name not in self._segments or not 0 <= offset <= self._segments.get(name).length:
                return False
        found = sorted((pieces[each] for each in cut), key=lambda piece: piece.low)
        return _same_ranges(found, [(0.0, 1.0)])

    # Transactions

    def begin(self, stream: Stream, expires: int) -> Transaction:
        """Begin a transaction in the present epoch."""
        epoch = len(stream.epochs) - 1
        # The epoch is in the upper 32 bits: `PersistentStreamBase.generateNewTxnId`.
        number = uuid.UUID(int=epoch << 96 | uuid.uuid4().int & (1 << 96) - 1)
        transaction = Transaction(number, epoch, expires)
        created: list[str] = []
        try:
            for piece in stream.active:
                name = transaction_name(segment_name(stream.name, piece.segment_id), number)
                self._segments.create(name)
                created.append(name)
        except BaseException:
            for name in created:
                self._segments.delete(name)
            raise
        stream.transactions[number] = transaction
        if len(stream.transactions) > MAX_TRANSACTIONS:
            ended = [each for each in stream.transactions.values() if each.state != OPEN]
            for each in ended[: MAX_TRANSACTIONS // 2]:
                del stream.transactions[each.transaction_id]
        return transaction

    def commit(self, stream: Stream, transaction: Transaction) -> None:
        """Append the events of an open transaction.

        If segments of its epoch were sealed since, two epochs follow: one with copies of the
        segments of the transaction, one with copies of those before it.
        """
        pieces = stream.epochs[transaction.epoch]
        targets = {piece.segment_id: piece.segment_id for piece in pieces}
        present = [(piece.low, piece.high) for piece in stream.active]
        is_rolling = any(piece not in stream.active for piece in pieces)
        if is_rolling:
            ids = [piece.segment_id for piece in stream.active]
            self.scale(stream, ids, [(piece.low, piece.high) for piece in pieces])
            copies = {piece.low: piece.segment_id for piece in stream.active}
            targets = {piece.segment_id: copies[piece.low] for piece in pieces}
        for piece in pieces:
            source = segment_name(stream.name, piece.segment_id)
            source = transaction_name(source, transaction.transaction_id)
            self._segments.merge(segment_name(stream.name, targets[piece.segment_id]), source, ())
        if is_rolling:
            self.scale(stream, [piece.segment_id for piece in stream.active], present)
        transaction.state = COMMITTED

    def abort(self, stream: Stream, transaction: Transaction) -> None:
        """Discard the events of a transaction, if it is open."""
        if transaction.state != OPEN:
            return
        for piece in stream.epochs[transaction.epoch]:
            name = segment_name(stream.name, piece.segment_id)
            name = transaction_name(name, transaction.transaction_id)
            if name in self._segments:
                self._segments.delete(name)
        transaction.state = ABORTED

    def expire(self, stream: Stream, now: int) -> None:
        """Abort the transactions whose lease is over."""
        for transaction in stream.transactions.values():
            if transaction.state == OPEN and transaction.expires < now:
                self.abort(stream, transaction)


def _same_ranges(pieces: Sequence[Piece], ranges: Ranges) -> bool:
    """Return whether ranges cover the same positions as segments, without overlap."""
    return _merged([(piece.low, piece.high) for piece in pieces]) == _merged(ranges) != []


def _merged(ranges: Ranges) -> Ranges:
    """Return the gapless spans that ranges cover, or none if two overlap."""
    spans: Ranges = []
    for low, high in sorted(ranges):
        if high <= low or (spans and low < spans[-1][1] - EPSILON):
            return []
        if spans and abs(low - spans[-1][1]) <= EPSILON:
            spans[-1] = spans[-1][0], high
        else:
            spans.append((low, high))
    return [(round(low, 9), round(high, 9)) for low, high in spans]
