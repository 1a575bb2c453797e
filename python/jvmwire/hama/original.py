"""The names of Hama's own Python runtime, for programs that were written against it.

Such a program says `from BSP import BSP`; its class has the name of its file. Numbers come as
integers that may be joined to texts, where that runtime gave texts: comparing works too.
"""

from __future__ import annotations

import re
import sys
from types import ModuleType
from typing import Any, Literal

from jvmwire.errors import LocalProtocolError
from jvmwire.hama import bsp, peer

__all__ = ["BSP", "BSPPeer", "BinaryProtocol", "BspJobConfiguration", "install"]


_LINE_END = re.compile(r"\r\n|\r|\n")
"""What ends a line of the protocol; U+2028 and others do not."""


class BSP(bsp.BSP):
    """The class that a program of the original runtime extends."""


class BspJobConfiguration(dict[str, str]):
    """The job's configuration: a dict whose `get` knows no default."""

    def get(self, key: str) -> str:  # type: ignore[override]
        """Return a value.

        Raises:
            KeyError: there is none.
        """
        return self[key]

    def put(self, key: str, value: str) -> None:
        """Set a value, for this peer alone."""
        self[key] = value


class Number(int):
    """An integer that may be joined to a text."""

    def __add__(self, other: Any) -> Any:
        return str(self) + other if isinstance(other, str) else super().__add__(other)

    def __radd__(self, other: Any) -> Any:
        return other + str(self) if isinstance(other, str) else super().__radd__(other)


class BSPPeer(peer.BSPPeer):
    """A peer with the original's methods beside ours. What is sent or written may be any object."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.config = BspJobConfiguration(self.configuration)
        self._escaping = bool(options.get("escaping"))

    def send(self, peer_name: str, message: object) -> None:
        """Send `str(message)`."""
        super().send(peer_name, str(message))

    def write(self, key: object, value: object) -> None:
        """Write the texts of two objects.

        The original's programs end lines in them by hand: unless the job escapes line ends, one at
        the end is left out, and one elsewhere becomes a space.
        """
        texts = str(key), str(value)
        super().write(*(texts if self._escaping else map(_one_line, texts)))

    def getCurrentMessage(self) -> str | Literal[False]:  # noqa: N802
        """Return the next message, or False."""
        message = self.current_message()
        return False if message is None else message

    def getAllMessages(self) -> list[str]:  # noqa: N802
        """Return all messages that were not taken yet."""
        return list(self.messages())

    def getNumCurrentMessages(self) -> Number:  # noqa: N802
        """Return how many messages were not taken yet."""
        return Number(self.num_current_messages())

    def getSuperstepCount(self) -> Number:  # noqa: N802
        """Return how many times all peers have synced."""
        return Number(self.superstep_count())

    def getPeerName(self) -> str:  # noqa: N802
        """Return this peer's name."""
        return self.peer_name()

    def getPeerNameForIndex(self, index: int | str) -> str:  # noqa: N802
        """Return the name of a peer."""
        return self.peer_name(int(index))

    def getPeerIndex(self) -> Number:  # noqa: N802
        """Return this peer's place among all."""
        return Number(self.peer_index())

    def getAllPeerNames(self) -> list[str]:  # noqa: N802
        """Return the names of all peers."""
        return self.all_peer_names()

    def getNumPeers(self) -> Number:  # noqa: N802
        """Return how many peers there are."""
        return Number(self.num_peers())

    def readNext(self) -> list[str] | Literal[False]:  # noqa: N802
        """Return the next pair as a list, or False."""
        pair = self.read_next()
        return False if pair is None else list(pair)

    def reopenInput(self) -> None:  # noqa: N802
        """Begin the input again."""
        self.reopen_input()

    def getCounter(self, *_: object) -> None:  # noqa: N802
        """Raise `LocalProtocolError`: the task reads counters in binary, and would hang."""
        raise LocalProtocolError("Hama's streaming has no counters: the task would hang")

    incrementCounter = getCounter  # noqa: N815


class BinaryProtocol:
    """The operations' numbers, and how they look in a line."""

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
        """Return an operation's line."""
        return f"%{code}%="

    @staticmethod
    def getAckProtocolString(code: int) -> str:  # noqa: N802
        """Return an acknowledgement's line."""
        return f"%ACK_{code}%="


def peer_class_for(program: bsp.BSP) -> type[peer.BSPPeer]:
    """Return the class of the peer that a program expects: the original's for its own classes."""
    return BSPPeer if isinstance(program, BSP) else peer.BSPPeer


def install() -> None:
    """Let programs import these classes by the original's module names."""
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
    # KMeans writes "\n" as a key, which the original put on a line of its own.
    lines = _LINE_END.split(text)
    if not lines[-1]:
        lines.pop()
    return " ".join(lines)
