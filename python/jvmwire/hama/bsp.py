"""A program of supersteps."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from jvmwire.hama.peer import Peer


class BSP:
    """What each task of a job runs: each of the three is called once, in this order."""

    table: ClassVar[str] = "0.6.2"
    """The table of operations: of Hama 0.6.2 and later, or "0.6.0"."""
    escape: ClassVar[bool] = False
    r"""Whether line ends in texts are written as `\n` and `\r`: all that read them must know."""
    keep_nuls: ClassVar[bool] = False
    """Whether NULs at the end of a text are kept: on a cluster Hama adds some of its own."""

    def setup(self, peer: Peer) -> None:
        """Get ready."""

    def bsp(self, peer: Peer) -> None:
        """Compute; what this raises fails the job."""

    def cleanup(self, peer: Peer) -> None:
        """Give back what `setup` took."""
