"""Where a server of the first protocol keeps segments: in memory, or in a file that outlives it."""

from __future__ import annotations

import abc
import sqlite3
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from jvmwire.errors import ConfigError, JvmWireError, LimitExceeded, LocalProtocolError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from uuid import UUID

ROW = 1 << 20
"""Bytes of a segment in one row of the file at most: as many as a reply has. Ours."""
_SCHEMA = """
CREATE TABLE IF NOT EXISTS segments (
    name BLOB PRIMARY KEY, length INTEGER NOT NULL DEFAULT 0, sealed INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS levels (
    name BLOB, connection_id BLOB, level INTEGER NOT NULL, PRIMARY KEY (name, connection_id)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS pieces (
    name BLOB, start INTEGER, data BLOB NOT NULL, UNIQUE (name, start)
);
"""


class Store(abc.ABC):
    """Segments, and how far each connection's appends to them have come."""

    @abc.abstractmethod
    def transaction(self) -> AbstractContextManager[None]:
        """Return what keeps all that is done within it once it ends: it is told only then."""

    @abc.abstractmethod
    def level(self, segment: str, connection_id: UUID) -> int:
        """Make the segment if there is none; return how many bytes of a connection it has."""

    @abc.abstractmethod
    def append(self, segment: str, connection_id: UUID, offset: int, data: bytes) -> int:
        """Store a connection's bytes behind the `offset` that it has stored; return its new level.

        Raises:
            LocalProtocolError: it has stored more or less, or the segment is sealed.
        """

    @abc.abstractmethod
    def count(self) -> int:
        """Return how many segments there are."""

    @abc.abstractmethod
    def length(self, segment: str) -> int | None:
        """Return how many bytes are in a segment; None if there is none of that name."""

    @abc.abstractmethod
    def read(self, segment: str, start: int, end: int) -> bytes:
        """Return what stands between two offsets of a segment, up to `ROW` bytes."""

    @abc.abstractmethod
    def is_sealed(self, segment: str) -> bool:
        """Return whether a segment takes no more."""

    @abc.abstractmethod
    def seal(self, segment: str) -> None:
        """Let a segment take no more."""

    @abc.abstractmethod
    def close(self) -> None:
        """Give up what is kept open."""


def _check(level: int, offset: int, *, sealed: bool) -> None:
    if offset != level or sealed:
        # Another TCP connection has gone on with it, or nobody may.
        where = "in a sealed segment" if sealed else f"where {level} are stored"
        raise LocalProtocolError(f"a block at {offset}, {where}")


@dataclass(slots=True)
class Segment:
    """Bytes, and how far each connection's appends to them have come."""

    data: bytearray = field(default_factory=bytearray)
    levels: dict[UUID, int] = field(default_factory=dict)
    is_sealed: bool = False


MEMORY_LIMIT = 1 << 30
"""Bytes of segments in memory. (Chosen by jvmwire.)"""
ENTRY_BYTES = 256
"""Bytes counted for a segment, and for a connection id in it, besides its data."""


class MemoryStore(Store):
    """Segments that are gone with the process.

    Args:
        limit: Bytes of all of them together, with `ENTRY_BYTES` for each segment and connection id.
    """

    def __init__(self, *, limit: int = MEMORY_LIMIT) -> None:
        self.segments: dict[str, Segment] = {}
        self._limit = limit
        self._size = 0

    def transaction(self) -> AbstractContextManager[None]:
        """Return what does nothing: all is kept at once."""
        return nullcontext()

    def level(self, segment: str, connection_id: UUID) -> int:
        """Make the segment if there is none; return how many bytes of a connection it has."""
        found = self.segments.get(segment)
        if found is None:
            self._take_room(ENTRY_BYTES + len(segment))
            found = self.segments[segment] = Segment()
        return found.levels.get(connection_id, 0)

    def append(self, segment: str, connection_id: UUID, offset: int, data: bytes) -> int:
        """Store a connection's bytes."""
        found = self.segments[segment]
        _check(found.levels.get(connection_id, 0), offset, sealed=found.is_sealed)
        known = connection_id in found.levels
        self._take_room(len(data) + (0 if known else ENTRY_BYTES))
        found.data += data
        found.levels[connection_id] = offset + len(data)
        return offset + len(data)

    def _take_room(self, size: int) -> None:
        if self._size + size > self._limit:
            text = f"the store has no room for {size} bytes more: MemoryStore(limit={self._limit})"
            raise LimitExceeded(text)
        self._size += size

    def count(self) -> int:
        """Return how many segments there are."""
        return len(self.segments)

    def length(self, segment: str) -> int | None:
        """Return how many bytes are in a segment; None if there is none of that name."""
        found = self.segments.get(segment)
        return None if found is None else len(found.data)

    def read(self, segment: str, start: int, end: int) -> bytes:
        """Return what stands between two offsets."""
        return bytes(self.segments[segment].data[start : min(end, start + ROW)])

    def is_sealed(self, segment: str) -> bool:
        """Return whether a segment takes no more."""
        return self.segments[segment].is_sealed

    def seal(self, segment: str) -> None:
        """Let a segment take no more."""
        self.segments[segment].is_sealed = True

    def close(self) -> None:
        """Give up nothing."""


class FileStore(Store):
    """Segments in an SQLite file: what was acknowledged is there after a crash.

    Raises:
        ConfigError: the file is no store, or another server has it.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            self._file = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
            # One server at a time; a commit is on the disk before it is told of.
            self._file.execute("PRAGMA locking_mode = EXCLUSIVE")
            self._file.execute("PRAGMA journal_mode = WAL")
            self._file.execute("PRAGMA synchronous = FULL")
            self._file.executescript(_SCHEMA)
            self._recount()
        except sqlite3.Error as error:
            raise ConfigError(f"{path} cannot be used as a store: {error}") from error

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Keep all that is done within, once it ends, or nothing of it.

        Raises:
            JvmWireError: the file does not take it.
        """
        try:
            self._file.execute("BEGIN IMMEDIATE")
            try:
                yield
            except BaseException:
                self._file.execute("ROLLBACK")
                self._recount()
                raise
            self._file.execute("COMMIT")
        except sqlite3.Error as error:
            with suppress(sqlite3.Error):
                self._file.execute("ROLLBACK")
                self._recount()
            raise JvmWireError(f"{self._path} does not store: {error}") from error

    def level(self, segment: str, connection_id: UUID) -> int:
        """Make the segment if there is none; return how many bytes of a connection it has."""
        made = "INSERT OR IGNORE INTO segments (name) VALUES (?)"
        self._count += self._file.execute(made, (_key(segment),)).rowcount
        query = "SELECT level FROM levels WHERE name = ? AND connection_id = ?"
        found = self._file.execute(query, (_key(segment), connection_id.bytes)).fetchone()
        level: int = 0 if found is None else found[0]
        return level

    def append(self, segment: str, connection_id: UUID, offset: int, data: bytes) -> int:
        """Store a connection's bytes."""
        _check(self.level(segment, connection_id), offset, sealed=self.is_sealed(segment))
        key, start = _key(segment), self.length(segment) or 0
        rows = ((key, start + at, data[at : at + ROW]) for at in range(0, len(data), ROW))
        self._file.executemany("INSERT INTO pieces VALUES (?, ?, ?)", rows)
        self._file.execute(
            "UPDATE segments SET length = ? WHERE name = ?", (start + len(data), key)
        )
        level = offset + len(data)
        self._file.execute(
            "INSERT OR REPLACE INTO levels VALUES (?, ?, ?)", (key, connection_id.bytes, level)
        )
        return level

    def count(self) -> int:
        """Return how many segments there are."""
        return self._count

    def _recount(self) -> None:
        self._count: int = self._file.execute("SELECT count(*) FROM segments").fetchone()[0]

    def length(self, segment: str) -> int | None:
        """Return how many bytes are in a segment; None if there is none of that name."""
        query = "SELECT length FROM segments WHERE name = ?"
        found = self._file.execute(query, (_key(segment),)).fetchone()
        return None if found is None else found[0]

    def read(self, segment: str, start: int, end: int) -> bytes:
        """Return what stands between two offsets, up to `ROW` bytes."""
        end = min(end, start + ROW)
        key = _key(segment)
        query = """
            SELECT start, data FROM pieces WHERE name = ?1 AND start < ?3 AND start >= coalesce(
                (SELECT max(start) FROM pieces WHERE name = ?1 AND start <= ?2), 0
            ) ORDER BY start
        """
        found = self._file.execute(query, (key, start, end))
        return b"".join(data[max(start - at, 0) : end - at] for at, data in found)

    def is_sealed(self, segment: str) -> bool:
        """Return whether a segment takes no more."""
        query = "SELECT sealed FROM segments WHERE name = ?"
        found = self._file.execute(query, (_key(segment),)).fetchone()
        return found is not None and bool(found[0])

    def seal(self, segment: str) -> None:
        """Let a segment take no more."""
        self._file.execute("UPDATE segments SET sealed = 1 WHERE name = ?", (_key(segment),))

    def close(self) -> None:
        """Close the file."""
        self._file.close()


def _key(segment: str) -> bytes:
    """Return a name as it is kept: not every text of Java's is one of UTF-8's."""
    return segment.encode("utf-8", "surrogatepass")
