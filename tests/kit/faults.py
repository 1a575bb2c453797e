"""Network faults that the fault proxy can inject into a connection."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from .proxy import Flow
    from .tap import Side


class Fault(Protocol):
    """A fault of the bytes of one side."""

    @property
    def side(self) -> Side:
        """The side whose bytes are affected."""

    @property
    def at(self) -> int:
        """Number of bytes that pass before the fault."""

    async def act(self, flow: Flow) -> None:
        """Take effect, now or for the bytes that follow; the flow goes on when this returns."""


@dataclass(frozen=True, slots=True)
class Cut:
    """Close the connection for both sides, as if the peer had closed it."""

    side: Side
    at: int = 0

    async def act(self, flow: Flow) -> None:
        await flow.cut()


@dataclass(frozen=True, slots=True)
class Reset:
    """Reset the connection for both sides; bytes that the kernel still holds may be lost."""

    side: Side
    at: int = 0

    async def act(self, flow: Flow) -> None:
        await flow.reset()


@dataclass(frozen=True, slots=True)
class HalfClose:
    """Show the other side the end of this one; further bytes of this side are discarded."""

    side: Side
    at: int = 0

    async def act(self, flow: Flow) -> None:
        flow.finish()


@dataclass(frozen=True, slots=True)
class Stall:
    """Stop reading and passing on bytes until `seconds` are over, or until `Link.release`."""

    side: Side
    at: int = 0
    seconds: float | None = None

    async def act(self, flow: Flow) -> None:
        await flow.stall(self.seconds)


@dataclass(frozen=True, slots=True)
class Delay:
    """Delay each chunk by `seconds` before it is passed on."""

    side: Side
    seconds: float
    at: int = 0

    async def act(self, flow: Flow) -> None:
        flow.pause = self.seconds


@dataclass(frozen=True, slots=True)
class Trickle:
    """Pass bytes on `size` at a time, each time after `seconds`."""

    side: Side
    size: int
    seconds: float
    at: int = 0

    async def act(self, flow: Flow) -> None:
        flow.size, flow.pause = self.size, self.seconds


@dataclass(frozen=True, slots=True)
class Corrupt:
    """Flip the bits of `mask` in the byte after the first `at`."""

    side: Side
    at: int = 0
    mask: int = 0xFF

    async def act(self, flow: Flow) -> None:
        flow.mask = self.mask


@dataclass(frozen=True, slots=True)
class Swallow:
    """Read and discard the bytes that follow; the connection stays open."""

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
"""The script of a plain proxy."""
