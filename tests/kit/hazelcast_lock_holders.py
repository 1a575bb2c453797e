"""What one client of Hazelcast holds and others wait for, and who gives up as it is granted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import asyncio

    from jvmwire.hazelcast import AsyncHazelcastClient


class Held:
    """Something that is held by one at a time, of a kind that a client has, or its CP subsystem."""

    def __init__(self, client: Any, kind: str, name: str) -> None:
        self._found = getattr(client, f"get_{kind}")(name)
        self._args = ("key",) if kind.endswith("map") else ()
        semaphore = kind == "semaphore"
        self.take = self._bound("acquire" if semaphore else "lock")
        self.try_take = self._bound("try_acquire" if semaphore else "try_lock")
        self.give_back = self._bound("release" if semaphore else "unlock")

    def _bound(self, name: str) -> Any:
        method = getattr(self._found, name)
        return lambda **told: method(*self._args, **told)


def cancel_with_its_reply(client: AsyncHazelcastClient, calling: asyncio.Task[Any]) -> None:
    """Cancel a task in the turn of the loop in which the one call of `client` is answered."""
    [waiting] = client._driver._futures
    answered: Any = waiting.wake

    def cancel_then(task: Any) -> None:
        answered(task)
        calling.cancel()

    waiting.wake = cancel_then
