"""What a user's task is."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jvmwire.hama.peer import BSPPeer


class BSP:
    """A task of a job: one instance runs in each peer. Every method may do nothing.

    What they raise fails the job, with its traceback in the task's log.
    """

    def setup(self, peer: BSPPeer) -> None:
        """Begin: take up resources."""

    def bsp(self, peer: BSPPeer) -> None:
        """Do the work, in supersteps that `peer.sync` divides."""

    def cleanup(self, peer: BSPPeer) -> None:
        """End: give back resources."""
