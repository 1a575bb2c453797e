"""Names of Hama's own Python runtime, for programs that were written for it.

Such a program imports `from BSP import BSP`; its class has the name of its file. Numbers are
returned as integers that can be concatenated with strings, since the original runtime returned
strings; comparisons work too.
"""

from __future__ import annotations

import re
import sys
from types import ModuleType
from typing import Any, Literal

from jvmwire.errors import LocalProtocolError
from jvmwire.hama import _bsp, _peer

__all__ = ["BSP", "BSPPeer", "BinaryProtocol", "BspJobConfiguration", "install"]


_LINE_END = re.compile(r"\r\n|\r|\n")
"""The line ends of the protocol; U+2028 and others are not line ends."""


class BSP(_bsp.BSP):
    """Base class of programs for the original runtime."""


class BspJobConfiguration(dict[str, str]):
    """The configuration of the job: a dict whose `get` has no default."""

    def get(self, key: str) -> str:  # type: ignore[override]
        """Return a value.

        Args:
            key: The name of the property.

        Returns:
            The value.

        Raises:
            KeyError: there is no such property.
        """
        return self[key]

    def put(self, key: str, value: str) -> None:
        """Set a value for this peer only.

        Args:
            key: The name of the property.
            value: The new value.
        """
        self[key] = value


class Number(int):
    """An integer that can be concatenated with a string."""

    def __add__(self, other: Any) -> Any:
        return str(self) + other if isinstance(other, str) else super().__add__(other)

    def __radd__(self, other: Any) -> Any:
        return other + str(self) if isinstance(other, str) else super().__radd__(other)


class BSPPeer(_peer.BSPPeer):
    """A peer with the original runtime's methods; messages, keys and values may be any objects."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.config = BspJobConfiguration(self.configuration)
        self._escaping = bool(options.get("escaping"))

    def send(self, peer_name: str, message: object) -> None:
        """Send `str(message)` to a peer.

        Args:
            peer_name: The name of the peer.
            message: Any object.
        """
        super().send(peer_name, str(message))

    def write(self, key: object, value: object) -> None:
        """Write `str(key)` and `str(value)` as a pair.

        Programs for the original runtime terminate both with a line end themselves: unless the job
        escapes line ends, one at the end is removed, and one elsewhere becomes a space.

        Args:
            key: Any object.
            value: Any object.
        """
        texts = str(key), str(value)
        super().write(*(texts if self._escaping else map(_one_line, texts)))

    def getCurrentMessage(self) -> str | Literal[False]:  # noqa: N802
        """Return the next message, or False.

        Returns:
            The message; False after the last.
        """
        message = self.current_message()
        return False if message is None else message

    def getAllMessages(self) -> list[str]:  # noqa: N802
        """Return all remaining messages.

        Returns:
            The messages.
        """
        return list(self.messages())

    def getNumCurrentMessages(self) -> Number:  # noqa: N802
        """Return the number of remaining messages.

        Returns:
            The number, an `int` that can be concatenated with text.
        """
        return Number(self.num_current_messages())

    def getSuperstepCount(self) -> Number:  # noqa: N802
        """Return the number of barriers that all peers passed.

        Returns:
            The number, an `int` that can be concatenated with text.
        """
        return Number(self.superstep_count())

    def getPeerName(self) -> str:  # noqa: N802
        """Return the name of this peer.

        Returns:
            The name, to which `send` takes messages.
        """
        return self.peer_name()

    def getPeerNameForIndex(self, index: int | str) -> str:  # noqa: N802
        """Return the name of the peer with an index.

        Args:
            index: The index, also as text.

        Returns:
            The name, to which `send` takes messages.
        """
        return self.peer_name(int(index))

    def getPeerIndex(self) -> Number:  # noqa: N802
        """Return the index of this peer.

        Returns:
            The index from 0, an `int` that can be concatenated with text.
        """
        return Number(self.peer_index())

    def getAllPeerNames(self) -> list[str]:  # noqa: N802
        """Return the names of all peers.

        Returns:
            The names, in order of their index.
        """
        return self.all_peer_names()

    def getNumPeers(self) -> Number:  # noqa: N802
        """Return the number of peers.

        Returns:
            The number, an `int` that can be concatenated with text.
        """
        return Number(self.num_peers())

    def readNext(self) -> list[str] | Literal[False]:  # noqa: N802
        """Return the next pair as a list, or False.

        Returns:
            A list of key and value; False after the last pair.
        """
        pair = self.read_next()
        return False if pair is None else list(pair)

    def reopenInput(self) -> None:  # noqa: N802
        """Start the input from its beginning."""
        self.reopen_input()

    def getCounter(self, *_: object) -> None:  # noqa: N802
        """Raise `LocalProtocolError`: the task reads counters in binary and would hang."""
        raise LocalProtocolError("Hama's streaming has no counters: the task would hang")

    incrementCounter = getCounter  # noqa: N815


class BinaryProtocol:
    """The numbers of the operations, and their encoding as lines."""

    START = 0
    SET_BSPJOB_CONF = 1
    SET_INPUT_TYPES = 2
    RUN_SETUP = 3
    RUN_BSP = 4
    RUN_CLEANUP = 5
    READ_KEYVALUE = 6
    WRITE_KEYVALUE = 7
    GET_MSG = 8
    GET_MSG_COUNT = 9
    SEND_MSG = 10
    SYNC = 11
    GET_ALL_PEERNAME = 12
    GET_PEERNAME = 13
    GET_PEER_INDEX = 14
    GET_PEER_COUNT = 15
    GET_SUPERSTEP_COUNT = 16
    REOPEN_INPUT = 17
    CLEAR = 18
    CLOSE = 19
    ABORT = 20
    DONE = 21
    TASK_DONE = 22
    LOG = 31

    @staticmethod
    def getProtocolString(code: int) -> str:  # noqa: N802
        """Return the line that begins an operation.

        Args:
            code: The number of the operation.

        Returns:
            The beginning of the line, such as `%10%=`.
        """
        return f"%{code}%="

    @staticmethod
    def getAckProtocolString(code: int) -> str:  # noqa: N802
        """Return the line of an acknowledgement.

        Args:
            code: The number of the operation.

        Returns:
            The beginning of the line, such as `%ACK_10%=`.
        """
        return f"%ACK_{code}%="


def peer_class_for(program: _bsp.BSP) -> type[_peer.BSPPeer]:
    """Return the peer class for a program: the original runtime's if its base class is."""
    return BSPPeer if isinstance(program, BSP) else _peer.BSPPeer


def install() -> None:
    """Make these classes importable by the original runtime's module names."""
    for name, kind in (
        ("BSP", BSP),
        ("BSPPeer", BSPPeer),
        ("BinaryProtocol", BinaryProtocol),
        ("BspJobConfiguration", BspJobConfiguration),
    ):
        module = ModuleType(name)
        setattr(module, name, kind)
        sys.modules[name] = module


def _one_line(text: str) -> str:
    # KMeans writes "\n" as a key, which the original runtime put on a line of its own.
    lines = _LINE_END.split(text)
    if not lines[-1]:
        lines.pop()
    return " ".join(lines)
