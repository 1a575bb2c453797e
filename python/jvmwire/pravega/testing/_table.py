"""Table of keys and values with versions, without I/O.

A version is the offset of the entry in the segment of the table. Keys of a fixed length are in
their own order, other keys in the order of their hash.
"""

from __future__ import annotations

import hashlib
from bisect import bisect_left, bisect_right, insort
from typing import TYPE_CHECKING, Any

from jvmwire.pravega import ANY_VERSION, NOT_THERE
from jvmwire.pravega.testing import _refusals as refuse
from jvmwire.pravega.testing._refusals import Hangup

if TYPE_CHECKING:
    from collections.abc import Sequence

MAX_KEY = 8 << 10
"""Bytes of a key, at most: `TableStore.MAXIMUM_KEY_LENGTH`."""
MAX_ENTRY = 1 << 20
"""Bytes of an entry with its header, at most: `EntrySerializer.MAX_SERIALIZATION_LENGTH`."""
MAX_KEY_LENGTH = 256
"""Bytes of keys of a fixed length, at most: `AttributeId.MAX_KEY_LENGTH`."""
ENTRY_HEADER = 17
"""Bytes in front of an entry in the segment: `EntrySerializer.HEADER_LENGTH`."""
MAX_PAGE = 1000
"""Entries of one reply, at most (chosen by jvmwire)."""
PAGE_BYTES = 4 << 20
"""Bytes of one reply with entries, after which no further entry is added (chosen by jvmwire)."""
DIGEST = 16
"""Bytes of the hash of a key, which is the continuation token of a page."""

Fields = dict[str, Any]
Place = tuple[bytes, bytes]
"""The position of a key in the order, and the key."""


class Table:
    """A table.

    Args:
        key_length: Bytes of each key; 0 if keys differ in length.
    """

    def __init__(self, key_length: int) -> None:
        if key_length > MAX_KEY_LENGTH:
            raise Hangup
        self.key_length = max(key_length, 0)
        self.length = 0
        """The offset of the end of the table's segment."""
        self.held = 0
        """Bytes of the keys and values."""
        self.room = 0
        """Bytes that may be added now."""
        self._entries: dict[bytes, tuple[int, bytes]] = {}
        self._order: list[Place] = []

    def __len__(self) -> int:
        return len(self._entries)

    @property
    def entry_count(self) -> int:
        """The number of entries as a store tells it: not for keys of a fixed length."""
        return 0 if self.key_length else len(self)

    # Changes

    def update(self, name: str, entries: Sequence[Fields], offset: int) -> list[int]:
        """Put entries, all or none; return their versions."""
        for entry in entries:
            self._check_key(name, entry["key"])
            if ENTRY_HEADER + len(entry["key"]) + len(entry["value"]) > MAX_ENTRY:
                raise refuse.message(name, "Key+Value serialization too large.")
        self._check_versions(name, entries, offset)
        if self._added_bytes(entries) > self.room:
            raise refuse.message(name, "the double has no room for these entries")
        versions = []
        for entry in entries:
            key, value = bytes(entry["key"]), bytes(entry["value"])
            if (old := self._entries.get(key)) is None:
                insort(self._order, self._place(key))
                self.held += len(key)
            else:
                self.held -= len(old[1])
            self._entries[key] = self.length, value
            self.held += len(value)
            versions.append(self.length)
            self.length += ENTRY_HEADER + len(key) + len(value)
        return versions

    def remove(self, name: str, keys: Sequence[Fields], offset: int) -> None:
        """Remove keys, all or none."""
        for entry in keys:
            self._check_key(name, entry["key"])
        self._check_versions(name, keys, offset)
        for entry in keys:
            key = bytes(entry["key"])
            if not self.key_length:  # keys of a fixed length are attributes, whose removal has none
                self.length += ENTRY_HEADER + len(key)
            if (old := self._entries.pop(key, None)) is not None:
                del self._order[bisect_left(self._order, self._place(key))]
                self.held -= len(key) + len(old[1])

    def _added_bytes(self, entries: Sequence[Fields]) -> int:
        """Return the bytes that the table holds more with these entries."""
        latest = {bytes(each["key"]): len(each["value"]) for each in entries}
        added = 0
        for key, size in latest.items():
            old = self._entries.get(key)
            added += size + len(key) if old is None else size - len(old[1])
        return added

    def _check_key(self, name: str, key: bytes) -> None:
        if not key:
            raise Hangup
        if self.key_length and len(key) != self.key_length:
            text = f"Expected a key of {self.key_length} bytes, got {len(key)}"
            raise refuse.message(name, text)
        if len(key) > MAX_KEY:
            text = f"Key too large. Expected at most {MAX_KEY} bytes, got {len(key)}"
            raise refuse.message(name, text)

    def _check_versions(self, name: str, entries: Sequence[Fields], offset: int) -> None:
        is_bad = is_missing = False
        for entry in entries:
            wanted, found = entry["version"], self._entries.get(bytes(entry["key"]))
            if wanted == ANY_VERSION or (found is None and wanted == NOT_THERE):
                continue
            if found is None:
                is_missing = True
            elif wanted != found[0]:
                is_bad = True
        if is_missing and not self.key_length:
            raise refuse.wrong_key("TableKeyDoesNotExist", name)
        if is_bad or is_missing:
            raise refuse.wrong_key("TableKeyBadVersion", name)
        if offset not in {-1, self.length}:
            raise refuse.is_truncated(name, self.length, offset)

    # Reads

    def read(self, name: str, keys: Sequence[Fields]) -> list[Fields]:
        """Return the entry of each key; one that does not exist has the version `NOT_THERE`."""
        found = []
        for each in keys:
            self._check_key(name, each["key"])
            key = bytes(each["key"])
            version, value = self._entries.get(key, (NOT_THERE, b""))
            found.append({"key": key, "version": version, "value": value})
        return found

    def page(self, name: str, asked: Fields, count: int) -> tuple[list[Fields], bytes]:
        """Return entries in order.

        Args:
            name: The table.
            asked: The fields of the command: its token, or the first and the last key.
            count: The suggested number of entries.

        Returns:
            The entries, and the token that continues after them.
        """
        token = bytes(asked["continuation_token"])
        low, high = self._range(name, asked, token)
        found: list[Fields] = []
        size = 0
        for place in range(low, min(high, low + max(min(count, MAX_PAGE), 0))):
            key = self._order[place][1]
            version, value = self._entries[key]
            found.append({"key": key, "version": version, "value": value})
            size += len(key) + len(value)
            if size > PAGE_BYTES:
                break
        if not found:
            return [], token
        last = found[-1]["key"]
        return found, self._place(last)[0]

    def _range(self, name: str, asked: Fields, token: bytes) -> tuple[int, int]:
        """Return the range of positions in the order that a page may have."""
        if not self.key_length:
            if token and len(token) != DIGEST:
                raise Hangup
            after = bisect_right(self._order, (token, b"\xff" * (MAX_KEY + 1))) if token else 0
            return after, len(self._order)
        if token:
            text = "ContinuationToken not supported for FixedKeyLengthTableSegments."
            raise refuse.message(name, text)
        first, last = bytes(asked.get("from_key", b"")), bytes(asked.get("to_key", b""))
        for key in (first, last):
            if key:
                self._check_key(name, key)
        if first and last and first > last:
            raise refuse.message(name, "firstKey must be smaller than or equal to lastKey.")
        low = bisect_left(self._order, (first, first))
        return low, bisect_right(self._order, (last, last)) if last else len(self._order)

    def _place(self, key: bytes) -> Place:
        if self.key_length:
            return key, key
        return hashlib.sha256(key).digest()[:DIGEST], key
