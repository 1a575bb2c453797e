"""Base class of the tasks that users write."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jvmwire.hama._peer import BSPPeer


class BSP:
    """A task of a job, with one instance per peer; every method is optional.

    An exception of a method fails the job, with its traceback in the task's log.
    """

    def setup(self, peer: BSPPeer) -> None:
        """Acquire resources, before `bsp`.

        Args:
            peer: The peer that runs this task.
        """

    def bsp(self, peer: BSPPeer) -> None:
        """Do the work, in supersteps separated by `peer.sync`.

        Args:
            peer: The peer that runs this task.
        """

    def cleanup(self, peer: BSPPeer) -> None:
        """Release resources, after `bsp`.

        Args:
            peer: The peer that runs this task.
        """
