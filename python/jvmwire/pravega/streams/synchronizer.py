"""State synchronizers: one state that many processes have, and change in one order.

A revisioned stream holds initial states and updates. Each process applies them in their order, and
appends an update only on the condition that it has applied all before it. The framing of both is
that of Java's `StateSynchronizer` (`UpdateOrInitSerializer`); what is in them, `StateKind` says.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

from jvmwire._runtime.client import AsyncCaller, SyncCaller, operation
from jvmwire.errors import DecodeError, LocalProtocolError
from jvmwire.pravega.closing import AsyncEnding, ClosableWriter, SyncClosableWriter
from jvmwire.pravega.errors import SegmentIsTruncated

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from jvmwire._runtime.operations import Operation
    from jvmwire.errors import JvmWireError
    from jvmwire.pravega.streams.revisioned import RevisionedEntry, RevisionedSegment

S = TypeVar("S")
U = TypeVar("U")

INITIAL = 1
"""`UpdateOrInitSerializer.INITIALIZATION`."""
UPDATES = 2
"""`UpdateOrInitSerializer.UPDATE`."""
INT = 4
"""Bytes of the kind of an entry, and of the length of an update."""


@dataclass(frozen=True, slots=True)
class StateKind(Generic[S, U]):
    """Serialisation of a state and of its updates, and what an update makes of a state."""

    encode_state: Callable[[S], bytes]
    """Returns the initial update that creates this state."""
    decode_state: Callable[[bytes], S]
    encode_update: Callable[[U], bytes]
    decode_update: Callable[[bytes], U]
    apply: Callable[[S, U], S]
    """Returns the state after an update: a new object, if states are handed to other threads."""


class Synchronizer(Generic[S, U]):
    """One state as far as it is known, and how it is read and changed."""

    def __init__(self, segment: RevisionedSegment, kind: StateKind[S, U]) -> None:
        self.stream = segment.stream
        self._segment = segment
        self._kind = kind
        self._state: S | None = None
        self._revision = -1
        """The revision after the last update that was applied."""
        self._awaits_initial = True
        """Whether updates cannot be applied: the initial state before them was not read."""

    @property
    def state(self) -> S | None:
        """The state as it was read last; None before it was."""
        return self._state

    @property
    def revision(self) -> int:
        """The revision after the last update that was applied; -1 before the first."""
        return self._revision

    def known(self) -> S:
        """Return the state.

        Raises:
            LocalProtocolError: it was not initialised.
        """
        if self._state is None:
            raise LocalProtocolError(f"{self.stream!r} has no initial state: call `initialize`")
        return self._state

    def initialize(self, state: S) -> Operation[bool]:
        """Make `state` the first one; return whether it is, else read the one that is there."""
        entry = INITIAL.to_bytes(INT, "big") + self._kind.encode_state(state)
        revision = yield from self._segment.append_if(entry, 0)
        if revision is None:
            yield from self._restart()
            return False
        self._set(revision, state)
        return True

    def fetch(self) -> Operation[None]:
        """Apply what was appended since the last time."""
        if self._awaits_initial:
            yield from self._restart()
            return
        try:
            yield from self._segment.scan(self._revision, self._take)
        except SegmentIsTruncated:
            yield from self._restart()

    def update(self, choose: Callable[[S], Sequence[U]]) -> Operation[S]:
        """Append the updates that `choose` returns for the latest state; return the state after.

        `choose` is called again whenever others changed the state meanwhile.
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
        """Append updates, whatever the state is."""
        if updates:
            yield from self._segment.append(self._encode(updates))

    def bytes_since_compaction(self) -> Operation[int]:
        """Return how much is read by who begins to read the state now."""
        marked = yield from self._segment.mark()
        return max(0, self._revision - (marked or 0))

    def compact(self) -> Operation[None]:
        """Append the state as an initial one, begin there from now on, and drop older ones."""
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
            self._revision = after  # it is the same state
        marked = yield from self._segment.mark()
        if marked is None or marked < revision:
            yield from self._segment.set_mark(revision, marked)
        if marked is not None:
            # Who read the mark before it was set begins there: only what is older goes.
            yield from self._segment.truncate(marked)

    def end(self, failure: JvmWireError) -> None:
        """Change nothing more; callers that wait are thrown `failure`."""
        self._segment.end(failure)

    def _restart(self) -> Operation[None]:
        """Read from the mark on, or from the oldest revision."""
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


class _Synchronizes(ClosableWriter[Synchronizer[S, U]]):
    _noun = "state synchronizer"

    @property
    def state(self) -> S | None:
        """The state as it was read last; None before the first call."""
        return self._writer.state

    @operation
    def fetch_updates(self) -> Operation[S | None]:
        """Read what others changed, and return the state; None if it was never initialised."""
        yield from self._writer.fetch()
        return self._writer.state

    @operation
    def initialize(self, state: S) -> Operation[bool]:
        """Make `state` the first one, unless there is one already; return whether it is.

        Source: StateSynchronizer.initialize (Pravega 0.13).
        """
        return self._writer.initialize(state)

    @operation
    def update(self, choose: Callable[[S], Sequence[U]]) -> Operation[S]:
        """Change the state by the updates that `choose` returns for it; return the state after.

        Args:
            choose: Called with the state as it is known, and again with a later one whenever others
                changed it before: the updates of the last call are applied, once. None if there is
                nothing to change. It must not block.

        Raises:
            LocalProtocolError: the state was never initialised.
            StreamIsSealed: the stream takes no more.

        Source: StateSynchronizer.updateState (Pravega 0.13).
        """
        return self._writer.update(choose)

    @operation
    def update_unconditionally(self, updates: Sequence[U]) -> Operation[None]:
        """Change the state by `updates`, whatever it is; `fetch_updates` reads the result.

        Source: StateSynchronizer.updateStateUnconditionally (Pravega 0.13).
        """
        return self._writer.write(updates)

    @operation
    def bytes_since_compaction(self) -> Operation[int]:
        """Return the bytes of updates since the last compaction.

        Source: StateSynchronizer.bytesWrittenSinceCompaction (Pravega 0.13).
        """
        return self._writer.bytes_since_compaction()

    @operation
    def compact(self) -> Operation[None]:
        """Have readers begin at the state of now, and drop what is older than the last such state.

        Source: StateSynchronizer.compact (Pravega 0.13).
        """
        return self._writer.compact()

    def _store(self) -> Operation[None]:
        yield from ()


class StateSynchronizer(_Synchronizes[S, U], SyncClosableWriter[Synchronizer[S, U]]):
    """A state that is shared through a stream; threads may share it."""

    def __init__(self, client: SyncCaller, writer: Synchronizer[S, U]) -> None:
        super().__init__(client, writer)


class AsyncStateSynchronizer(_Synchronizes[S, U], AsyncEnding[Synchronizer[S, U]]):
    """The same, awaited; tasks may share it."""

    def __init__(self, client: AsyncCaller, writer: Synchronizer[S, U]) -> None:
        super().__init__(client, writer)
