"""What a task can ask of Hama: messages, the barrier, input and output."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any, Final, NoReturn

from jvmwire.hama.commands import (
    AllPeerNames,
    Clear,
    Command,
    Count,
    Log,
    PeerName,
    Read,
    Receive,
    Reopen,
    Send,
    Sync,
    Write,
)
from jvmwire.hama.errors import NoCounters
from jvmwire.hama.ops import Op

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from jvmwire.hama.conf import Conf
    from jvmwire.runner import Line

WINDOW: Final = 256
"""Pairs or messages that are asked for at once."""


class Peer:
    """A task among its peers."""

    def __init__(self, line: Line[Command], conf: Conf) -> None:
        self.conf = conf
        """The job's configuration."""
        self._line = line
        self._pairs: deque[tuple[str, str]] = deque()
        self._input_ended = False
        self._messages: deque[str] = deque()
        self._left: int | None = None
        """Messages that Hama still has for us; None if it was not asked since the last sync."""

    def send(self, peer: str, message: object) -> None:
        """Send `message`, as text, to the peer of that name; it is there after the next sync.

        Raises `NotALine` for a text with a line end.
        """
        self._line.send(Send(peer, (message,)))

    def send_all(self, peer: str, messages: Iterable[object]) -> None:
        """Send many messages to one peer."""
        self._line.send(Send(peer, list(messages)))

    def current_message(self) -> str | None:
        """Return the next message of the last superstep, None when there are no more."""
        if not self._messages:
            if self._left is None:
                self._left = self._ask(Count(Op.GET_MSG_COUNT))
            if not self._left:
                return None
            count = min(self._left, WINDOW)
            self._messages += self._ask(Receive(count))
            self._left -= count
        return self._messages.popleft()

    def messages(self) -> Iterator[str]:
        """Yield the messages that are left of the last superstep."""
        while (message := self.current_message()) is not None:
            yield message

    def num_current_messages(self) -> int:
        """Return how many messages `current_message` has not returned yet."""
        if self._left is None:
            self._left = self._ask(Count(Op.GET_MSG_COUNT))
        return len(self._messages) + self._left

    def sync(self) -> None:
        """Wait until all peers have come here; then their messages are there.

        Raises `SyncFailed`.
        """
        self._messages.clear()
        self._left = None
        if (failure := self._ask(Sync())) is not None:
            raise failure

    def clear(self) -> None:
        """Drop the messages of the last superstep, and what was to be sent."""
        self._messages.clear()
        self._left = None
        self._ask(Clear())

    def superstep_count(self) -> int:
        """Return how many supersteps were completed."""
        return self._number(Op.GET_SUPERSTEP_COUNT)

    def peer_name(self, index: int | None = None) -> str:
        """Return the name of the peer at `index`, ours without one. Raises `IndexError`."""
        if index is None:
            return self._text(PeerName())
        # Hama ends a task that asks for a peer that is none.
        if not 0 <= index < self.num_peers():
            raise IndexError(f"there is no peer {index} of {self.num_peers()}")
        return self._text(PeerName(index))

    def peer_index(self) -> int:
        """Return our place among the peers."""
        return self._number(Op.GET_PEER_INDEX)

    def num_peers(self) -> int:
        """Return how many peers there are, with us."""
        return self._number(Op.GET_PEER_COUNT)

    def all_peer_names(self) -> list[str]:
        """Return the names of all peers, in order."""
        names: list[str] = self._ask(AllPeerNames())
        return names

    def read_next(self) -> tuple[str, str] | None:
        """Return the next key and value of the input, None at its end."""
        if not self._pairs and not self._input_ended:
            pairs = self._ask(Read(WINDOW))
            self._input_ended = len(pairs) < WINDOW
            self._pairs += pairs
        return self._pairs.popleft() if self._pairs else None

    def pairs(self) -> Iterator[tuple[str, str]]:
        """Yield what is left of the input."""
        while (pair := self.read_next()) is not None:
            yield pair

    def reopen_input(self) -> None:
        """Begin the input anew."""
        self._pairs.clear()
        self._input_ended = False
        self._line.send(Reopen())

    def write(self, key: object, value: object) -> None:
        """Write a pair to the output, as text. Raises `NotALine` for a text with a line end."""
        self._line.send(Write(((key, value),)))

    def write_all(self, pairs: Iterable[tuple[object, object]]) -> None:
        """Write many pairs to the output."""
        self._line.send(Write(list(pairs)))

    def log(self, text: object) -> None:
        """Write to the task's log, each line by itself."""
        self._line.send(Log(str(text)))

    def increment_counter(self, *_: object) -> NoReturn:
        """Counters cannot be had from a streaming child. Raises `NoCounters`."""
        raise NoCounters(
            "a streaming child has no counters: Hama's task hangs when it asks for one"
        )

    def _ask(self, command: Command) -> Any:
        return self._line.result(self._line.call(command))

    def _number(self, op: Op) -> int:
        number: int = self._ask(Count(op))
        return number

    def _text(self, command: Command) -> str:
        text: str = self._ask(command)
        return text
