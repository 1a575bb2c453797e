"""State synchronizers: a state that processes share and change under optimistic locking.

A revisioned stream holds initial states and updates. Each process applies them in order, and
appends an update only on the condition that it has applied all updates before it. The framing of
both is that of Java's `StateSynchronizer` (`UpdateOrInitSerializer`); `StateKind` defines their
content.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

from jvmwire._runtime.client import operation
from jvmwire.errors import DecodeError, NotStarted
from jvmwire.pravega._arguments import check_type
from jvmwire.pravega._closing import AsyncClosableWriter, ClosableWriter, SyncClosableWriter
from jvmwire.pravega.errors import SegmentIsTruncated

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from jvmwire._runtime.operations import Operation
    from jvmwire.errors import JvmWireError
    from jvmwire.pravega.streams._revisioned import RevisionedEntry, RevisionedSegment

S = TypeVar("S")
U = TypeVar("U")

INITIAL = 1
"""`UpdateOrInitSerializer.INITIALIZATION`."""
UPDATES = 2
"""`UpdateOrInitSerializer.UPDATE`."""
INT = 4
"""Bytes of an entry's kind, and of an update's length."""


@dataclass(frozen=True, slots=True)
class StateKind(Generic[S, U]):
    """Serialisation of a state and of its updates, and the function that applies updates.

    Args:
        encode_state: Returns the bytes of an initial update that creates a state.
        decode_state: Returns the state that an initial update creates.
        encode_update: Returns the bytes of an update.
        decode_update: Returns the update that `encode_update` encoded.
        apply: Returns the state after an update: a new object if other threads use the old state.
    """

    encode_state: Callable[[S], bytes]
    """Returns the initial update that creates this state."""
    decode_state: Callable[[bytes], S]
    encode_update: Callable[[U], bytes]
    decode_update: Callable[[bytes], U]
    apply: Callable[[S, U], S]


class Synchronizer(Generic[S, U]):
    """Replica of one shared state, with the operations that read and change it."""

    def __init__(self, segment: RevisionedSegment, kind: StateKind[S, U]) -> None:
        self.stream = segment.stream
        self._segment = segment
        self._kind = kind
        self._state: S | None = None
        self._revision = -1
        """The revision after the last update that was applied."""
        self._awaits_initial = True
        """Whether updates cannot be applied yet because the initial state before them was not
        read.
        """

    @property
    def state(self) -> S | None:
        """The state as of the last fetch; None before the first."""
        return self._state

    @property
    def revision(self) -> int:
        """The revision after the last update that was applied; -1 before the first."""
        return self._revision

    def known(self) -> S:
        """Return the state.

        Raises:
            NotStarted: the state was not initialised.
        """
        if self._state is None:
            raise NotStarted(f"{self.stream!r} has no initial state: call `initialize`")
        return self._state

    def initialize(self, state: S) -> Operation[bool]:
        """Store the initial state, or read the existing one; return whether it was stored."""
        entry = INITIAL.to_bytes(INT, "big") + self._kind.encode_state(state)
        revision = yield from self._segment.append_if(entry, 0)
        if revision is None:
            yield from self._restart()
            return False
        self._set(revision, state)
        return True

    def fetch(self) -> Operation[None]:
        """Apply the updates that were appended since the last fetch."""
        if self._awaits_initial:
            yield from self._restart()
            return
        try:
            yield from self._segment.scan(self._revision, self._take)
        except SegmentIsTruncated:
            yield from self._restart()

    def update(self, choose: Callable[[S], Sequence[U]]) -> Operation[S]:
        """Append the updates that `choose` returns for the latest state; return the state after.

        `choose` is called again whenever another process changed the state meanwhile.
        """
        if self._state is None:
            yield from self.fetch()
        while True:
            state, revision = self.known(), self._revision
            updates = choose(state)
            if not updates:
                return state
            entry = self._encode(updates)
            after = yield from self._segment.append_if(entry, revision)
            if after is not None:
                self._apply(after, updates)
                return self.known()
            yield from self.fetch()

    def write(self, updates: Sequence[U]) -> Operation[None]:
        """Append updates unconditionally."""
        if updates:
            yield from self._segment.append(self._encode(updates))

    def bytes_since_compaction(self) -> Operation[int]:
        """Return the number of bytes that a new replica reads."""
        marked = yield from self._segment.mark()
        return max(0, self._revision - (marked or 0))

    def compact(self) -> Operation[None]:
        """Append the state as an initial one, mark it as the start, and drop older entries."""
        if self._state is None:
            yield from self.fetch()
        while True:
            state, revision = self.known(), self._revision
            entry = INITIAL.to_bytes(INT, "big") + self._kind.encode_state(state)
            after = yield from self._segment.append_if(entry, revision)
            if after is not None:
                break
            yield from self.fetch()
        if self._revision == revision:
            self._revision = after  # the state is the same
        marked = yield from self._segment.mark()
        if marked is None or marked < revision:
            yield from self._segment.set_mark(revision, marked)
        if marked is not None:
            # Processes that read the old mark begin there, so only older entries are dropped.
            yield from self._segment.truncate(marked)

    def end(self, failure: JvmWireError) -> None:
        """Stop changing the state; pending calls raise `failure`."""
        self._segment.end(failure)

    def _restart(self) -> Operation[None]:
        """Read from the mark, or from the oldest revision."""
        self._awaits_initial = True
        while True:
            start = yield from self._segment.mark()
            if start is None:
                start = (yield from self._segment.info()).start_offset
            try:
                yield from self._segment.scan(start, self._take)
            except SegmentIsTruncated:
                continue  # another mark was set meanwhile
            break
        if self._awaits_initial and self._state is not None:
            raise DecodeError(f"{self.stream!r} was truncated, and holds no initial state after")

    def _take(self, entry: RevisionedEntry) -> None:
        try:
            self._read(entry.revision, entry.data)
        except DecodeError as error:
            at = f"before revision {entry.revision} of {self.stream!r}"
            raise DecodeError(f"no state {at}: {error}") from error

    def _read(self, revision: int, data: bytes) -> None:
        kind = int.from_bytes(data[:INT], "big") if len(data) >= INT else None
        if kind == INITIAL:
            self._set(revision, self._kind.decode_state(data[INT:]))
        elif kind != UPDATES:
            raise DecodeError(f"an entry of the kind {kind}: expected {INITIAL} or {UPDATES}")
        elif revision > self._revision and not self._awaits_initial:
            self._apply(revision, [self._kind.decode_update(each) for each in _split(data)])

    def _set(self, revision: int, state: S) -> None:
        if revision > self._revision:
            self._state, self._revision = state, revision
        self._awaits_initial = False

    def _apply(self, revision: int, updates: Sequence[U]) -> None:
        # A concurrent call may have read them meanwhile.
        if revision > self._revision:
            state = self.known()
            for update in updates:
                state = self._kind.apply(state, update)
            self._state, self._revision = state, revision

    def _encode(self, updates: Sequence[U]) -> bytes:
        encoded = [self._kind.encode_update(each) for each in updates]
        parts = [UPDATES.to_bytes(INT, "big")]
        for each in encoded:
            parts += (len(each).to_bytes(INT, "big"), each)
        return b"".join(parts)


def _split(data: bytes) -> Iterator[bytes]:
    """Yield the updates of an entry."""
    at = INT
    while at < len(data):
        length = int.from_bytes(data[at : at + INT], "big")
        at += INT
        if length > len(data) - at:
            raise DecodeError(
                f"an update of {length} bytes, where {max(0, len(data) - at)} are left"
            )
        yield data[at : at + length]
        at += length


class _SynchronizerMethods(ClosableWriter[Synchronizer[S, U]]):
    _noun = "state synchronizer"

    @property
    def state(self) -> S | None:
        """The state as of the last fetch; None before the first call."""
        return self._writer.state

    @operation
    def fetch_updates(self) -> Operation[S | None]:
        """Apply the updates of other processes.

        Returns:
            The state, None if it was never initialised.

        Source: StateSynchronizer.fetchUpdates (Pravega 0.13).
        """
        yield from self._writer.fetch()
        return self._writer.state

    @operation
    def initialize(self, state: S) -> Operation[bool]:
        """Store the initial state, unless there is one already.

        Args:
            state: The initial state.

        Returns:
            Whether `state` became the initial state.

        Source: StateSynchronizer.initialize (Pravega 0.13).
        """
        return self._writer.initialize(state)

    @operation
    def update(self, choose: Callable[[S], Sequence[U]]) -> Operation[S]:
        """Change the state by the updates that `choose` returns for it.

        Args:
            choose: Called with the known state, and again with a later one whenever another process
                changed the state before: the updates of the last call are applied, once. It returns
                an empty sequence or None if there is nothing to change, and must not block.

        Returns:
            The state after the updates.

        Raises:
            NotStarted: the state was never initialised.
            StreamIsSealed: the stream accepts no more updates.

        Source: StateSynchronizer.updateState (Pravega 0.13).
        """
        if not callable(choose):
            raise TypeError(f"choose must be a function, got {type(choose).__name__}")
        return self._writer.update(choose)

    @operation
    def update_unconditionally(self, updates: Sequence[U]) -> Operation[None]:
        """Append updates unconditionally; `fetch_updates` reads the result.

        Args:
            updates: The updates, in order.

        Source: StateSynchronizer.updateStateUnconditionally (Pravega 0.13).
        """
        check_type("updates", updates, Sequence)
        return self._writer.write(updates)

    @operation
    def bytes_since_compaction(self) -> Operation[int]:
        """Compute the number of bytes of updates since the last compaction.

        Returns:
            The number of bytes.

        Source: StateSynchronizer.bytesWrittenSinceCompaction (Pravega 0.13).
        """
        return self._writer.bytes_since_compaction()

    @operation
    def compact(self) -> Operation[None]:
        """Make the present state the start for new replicas, and drop entries before the old one.

        Source: StateSynchronizer.compact (Pravega 0.13).
        """
        return self._writer.compact()

    def _store(self) -> Operation[None]:
        yield from ()


class StateSynchronizer(_SynchronizerMethods[S, U], SyncClosableWriter[Synchronizer[S, U]]):
    """State that processes share through a stream; thread-safe."""


class AsyncStateSynchronizer(_SynchronizerMethods[S, U], AsyncClosableWriter[Synchronizer[S, U]]):
    """Asyncio counterpart of `StateSynchronizer`; tasks may share it."""
