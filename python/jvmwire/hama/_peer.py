"""Operations of a task: Java's `BSPPeer`, over the standard streams of the child."""

from __future__ import annotations

from collections import deque
from itertools import islice, takewhile
from typing import TYPE_CHECKING, Any, Final

from jvmwire._core import HamaOpWriter
from jvmwire.hama._commands import (
    BufferedOperations,
    Clear,
    GetAllPeerNames,
    GetCount,
    GetMessages,
    Log,
    ReadKeyValues,
    ReopenInput,
    Sync,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from jvmwire._components import ComponentChannel
    from jvmwire.hama._commands import ChildCommand
    from jvmwire.hama._configuration import JobConfiguration

WINDOW: Final = 512
"""Pairs or messages per request: 2.5 KB of requests, far less than the capacity of a pipe."""

FIRST_WINDOW: Final = 8
"""Pairs of the first request: few, so that a reader of few pairs does not wait for many."""

FLUSH_THRESHOLD: Final = 32 * 1024
"""Bytes of buffered operations without replies at which they are sent."""

END: Final = "%%-1%%"
"""The text that stands for a missing key, value or message."""


class BSPPeer:
    """One peer of a job, passed to each method of its `BSP`.

    Keys, values and messages are strings of one line: a line end in them is a ValueError, unless
    the job escapes line ends. Operations without replies are buffered and written together; input
    pairs are prefetched. Counters are missing on purpose: the real task reads them from its child
    in binary, in addition to the lines, and hangs.
    """

    def __init__(
        self,
        line: ComponentChannel[ChildCommand],
        configuration: JobConfiguration,
        *,
        hama_0_6: bool = False,
        escaping: bool = False,
    ) -> None:
        self.configuration = configuration
        """The properties of the job."""
        self._line = line
        self._writer = HamaOpWriter(early=hama_0_6, escaping=escaping)
        self._pairs: Iterator[tuple[str, str]] = iter(())
        self._ahead: int | None = None
        """The call ID of the request for the pairs after `_pairs`."""
        self._window = FIRST_WINDOW
        self._at_end = False
        self._messages: deque[str] = deque()
        self._waiting: int | None = None
        """Messages left in the task by its count; None before the count is requested."""
        self._uncounted = False
        """Whether there was a message more than the task had counted."""
        self._names: list[str] | None = None
        self._index: int | None = None

    def write(self, key: str, value: str) -> None:
        """Write a pair to the output of the job.

        Args:
            key: One line.
            value: One line.

        Raises:
            ValueError: the key or the value contains a line end.
        """
        self._writer.add("WRITE_KEYVALUE", key, value)
        if len(self._writer) >= FLUSH_THRESHOLD:
            self._flush()

    def write_all(self, pairs: Iterable[tuple[str, str]]) -> None:
        """Write many pairs; pairs before an invalid one are written.

        Args:
            pairs: Keys and values, one line each.

        Raises:
            ValueError: a key or a value contains a line end.
        """
        # `pairs` may depend on this peer's input: batches keep both sides busy.
        coming = iter(pairs)
        while batch := list(islice(coming, WINDOW)):
            self._writer.add_pairs("WRITE_KEYVALUE", batch)
            if len(self._writer) >= FLUSH_THRESHOLD:
                self._flush()

    def read_next(self) -> tuple[str, str] | None:
        """Return the next pair of the input, or None after the last.

        Returns:
            Key and value; None after the last pair.
        """
        if (pair := next(self._pairs, None)) is not None:
            return pair
        return None if self._at_end else self._read()

    def read_all(self) -> Iterator[tuple[str, str]]:
        """Yield the remaining pairs of the input.

        Yields:
            Keys and values.
        """
        return iter(self.read_next, None)

    def _read(self) -> tuple[str, str] | None:
        ahead, self._ahead = self._ahead, None
        if ahead is None:
            ahead = self._call(ReadKeyValues(self._window))
        lines: list[str] = self._line.result(ahead)
        taking = iter(lines)
        if lines[-1] == END and lines[-2] == END:
            self._at_end = True
            rest = [pair for pair in zip(taking, taking, strict=True) if pair != (END, END)]
            self._pairs = iter(rest)
        else:
            self._pairs = zip(taking, taking, strict=True)
            self._window = min(2 * self._window, WINDOW)
            # The task reads them while this process works on the current ones.
            self._ahead = self._call(ReadKeyValues(self._window))
            self._line.flush()
        return next(self._pairs, None)

    def reopen_input(self) -> None:
        """Start the input from its beginning."""
        self._finish_read_ahead()
        self._send(ReopenInput())
        self._pairs = iter(())
        self._window = FIRST_WINDOW
        self._at_end = False

    def send(self, peer_name: str, message: str) -> None:
        """Send a message to a peer, which receives it after the next `sync`.

        Args:
            peer_name: The name of the peer.
            message: One line.

        Raises:
            ValueError: the name or the message contains a line end.
        """
        self._writer.add("SEND_MSG", peer_name, message)
        if len(self._writer) >= FLUSH_THRESHOLD:
            self._flush()

    def current_message(self) -> str | None:
        """Return the next message that was sent to this peer before the last `sync`, or None.

        Returns:
            The message; None after the last.
        """
        if self._messages or self._fetch():
            return self._messages.popleft()
        return None

    def messages(self) -> Iterator[str]:
        """Yield the remaining messages.

        Yields:
            The messages, each once.
        """
        return iter(self.current_message, None)

    def num_current_messages(self) -> int:
        """Return the number of remaining messages.

        More than 512 messages are counted by Hama, whose count is sometimes too small if peers sent
        at the same time.

        Returns:
            The number of messages.
        """
        while len(self._messages) < WINDOW and self._fetch():
            pass
        return len(self._messages) + self._count()

    def clear(self) -> None:
        """Drop the remaining messages."""
        self._request(Clear())
        self._forget(waiting=0)

    def sync(self) -> None:
        """Wait at the barrier for all peers; afterwards each peer has the messages sent to it.

        Raises:
            SyncFailed: the barrier failed.
        """
        self._request(Sync())
        self._forget(waiting=None)

    def superstep_count(self) -> int:
        """Return the number of barriers that all peers passed.

        Returns:
            The number of barriers.
        """
        count: int = self._request(GetCount("GET_SUPERSTEP_COUNT"))
        return count

    def peer_name(self, index: int | None = None) -> str:
        """Return the name of a peer.

        Args:
            index: The index of the peer; None (the default) is this peer.

        Returns:
            The name, to which `send` takes messages.

        Raises:
            IndexError: there is no such peer (a real task would fail on such a request).
        """
        if index is None:
            return self.all_peer_names()[self.peer_index()]
        names = self.all_peer_names()
        if not 0 <= index < len(names):
            raise IndexError(f"there is no peer {index} among {len(names)}")
        return names[index]

    def peer_index(self) -> int:
        """Return the index of this peer.

        Returns:
            The index, from 0.
        """
        if self._index is None:
            self._index = int(self._request(GetCount("GET_PEER_INDEX")))
        return self._index

    def all_peer_names(self) -> list[str]:
        """Return the names of all peers, in order of their index.

        Returns:
            The names, to which `send` takes messages.
        """
        if self._names is None:
            self._names = list(self._request(GetAllPeerNames()))
        return self._names.copy()

    def num_peers(self) -> int:
        """Return the number of peers.

        Returns:
            The number, at least 1.
        """
        return len(self.all_peer_names())

    def log(self, text: str) -> None:
        """Write a text to the log of the task, one log line per line.

        Args:
            text: One or more lines.
        """
        self._send(Log(text))

    def finish_step(self) -> None:
        """End a step: receive prefetched pairs and send buffered operations."""
        self._finish_read_ahead()
        self._flush()

    def _finish_read_ahead(self) -> None:
        if self._ahead is not None:
            ahead, self._ahead = self._ahead, None
            lines: list[str] = self._line.result(ahead)
            taking = iter(lines)
            more = [pair for pair in zip(taking, taking, strict=True) if pair != (END, END)]
            self._pairs = iter([*self._pairs, *more])
            self._at_end = 2 * len(more) < len(lines)

    def _forget(self, *, waiting: int | None) -> None:
        self._messages.clear()
        self._waiting = waiting
        self._uncounted = False

    def _count(self) -> int:
        if self._waiting is None:
            self._waiting = int(self._request(GetCount("GET_MSG_COUNT")))
        return self._waiting

    def _fetch(self) -> bool:
        """Fetch more messages; return whether there were any."""
        counted = min(waiting := self._count(), WINDOW)
        self._waiting = waiting - counted
        # Hama's MemoryQueue counts without a lock while peers add, so that it can hold more
        # messages than its count. A counted message may equal the end marker `END`; uncounted
        # messages end at it.
        beyond = 0
        if not self._waiting:
            beyond = WINDOW if self._uncounted else min(counted, 1)
        if not counted + beyond:
            return False
        answers = self._request(GetMessages(counted + beyond))
        uncounted = list(takewhile(END.__ne__, answers[counted:]))
        self._uncounted = bool(uncounted)
        self._messages += answers[:counted] + uncounted
        return bool(counted or uncounted)

    def _request(self, command: ChildCommand) -> Any:
        return self._line.result(self._call(command))

    def _call(self, command: ChildCommand) -> int:
        self._flush()
        return self._line.call(command)

    def _send(self, command: ChildCommand) -> None:
        self._flush()
        self._line.send(command)

    def _flush(self) -> None:
        if self._writer:
            self._line.send(BufferedOperations(self._writer.take()))
