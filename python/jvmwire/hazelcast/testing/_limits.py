"""Limits of a double: what clients may make it keep."""

from __future__ import annotations

from typing import Any

from jvmwire.hazelcast.testing import _java_errors as java

MAX_ENTRIES = 1_000_000
"""The default of `max_entries`: entries and items of all structures."""
MAX_BYTES = 256 << 20
"""The default of `max_bytes`: bytes of names, keys and values of all structures, of the locks that
are held, of the calls that wait and of listeners."""
MAX_MEMBERS = 100
"""Members of a double."""
MAX_CONNECTIONS = 1000
"""Connections of all clients; more are closed at once."""
MAX_STRUCTURES = 100_000
"""Structures of all kinds."""
MAX_LISTENERS = 100_000
"""Registrations of listeners of all clients."""
MAX_WAITING = 100_000
"""Calls that wait for a lock, an item, a permit or a latch."""
MAX_LOCKS = 1_000_000
"""Locks that are held, of keys too."""
MAX_GONE = 100_000
"""Clients that are gone and have their locks still."""
MAX_BUFFERED = 256 << 20
"""Bytes of incomplete messages on all connections."""
MAX_UNAUTHENTICATED = 64 << 10
"""Bytes of an incomplete message of a client that is not authenticated."""
MAX_UNSENT = 64 << 20
"""Bytes that wait for a client which does not read; with more, its connection is closed."""


class Budget:
    """What all structures of a double hold together, up to its limits.

    Args:
        max_entries: Largest number of entries and items.
        max_bytes: Largest number of bytes of them.
    """

    def __init__(self, max_entries: int, max_bytes: int) -> None:
        self.max_entries, self.max_bytes = max_entries, max_bytes
        self.entries = self.bytes = 0

    def take(self, entries: int, size: int) -> None:
        """Count what is to be stored.

        Args:
            entries: Number of entries or items.
            size: Number of bytes.

        Raises:
            HazelcastError: it would exceed a limit; nothing is counted then.
        """
        if entries > 0 and self.entries + entries > self.max_entries:
            raise java.refuse(
                java.REACHED_MAX_SIZE,
                f"the double of a cluster holds at most {self.max_entries} entries, "
                f"got {self.entries + entries}",
            )
        if size > 0 and self.bytes + size > self.max_bytes:
            raise java.refuse(
                java.REACHED_MAX_SIZE,
                f"the double of a cluster holds at most {self.max_bytes} bytes, "
                f"got {self.bytes + size}",
            )
        self.entries += entries
        self.bytes += size

    def give_back(self, entries: int, size: int) -> None:
        """Count what was removed.

        Args:
            entries: Number of entries or items.
            size: Number of bytes.
        """
        self.entries -= entries
        self.bytes -= size


def weight(value: Any) -> int:
    """Return about how many bytes the fields of a message take.

    Args:
        value: The fields, or a part of them.

    Returns:
        The number of bytes.
    """
    if isinstance(value, (bytes, str)):
        return len(value)
    if isinstance(value, (list, tuple)):
        return sum(map(weight, value)) + 8 * len(value)
    return 8


def too_many(limit: int, of: str) -> Exception:
    """Return the error that a client has too much of something.

    Args:
        limit: The limit.
        of: What there is too much of.

    Returns:
        The error.
    """
    return java.refuse(java.OVERLOAD, f"the double of a cluster has at most {limit} {of}")
