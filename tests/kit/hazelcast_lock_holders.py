"""Locks and permits that one client of Hazelcast holds while others wait or cancel their wait."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import asyncio

    from jvmwire.hazelcast import AsyncHazelcastClient


class Held:
    """A lock or permit of a kind of structure, from a client or its CP subsystem, with one
    holder.
    """

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
    """Cancel a task in the same turn of the loop in which the only call of `client` is answered."""
    [waiting] = client._driver._futures
    answered: Any = waiting.wake

    def cancel_then(task: Any) -> None:
        answered(task)
        calling.cancel()

    waiting.wake = cancel_then
