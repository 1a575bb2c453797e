"""What a child asks of its Hama task."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jvmwire.hama.ops import Op


@dataclass(frozen=True, slots=True)
class Read:
    """Asks for `count` pairs of the input; answered by what there is of them."""

    repeatable: ClassVar[bool] = False
    calls: ClassVar[int] = 1

    count: int = 1


@dataclass(frozen=True, slots=True)
class Write:
    """Writes pairs to the output."""

    repeatable: ClassVar[bool] = False
    calls: ClassVar[int] = 0

    pairs: Sequence[tuple[object, object]]


@dataclass(frozen=True, slots=True)
class Send:
    """Sends messages to a peer, for its next superstep."""

    repeatable: ClassVar[bool] = False
    calls: ClassVar[int] = 0

    peer: str
    messages: Sequence[object]


@dataclass(frozen=True, slots=True)
class Receive:
    """Asks for `count` messages; answered by their texts."""

    repeatable: ClassVar[bool] = False
    calls: ClassVar[int] = 1

    count: int


@dataclass(frozen=True, slots=True)
class Sync:
    """Waits for all peers; answered by None, or a `SyncFailed`."""

    repeatable: ClassVar[bool] = False
    calls: ClassVar[int] = 1


@dataclass(frozen=True, slots=True)
class Count:
    """Asks for a number: of messages, of peers, of supersteps, or our index."""

    repeatable: ClassVar[bool] = True
    calls: ClassVar[int] = 1

    op: Op


@dataclass(frozen=True, slots=True)
class PeerName:
    """Asks for the name of a peer, our own by default."""

    repeatable: ClassVar[bool] = True
    calls: ClassVar[int] = 1

    index: int = -1


@dataclass(frozen=True, slots=True)
class AllPeerNames:
    """Asks for the names of all peers, in order."""

    repeatable: ClassVar[bool] = True
    calls: ClassVar[int] = 1


@dataclass(frozen=True, slots=True)
class Reopen:
    """Begins the input anew."""

    repeatable: ClassVar[bool] = True
    calls: ClassVar[int] = 0


@dataclass(frozen=True, slots=True)
class Clear:
    """Drops the messages; answered by None."""

    repeatable: ClassVar[bool] = True
    calls: ClassVar[int] = 1


@dataclass(frozen=True, slots=True)
class Log:
    """Lines for the task's log."""

    repeatable: ClassVar[bool] = False
    calls: ClassVar[int] = 0

    text: str


@dataclass(frozen=True, slots=True)
class Finish:
    """The phase is done; after the last one, all is."""

    repeatable: ClassVar[bool] = False
    calls: ClassVar[int] = 0


@dataclass(frozen=True, slots=True)
class Abort:
    """The task failed, and the job with it."""

    repeatable: ClassVar[bool] = False
    calls: ClassVar[int] = 0


Command = (
    Read | Write | Send | Receive | Sync | Count | PeerName | AllPeerNames
    | Reopen | Clear | Log | Finish | Abort
)  # fmt: skip
