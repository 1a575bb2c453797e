"""What a network does to a conversation: the faults that the fault proxy knows."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from .proxy import Flow
    from .tap import Side


class Fault(Protocol):
    """What befalls the bytes of one side."""

    @property
    def side(self) -> Side:
        """Whose bytes."""

    @property
    def at(self) -> int:
        """How many of them pass before."""

    async def act(self, flow: Flow) -> None:
        """Take effect, now or for what follows; the flow goes on when this returns."""


@dataclass(frozen=True, slots=True)
class Cut:
    """The connection ends for both sides, as if the peer had closed it."""

    side: Side
    at: int = 0

    async def act(self, flow: Flow) -> None:
        await flow.cut()


@dataclass(frozen=True, slots=True)
class Reset:
    """The connection is reset for both sides; what the kernel still holds may be lost."""

    side: Side
    at: int = 0

    async def act(self, flow: Flow) -> None:
        await flow.reset()


@dataclass(frozen=True, slots=True)
class HalfClose:
    """The other side sees this one end; what more this one writes goes nowhere."""

    side: Side
    at: int = 0

    async def act(self, flow: Flow) -> None:
        flow.finish()


@dataclass(frozen=True, slots=True)
class Stall:
    """Nothing more is read or passed on until `seconds` are over, or until `Link.release`."""

    side: Side
    at: int = 0
    seconds: float | None = None

    async def act(self, flow: Flow) -> None:
        await flow.stall(self.seconds)


@dataclass(frozen=True, slots=True)
class Delay:
    """Each chunk waits for `seconds` before it is passed on."""

    side: Side
    seconds: float
    at: int = 0

    async def act(self, flow: Flow) -> None:
        flow.pause = self.seconds


@dataclass(frozen=True, slots=True)
class Trickle:
    """Bytes are passed on `size` at a time, each time after `seconds`."""

    side: Side
    size: int
    seconds: float
    at: int = 0

    async def act(self, flow: Flow) -> None:
        flow.size, flow.pause = self.size, self.seconds


@dataclass(frozen=True, slots=True)
class Corrupt:
    """The byte after the first `at` is changed in the bits of `mask`."""

    side: Side
    at: int = 0
    mask: int = 0xFF

    async def act(self, flow: Flow) -> None:
        flow.mask = self.mask


@dataclass(frozen=True, slots=True)
class Swallow:
    """What follows is read and goes nowhere; the connection stays."""

    side: Side
    at: int = 0

    async def act(self, flow: Flow) -> None:
        flow.swallowing = True


Script = Callable[[int], Iterable[Fault]]
"""The faults of a connection by its number: 0 is the first."""


def always(*faults: Fault) -> Script:
    """Return the script of these faults on each connection."""
    return lambda _: faults


def on(connection: int, *faults: Fault) -> Script:
    """Return the script of these faults on one connection, and none on the others."""
    return lambda number: faults if number == connection else ()


NONE = always()
"""A plain proxy."""
