"""Segment storage of a server of the first protocol: in memory, or in a persistent file."""

from __future__ import annotations

import abc
import os
import sqlite3
import stat
import struct
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from jvmwire._escaping import escape
from jvmwire._files import replace_file
from jvmwire.errors import ConfigError, JvmWireError, LimitExceeded, LocalProtocolError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from uuid import UUID

ROW = 1 << 20
"""Bytes of a segment per row of the file, at most, and per reply (chosen by jvmwire)."""
APPLICATION_ID: Final = int.from_bytes(b"jvmw")
"""SQLite's `application_id` of a store, which distinguishes it from files of other programs."""
VERSION: Final = 1
"""SQLite's `user_version` of a store: the version of its tables."""
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
    """Interface of a segment storage, which counts the bytes of each connection id."""

    @abc.abstractmethod
    def transaction(self) -> AbstractContextManager[None]:
        """Return a context manager whose changes become durable when it exits.

        Returns:
            The context manager; replies are sent only after it has exited.
        """

    @abc.abstractmethod
    def acked_bytes(self, segment: str, connection_id: UUID) -> int:
        """Create a segment if it does not exist, and return the bytes stored by a connection id.

        Args:
            segment: The segment's name.
            connection_id: The connection id.

        Returns:
            The number of bytes.
        """

    @abc.abstractmethod
    def append(self, segment: str, connection_id: UUID, offset: int, data: bytes) -> int:
        """Append bytes of a connection id to a segment.

        Args:
            segment: The segment's name.
            connection_id: The connection id.
            offset: The number of bytes that the connection id must have stored before.
            data: The bytes.

        Returns:
            The number of bytes that the connection id has stored now.

        Raises:
            LocalProtocolError: the connection id has stored more or fewer bytes, or the segment is
                sealed.
        """

    @abc.abstractmethod
    def count(self) -> int:
        """Count the segments.

        Returns:
            The number of segments.
        """

    @abc.abstractmethod
    def length(self, segment: str) -> int | None:
        """Return the length of a segment.

        Args:
            segment: The segment's name.

        Returns:
            The number of bytes, None if no segment has that name.
        """

    @abc.abstractmethod
    def read(self, segment: str, start: int, end: int) -> bytes:
        """Read bytes of a segment.

        Args:
            segment: The segment's name.
            start: The offset of the first byte.
            end: The offset after the last byte.

        Returns:
            The bytes, at most `ROW`.
        """

    @abc.abstractmethod
    def is_sealed(self, segment: str) -> bool:
        """Return whether a segment is sealed.

        Args:
            segment: The segment's name.

        Returns:
            Whether the segment accepts no more appends.
        """

    @abc.abstractmethod
    def seal(self, segment: str) -> None:
        """Seal a segment, so that it accepts no more appends.

        Args:
            segment: The segment's name.
        """

    @abc.abstractmethod
    def close(self) -> None:
        """Release the resources of the storage."""


def _check(level: int, offset: int, *, sealed: bool) -> None:
    if offset != level or sealed:
        # Another TCP connection has appended under this id, or the segment is sealed.
        where = "in a sealed segment" if sealed else f"where {level} are stored"
        raise LocalProtocolError(f"a block at {offset}, {where}")


@dataclass(slots=True)
class Segment:
    """A segment in memory: its bytes, and the bytes stored by each connection id.

    Attributes:
        data: The bytes.
        levels: The acknowledgement level of each connection id.
        is_sealed: Whether it takes no more bytes.
    """

    data: bytearray = field(default_factory=bytearray)
    levels: dict[UUID, int] = field(default_factory=dict)
    is_sealed: bool = False


MEMORY_LIMIT = 1 << 30
"""Bytes of segments in memory (chosen by jvmwire)."""
ENTRY_BYTES = 256
"""Bytes counted per segment, and per connection id in it, in addition to its data."""


class MemoryStore(Store):
    """Segment storage in memory, which is lost with the process.

    Args:
        limit: Bytes of all segments, with `ENTRY_BYTES` for each segment and connection id.
    """

    def __init__(self, *, limit: int = MEMORY_LIMIT) -> None:
        self.segments: dict[str, Segment] = {}
        self._limit = limit
        self._size = 0

    def transaction(self) -> AbstractContextManager[None]:
        """Return a context manager without effect: every change is kept at once.

        Returns:
            The context manager.
        """
        return nullcontext()

    def acked_bytes(self, segment: str, connection_id: UUID) -> int:
        """Create a segment if it does not exist, and return the bytes stored by a connection id.

        Args:
            segment: The segment's name.
            connection_id: The connection id.

        Returns:
            The number of bytes.
        """
        found = self.segments.get(segment)
        if found is None:
            self._take_room(ENTRY_BYTES + len(segment))
            found = self.segments[segment] = Segment()
        return found.levels.get(connection_id, 0)

    def append(self, segment: str, connection_id: UUID, offset: int, data: bytes) -> int:
        """Append bytes of a connection id to a segment.

        Args:
            segment: The segment's name.
            connection_id: The connection id.
            offset: The number of bytes that the connection id must have stored before.
            data: The bytes.

        Returns:
            The number of bytes that the connection id has stored now.

        Raises:
            LocalProtocolError: the connection id has stored more or fewer bytes, or the segment is
                sealed.
        """
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
        """Count the segments.

        Returns:
            The number of segments.
        """
        return len(self.segments)

    def length(self, segment: str) -> int | None:
        """Return the length of a segment; None if no segment has that name.

        Args:
            segment: The segment's name.

        Returns:
            The number of bytes, None if no segment has that name.
        """
        found = self.segments.get(segment)
        return None if found is None else len(found.data)

    def read(self, segment: str, start: int, end: int) -> bytes:
        """Read bytes of a segment between two offsets, at most `ROW`.

        Args:
            segment: The segment's name.
            start: The offset of the first byte.
            end: The offset after the last byte.

        Returns:
            The bytes, at most `ROW`.
        """
        return bytes(self.segments[segment].data[start : min(end, start + ROW)])

    def is_sealed(self, segment: str) -> bool:
        """Return whether a segment is sealed.

        Args:
            segment: The segment's name.

        Returns:
            Whether the segment accepts no more appends.
        """
        return self.segments[segment].is_sealed

    def seal(self, segment: str) -> None:
        """Seal a segment, so that it accepts no more appends.

        Args:
            segment: The segment's name.
        """
        self.segments[segment].is_sealed = True

    def close(self) -> None:
        """Do nothing: there are no resources to release."""


class FileStore(Store):
    """Segment storage in an SQLite file, in which acknowledged data survives a crash.

    A missing or empty file becomes a store. A file that another program or another version of
    jvmwire wrote is refused, and not changed.

    Args:
        path: The file.

    Raises:
        ConfigError: the file is not a store, or another server uses it.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        # SQLite interprets a name like `:memory:` in another way.
        name = path.absolute()
        try:
            if not _is_store(name):
                _make_store(name)
            self._file = sqlite3.connect(name, isolation_level=None, check_same_thread=False)
        except (OSError, ValueError, sqlite3.Error) as error:
            raise _unusable(path, error) from error
        try:
            # The file is locked for one server; a commit is on the disk before it is acknowledged.
            self._file.execute("PRAGMA locking_mode = EXCLUSIVE")
            self._file.execute("PRAGMA journal_mode = WAL")
            self._file.execute("PRAGMA synchronous = FULL")
            self._recount()
        except sqlite3.Error as error:
            self._file.close()
            raise _unusable(path, error) from error

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Return a context manager that commits its changes on exit, or rolls them back.

        Yields:
            None, once; the changes between are one transaction.

        Raises:
            JvmWireError: the file cannot be written.
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
        """Create a segment if it does not exist, and return the bytes stored by a connection id.

        Args:
            segment: The segment's name.
            connection_id: The connection id.

        Returns:
            The number of bytes.
        """
        made = "INSERT OR IGNORE INTO segments (name) VALUES (?)"
        self._count += self._file.execute(made, (_key(segment),)).rowcount
        query = "SELECT level FROM levels WHERE name = ? AND connection_id = ?"
        found = self._file.execute(query, (_key(segment), connection_id.bytes)).fetchone()
        level: int = 0 if found is None else found[0]
        return level

    def append(self, segment: str, connection_id: UUID, offset: int, data: bytes) -> int:
        """Append bytes of a connection id to a segment.

        Args:
            segment: The segment's name.
            connection_id: The connection id.
            offset: The number of bytes that the connection id must have stored before.
            data: The bytes.

        Returns:
            The number of bytes that the connection id has stored now.

        Raises:
            LocalProtocolError: the connection id has stored more or fewer bytes, or the segment is
                sealed.
        """
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
        """Count the segments.

        Returns:
            The number of segments.
        """
        return self._count

    def _recount(self) -> None:
        self._count: int = self._file.execute("SELECT count(*) FROM segments").fetchone()[0]

    def length(self, segment: str) -> int | None:
        """Return the length of a segment; None if no segment has that name.

        Args:
            segment: The segment's name.

        Returns:
            The number of bytes, None if no segment has that name.
        """
        query = "SELECT length FROM segments WHERE name = ?"
        found = self._file.execute(query, (_key(segment),)).fetchone()
        return None if found is None else found[0]

    def read(self, segment: str, start: int, end: int) -> bytes:
        """Read bytes of a segment between two offsets, at most `ROW`.

        Args:
            segment: The segment's name.
            start: The offset of the first byte.
            end: The offset after the last byte.

        Returns:
            The bytes, at most `ROW`.
        """
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
        """Return whether a segment is sealed.

        Args:
            segment: The segment's name.

        Returns:
            Whether the segment accepts no more appends.
        """
        query = "SELECT sealed FROM segments WHERE name = ?"
        found = self._file.execute(query, (_key(segment),)).fetchone()
        return found is not None and bool(found[0])

    def seal(self, segment: str) -> None:
        """Seal a segment, so that it accepts no more appends.

        Args:
            segment: The segment's name.
        """
        self._file.execute("UPDATE segments SET sealed = 1 WHERE name = ?", (_key(segment),))

    def close(self) -> None:
        """Close the file."""
        self._file.close()


def _key(segment: str) -> bytes:
    """Encode a segment's name for the file: Java's strings may hold lone surrogates."""
    return segment.encode("utf-8", "surrogatepass")


def _is_store(path: Path) -> bool:
    """Return whether a file is a store; False if it is missing or empty.

    The file is not opened by SQLite before this check: SQLite could change it, or create files next
    to it.

    Raises:
        ValueError: the file is something else.
        OSError: the file cannot be read.
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
    """Write an empty store atomically."""
    for ending in ("-wal", "-journal"):
        # SQLite would apply the content of such a file to the new store.
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
