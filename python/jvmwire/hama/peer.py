"""What a task can do: Java's `BSPPeer`, over the streams of its child."""

from __future__ import annotations

from collections import deque
from itertools import islice, takewhile
from typing import TYPE_CHECKING, Any, Final

from jvmwire._core import HamaOpWriter
from jvmwire.hama.commands import (
    AskNumber,
    Clear,
    GetAllPeerNames,
    GetMessages,
    Log,
    ReadKeyValues,
    ReopenInput,
    Sync,
    Unanswered,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from jvmwire.hama.commands import ChildCommand
    from jvmwire.hama.configuration import Configuration
    from jvmwire.runner import Line

WINDOW: Final = 512
"""Pairs or messages asked for at a time: 2.5 KB of questions, far less than a pipe holds."""

FIRST_WINDOW: Final = 8
"""Pairs asked for at first: who wants few does not wait for many."""

PASS_AT: Final = 32 * 1024
"""Bytes of unanswered operations that are gathered."""

END: Final = "%%-1%%"
"""Stands for a key, a value or a message where there is none."""


class BSPPeer:
    """One peer of a job, given to each method of its `BSP`.

    Keys, values and messages are texts of one line: a line end in them is a ValueError, unless the
    job escapes them. What has no answer is gathered and written together; reading asks ahead.
    Counters are missing on purpose: the real task reads them from its child in binary, beside the
    lines, and hangs.
    """

    def __init__(
        self,
        line: Line[ChildCommand],
        configuration: Configuration,
        *,
        early: bool = False,
        escaping: bool = False,
    ) -> None:
        self.configuration = configuration
        """The job's properties."""
        self._line = line
        self._writer = HamaOpWriter(early=early, escaping=escaping)
        self._pairs: Iterator[tuple[str, str]] = iter(())
        self._ahead: int | None = None
        """The call that asks for the pairs after those."""
        self._window = FIRST_WINDOW
        self._at_end = False
        self._messages: deque[str] = deque()
        self._waiting: int | None = None
        """Messages that the task still has by its count; None if it was not asked."""
        self._uncounted = False
        """There was one more than the task had counted."""
        self._names: list[str] | None = None
        self._index: int | None = None

    def write(self, key: str, value: str) -> None:
        """Write a pair to the job's output.

        Raises:
            ValueError: one of them has a line end.
        """
        self._writer.add("WRITE_KEYVALUE", key, value)
        if len(self._writer) >= PASS_AT:
            self._pass()

    def write_all(self, pairs: Iterable[tuple[str, str]]) -> None:
        """Write many pairs; those before one that cannot be written are written.

        Raises:
            ValueError: one of them has a line end.
        """
        # They may come of this peer's own input: in batches, so that both sides have work.
        coming = iter(pairs)
        while batch := list(islice(coming, WINDOW)):
            self._writer.add_pairs("WRITE_KEYVALUE", batch)
            if len(self._writer) >= PASS_AT:
                self._pass()

    def read_next(self) -> tuple[str, str] | None:
        """Return the next pair of the input, or None after the last."""
        if (pair := next(self._pairs, None)) is not None:
            return pair
        return None if self._at_end else self._read()

    def read_all(self) -> Iterator[tuple[str, str]]:
        """Yield the pairs of the input that were not read yet."""
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
            # The task looks for them while we work on these.
            self._ahead = self._call(ReadKeyValues(self._window))
            self._line.flush()
        return next(self._pairs, None)

    def reopen_input(self) -> None:
        """Begin the input again."""
        self._settle()
        self._say(ReopenInput())
        self._pairs = iter(())
        self._window = FIRST_WINDOW
        self._at_end = False

    def send(self, peer_name: str, message: str) -> None:
        """Send a message, which that peer has after the next `sync`.

        Raises:
            ValueError: one of them has a line end.
        """
        self._writer.add("SEND_MSG", peer_name, message)
        if len(self._writer) >= PASS_AT:
            self._pass()

    def current_message(self) -> str | None:
        """Return the next message that was sent to this peer before the last `sync`, or None."""
        if self._messages or self._fetch():
            return self._messages.popleft()
        return None

    def messages(self) -> Iterator[str]:
        """Yield the messages that were not taken yet."""
        return iter(self.current_message, None)

    def num_current_messages(self) -> int:
        """Return how many messages were not taken yet.

        More than 512 are as many as Hama says: too few at times, where peers sent at once.
        """
        while len(self._messages) < WINDOW and self._fetch():
            pass
        return len(self._messages) + self._count()

    def clear(self) -> None:
        """Drop the messages that were not taken yet."""
        self._ask(Clear())
        self._forget(waiting=0)

    def sync(self) -> None:
        """Wait until all peers have come here; then each has the messages that were sent to it.

        Raises:
            SyncFailed: the barrier broke.
        """
        self._ask(Sync())
        self._forget(waiting=None)

    def superstep_count(self) -> int:
        """Return how many times all peers have synced."""
        count: int = self._ask(AskNumber("GET_SUPERSTEP_COUNT"))
        return count

    def peer_name(self, index: int | None = None) -> str:
        """Return the name of a peer; without an index, of this one.

        Raises:
            IndexError: there is no such peer. The real task would die of the question.
        """
        if index is None:
            return self.all_peer_names()[self.peer_index()]
        names = self.all_peer_names()
        if not 0 <= index < len(names):
            raise IndexError(f"there is no peer {index} among {len(names)}")
        return names[index]

    def peer_index(self) -> int:
        """Return this peer's place among all."""
        if self._index is None:
            self._index = int(self._ask(AskNumber("GET_PEER_INDEX")))
        return self._index

    def all_peer_names(self) -> list[str]:
        """Return the names of all peers, in order of their index."""
        if self._names is None:
            self._names = list(self._ask(GetAllPeerNames()))
        return self._names.copy()

    def num_peers(self) -> int:
        """Return how many peers there are."""
        return len(self.all_peer_names())

    def log(self, text: str) -> None:
        """Have the task log a text, a line at a time."""
        self._say(Log(text))

    def finish_step(self) -> None:
        """Take what was asked ahead, pass on what was gathered: a step ends."""
        self._settle()
        self._pass()

    def _settle(self) -> None:
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
            self._waiting = int(self._ask(AskNumber("GET_MSG_COUNT")))
        return self._waiting

    def _fetch(self) -> bool:
        """Ask for more messages; tell whether there were any."""
        counted = min(waiting := self._count(), WINDOW)
        self._waiting = waiting - counted
        # Hama's MemoryQueue counts without a lock what peers add at once, and has more then than it
        # says. What was counted may be the text that stands for none; what was not ends at it.
        beyond = 0
        if not self._waiting:
            beyond = WINDOW if self._uncounted else min(counted, 1)
        if not counted + beyond:
            return False
        answers = self._ask(GetMessages(counted + beyond))
        uncounted = list(takewhile(END.__ne__, answers[counted:]))
        self._uncounted = bool(uncounted)
        self._messages += answers[:counted] + uncounted
        return bool(counted or uncounted)

    def _ask(self, command: ChildCommand) -> Any:
        return self._line.result(self._call(command))

    def _call(self, command: ChildCommand) -> int:
        self._pass()
        return self._line.call(command)

    def _say(self, command: ChildCommand) -> None:
        self._pass()
        self._line.send(command)

    def _pass(self) -> None:
        if self._writer:
            self._line.send(Unanswered(self._writer.take()))
