"""Where a server of the first protocol keeps segments: in memory, or in a file that outlives it."""

from __future__ import annotations

import abc
import os
import sqlite3
import stat
import struct
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from jvmwire._files import replace_file
from jvmwire.errors import ConfigError, JvmWireError, LimitExceeded, LocalProtocolError
from jvmwire.escaping import escape

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from uuid import UUID

ROW = 1 << 20
"""Bytes of a segment in one row of the file at most: as many as a reply has. Ours."""
APPLICATION_ID: Final = int.from_bytes(b"jvmw")
"""SQLite's `application_id` of a store, by which it is told from files of other programs."""
VERSION: Final = 1
"""SQLite's `user_version` of a store: how its tables are laid out."""
_MAGIC = b"SQLite format 3\0"
_HEADER = struct.Struct(">16s44xI4xI")
"""SQLite's file header up to `application_id`: magic, `user_version`, `application_id`."""
_SCHEMA = f"""
PRAGMA application_id = {APPLICATION_ID};
PRAGMA user_version = {VERSION};
CREATE TABLE segments (
    name BLOB PRIMARY KEY, length INTEGER NOT NULL DEFAULT 0, sealed INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;
CREATE TABLE levels (
    name BLOB, connection_id BLOB, level INTEGER NOT NULL, PRIMARY KEY (name, connection_id)
) WITHOUT ROWID;
CREATE TABLE pieces (
    name BLOB, start INTEGER, data BLOB NOT NULL, UNIQUE (name, start)
);
"""


class Store(abc.ABC):
    """Segments, and how far each connection's appends to them have come."""

    @abc.abstractmethod
    def transaction(self) -> AbstractContextManager[None]:
        """Return what keeps all that is done within it once it ends: it is told only then."""

    @abc.abstractmethod
    def acked_bytes(self, segment: str, connection_id: UUID) -> int:
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

    def acked_bytes(self, segment: str, connection_id: UUID) -> int:
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

    A file that is missing or empty becomes a store; one that another program or another version of
    jvmwire wrote is refused, and stays as it is.

    Raises:
        ConfigError: the file is not a store, or another server has it.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        # A name like `:memory:` has another meaning for SQLite.
        name = path.absolute()
        try:
            if not _is_store(name):
                _make_store(name)
            self._file = sqlite3.connect(name, isolation_level=None, check_same_thread=False)
        except (OSError, ValueError, sqlite3.Error) as error:
            raise _unusable(path, error) from error
        try:
            # One server at a time; a commit is on the disk before it is told of.
            self._file.execute("PRAGMA locking_mode = EXCLUSIVE")
            self._file.execute("PRAGMA journal_mode = WAL")
            self._file.execute("PRAGMA synchronous = FULL")
            self._recount()
        except sqlite3.Error as error:
            self._file.close()
            raise _unusable(path, error) from error

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

    def acked_bytes(self, segment: str, connection_id: UUID) -> int:
        """Make the segment if there is none; return how many bytes of a connection it has."""
        made = "INSERT OR IGNORE INTO segments (name) VALUES (?)"
        self._count += self._file.execute(made, (_key(segment),)).rowcount
        query = "SELECT level FROM levels WHERE name = ? AND connection_id = ?"
        found = self._file.execute(query, (_key(segment), connection_id.bytes)).fetchone()
        level: int = 0 if found is None else found[0]
        return level

    def append(self, segment: str, connection_id: UUID, offset: int, data: bytes) -> int:
        """Store a connection's bytes."""
        _check(self.acked_bytes(segment, connection_id), offset, sealed=self.is_sealed(segment))
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


def _is_store(path: Path) -> bool:
    """Return whether a file is a store; False if it is missing or empty.

    SQLite does not open the file before: that could change it, or write files beside it.

    Raises:
        ValueError: it is something else.
        OSError: it cannot be read.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError:
        return False
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise ValueError("it is not a regular file")
        header = file.read(_HEADER.size)
    if not header:
        return False
    magic, version, application = _HEADER.unpack(header.ljust(_HEADER.size, b"\0"))
    if magic != _MAGIC:
        raise ValueError("it is not a database of SQLite")
    if application != APPLICATION_ID:
        raise ValueError("it is a database of SQLite, but not a store of jvmwire")
    if version != VERSION:
        raise ValueError(f"it is a store of version {version}; expected version {VERSION}")
    return True


def _make_store(path: Path) -> None:
    """Write an empty store, whole or not at all."""
    for ending in ("-wal", "-journal"):
        # SQLite would take what is in it for the latest changes of the new store.
        if os.path.lexists(f"{path}{ending}"):
            raise ValueError(f"there is a file {path.name}{ending} that belongs to another one")
    with closing(sqlite3.connect(":memory:")) as empty:
        empty.executescript(_SCHEMA)
        content = empty.serialize()
    with replace_file(path.resolve()) as file:
        file.write(content)


def _unusable(path: Path, error: Exception) -> ConfigError:
    reason = error.strerror if isinstance(error, OSError) else None
    return ConfigError(f"{escape(str(path))} cannot be used as a store: {reason or error}")
