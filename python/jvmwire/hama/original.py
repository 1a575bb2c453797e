"""The names of Hama's own Python runtime, for programs that were written for it."""

from __future__ import annotations

import sys
import types
from typing import TYPE_CHECKING

from jvmwire.hama.bsp import BSP
from jvmwire.hama.ops import TABLES
from jvmwire.hama.peer import Peer

if TYPE_CHECKING:
    from jvmwire.hama.commands import Command
    from jvmwire.hama.conf import Conf
    from jvmwire.runner import Line


class OriginalBSP(BSP):
    """`from BSP import BSP`: its peer has the original's names beside ours."""


class BspJobConfiguration(dict[str, str]):
    """The configuration with the original's two methods."""

    def put(self, key: str, value: str) -> None:
        """Set a value, for this task alone."""
        self[key] = value

    def get(self, key: str, default: str | None = None) -> str:  # type: ignore[override]
        """Return a value; `KeyError` for none, as the original, unless there is a `default`."""
        return self[key] if default is None else super().get(key, default)


class BSPPeer(Peer):
    """A peer by the original's names; its numbers are integers, which `int()` takes as well."""

    def __init__(self, line: Line[Command], conf: Conf) -> None:
        super().__init__(line, conf)
        self.config = BspJobConfiguration(conf)

    def getCurrentMessage(self) -> str | bool:  # noqa: N802
        """Return the next message, False when there are no more."""
        message = self.current_message()
        return False if message is None else message

    def getAllMessages(self) -> list[str]:  # noqa: N802
        """Return all messages that are left."""
        return list(self.messages())

    def getNumCurrentMessages(self) -> int:  # noqa: N802
        """Return how many messages are left."""
        return self.num_current_messages()

    def getSuperstepCount(self) -> int:  # noqa: N802
        """Return how many supersteps were completed."""
        return self.superstep_count()

    def getPeerName(self) -> str:  # noqa: N802
        """Return our name."""
        return self.peer_name()

    def getPeerNameForIndex(self, index: int) -> str:  # noqa: N802
        """Return a peer's name."""
        return self.peer_name(int(index))

    def getPeerIndex(self) -> int:  # noqa: N802
        """Return our place among the peers."""
        return self.peer_index()

    def getAllPeerNames(self) -> list[str]:  # noqa: N802
        """Return the names of all peers."""
        return self.all_peer_names()

    def getNumPeers(self) -> int:  # noqa: N802
        """Return how many peers there are."""
        return self.num_peers()

    def readNext(self) -> list[str] | bool:  # noqa: N802
        """Return the next key and value, False at the end of the input."""
        pair = self.read_next()
        return False if pair is None else list(pair)

    def reopenInput(self) -> None:  # noqa: N802
        """Begin the input anew."""
        self.reopen_input()


def peer_for(program: BSP, line: Line[Command], conf: Conf) -> Peer:
    """Return the peer that a program expects."""
    kind = BSPPeer if isinstance(program, OriginalBSP) else Peer
    return kind(line, conf)


def install() -> None:
    """Let `from BSP import BSP` and its like find these; a module of the program's own wins not."""
    numbers = {op.name: number for op, number in TABLES["0.6.2"].items()}
    modules: dict[str, dict[str, object]] = {
        "BSP": {"BSP": OriginalBSP},
        "BSPPeer": {"BSPPeer": BSPPeer, "BspJobConfiguration": BspJobConfiguration},
        "BspJobConfiguration": {"BspJobConfiguration": BspJobConfiguration},
        "BinaryProtocol": {"BinaryProtocol": type("BinaryProtocol", (), numbers)},
    }
    for name, contents in modules.items():
        module = types.ModuleType(name)
        vars(module).update(contents)
        sys.modules[name] = module
