"""Base of the services of a double, each of which keeps the structures of one kind."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from jvmwire._core import HazelcastMessage
    from jvmwire.hazelcast.testing._members import DoubleMember
    from jvmwire.hazelcast.testing._state import ClusterState

T = TypeVar("T")


class Service(Generic[T]):
    """Structures of one kind, and the calls of clients to them.

    A public method is the call of that name: it takes the call and the fields of the request, and
    returns the fields of the response, or its only field.

    Args:
        cluster: The cluster of the double.
    """

    name: ClassVar[str] = ""
    """Name of the Java service."""

    def __init__(self, cluster: ClusterState) -> None:
        self._cluster = cluster
        self._structures: dict[str, T] = {}

    def _new(self, name: str) -> T:
        """Return a new structure."""
        raise NotImplementedError

    def _find(self, name: str) -> T:
        """Return a structure, which comes to be at its first use."""
        found = self._structures.get(name)
        if found is None:
            self._cluster.count_structure(name)
            found = self._structures[name] = self._new(name)
        return found

    def _subject(self, name: str) -> tuple[str, str]:
        """Return what the listeners of a structure are registered for."""
        return self.name, name

    def _publish(
        self,
        name: str,
        origin: DoubleMember,
        message: HazelcastMessage,
        fields: Callable[[Any], tuple[Any, ...]],
        accepts: Callable[[Any], bool] | None = None,
    ) -> None:
        """Send an event to the listeners of a structure; `fields` are those for a wish."""
        for listener in self._cluster.listeners.at(self._subject(name), origin, accepts):
            listener.send(message, *fields(listener.wish))

    def _drop(self, name: str, structure: T) -> None:
        """Give back what a structure holds, as it is destroyed."""

    def destroy_structure(self, name: str) -> list[Hashable]:
        """Forget a structure.

        Args:
            name: Its name.

        Returns:
            What calls may wait for that does not come any more.
        """
        self._cluster.listeners.remove_all_at(self._subject(name))
        keys = self._cluster.locks.force_all_of(self.name, name)
        structure = self._structures.pop(name, None)
        if structure is not None:
            self._cluster.structures -= 1
            self._cluster.budget.give_back(0, len(name))
            self._drop(name, structure)
        return [*keys, (self.name, name)]

    def forget_client(self, owner: str) -> None:
        """Release what a client owned that is gone.

        Args:
            owner: UUID of the client.
        """
