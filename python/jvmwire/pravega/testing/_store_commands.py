"""Commands of clients to a double's segment store, each a function of its fields."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Any

from jvmwire.pravega.testing import _refusals as refuse
from jvmwire.pravega.testing._table import Table

if TYPE_CHECKING:
    from collections.abc import Callable

    from jvmwire.pravega.testing._segments import Segments

Fields = dict[str, Any]
Answer = tuple[str, Fields]
"""The name of a reply, and its fields without the request id."""


class StoreCommands:
    """The commands with one reply that needs no state of the connection.

    Args:
        segments: The segments that they read and change.
    """

    def __init__(self, segments: Segments) -> None:
        self._segments = segments
        self._known: dict[str, Callable[[Fields], Answer]] = {
            "CreateSegment": self._create,
            "DeleteSegment": self._delete,
            "SealSegment": self._seal,
            "TruncateSegment": self._truncate,
            "UpdateSegmentPolicy": self._update_policy,
            "GetStreamSegmentInfo": self._segment_info,
            "GetSegmentAttribute": self._attribute,
            "UpdateSegmentAttribute": self._update_attribute,
            "MergeSegments": self._merge,
            "MergeSegmentsBatch": self._merge_all,
            "CreateTableSegment": self._create_table,
            "DeleteTableSegment": self._delete_table,
            "GetTableSegmentInfo": self._table_info,
            "UpdateTableEntries": self._update_table,
            "RemoveTableKeys": self._remove_keys,
            "ReadTable": self._read_table,
            "ReadTableKeys": self._table_keys,
            "ReadTableEntries": self._table_entries,
        }

    def answer(self, name: str, fields: Fields) -> Answer:
        """Execute a command.

        Args:
            name: The name of the command in Java.
            fields: Its fields, without the request id and the token.

        Returns:
            The reply.

        Raises:
            Refusal: the command is refused.
            Hangup: the connection is closed without a reply.
        """
        function = self._known.get(name)
        if function is None:
            raise refuse.unsupported(name[:1].lower() + name[1:])
        return function(fields)

    def create_transient(self, parent: str, writer: uuid.UUID) -> str:
        """Create a segment for one writer, and return its name: `NameUtils.getTransientName`."""
        name = f"{parent}#transient.{writer.hex}.{uuid.uuid4().hex}"
        self._segments.create(name)
        return name

    # Segments

    def _create(self, asked: Fields) -> Answer:
        self._segments.create(asked["segment"])
        return "SegmentCreated", {"segment": asked["segment"]}

    def _delete(self, asked: Fields) -> Answer:
        self._segments.delete(asked["segment"])
        return "SegmentDeleted", {"segment": asked["segment"]}

    def _seal(self, asked: Fields) -> Answer:
        self._segments.seal(asked["segment"])
        return "SegmentSealed", {"segment": asked["segment"]}

    def _truncate(self, asked: Fields) -> Answer:
        self._segments.truncate(asked["segment"], asked["truncation_offset"])
        return "SegmentTruncated", {"segment": asked["segment"]}

    def _update_policy(self, asked: Fields) -> Answer:
        self._segments.check_policy(asked["segment"])
        return "SegmentPolicyUpdated", {"segment": asked["segment"]}

    def _segment_info(self, asked: Fields) -> Answer:
        segment = self._segments.get(asked["segment_name"])
        return "StreamSegmentInfo", {
            "segment_name": segment.name,
            "exists": True,
            "is_sealed": segment.is_sealed,
            "is_deleted": False,
            "last_modified": segment.modified,
            "write_offset": segment.length,
            "start_offset": segment.start,
        }

    # Attributes and merges

    def _attribute(self, asked: Fields) -> Answer:
        value = self._segments.attribute(asked["segment_name"], asked["attribute_id"])
        return "SegmentAttribute", {"value": value}

    def _update_attribute(self, asked: Fields) -> Answer:
        success = self._segments.update_attribute(
            *(asked["segment_name"], asked["attribute_id"]),
            *(asked["new_value"], asked["expected_value"]),
        )
        return "SegmentAttributeUpdated", {"success": success}

    def _merge(self, asked: Fields) -> Answer:
        target, source = asked["target"], asked["source"]
        end = self._segments.merge(target, source, asked.get("attribute_updates", ()))
        if end is None:
            return "SegmentAttributeUpdated", {"success": False}
        merged = {"target": target, "source": source, "new_target_write_offset": end}
        return "SegmentsMerged", merged

    def _merge_all(self, asked: Fields) -> Answer:
        target, sources = asked["target_segment_id"], asked["source_segment_ids"]
        ends = self._segments.merge_all(target, sources)
        merged = [
            {"source": source, "new_target_write_offset": end}
            for source, end in zip(sources, ends, strict=True)
        ]
        return "SegmentsBatchMerged", {"target": target, "merged": merged}

    # Tables

    def _create_table(self, asked: Fields) -> Answer:
        self._segments.create(asked["segment"], Table(asked.get("key_length", 0)))
        return "SegmentCreated", {"segment": asked["segment"]}

    def _delete_table(self, asked: Fields) -> Answer:
        self._segments.delete_table(asked["segment"], must_be_empty=asked["must_be_empty"])
        return "SegmentDeleted", {"segment": asked["segment"]}

    def _table_info(self, asked: Fields) -> Answer:
        table = self._segments.table(asked["segment_name"])
        return "TableSegmentInfo", {
            "segment_name": asked["segment_name"],
            "start_offset": 0,
            "length": table.length,
            "entry_count": table.entry_count,
            "key_length": table.key_length,
        }

    def _update_table(self, asked: Fields) -> Answer:
        versions = self._segments.update_table(
            asked["segment"], asked["table_entries"], asked.get("table_segment_offset", -1)
        )
        return "TableEntriesUpdated", {"updated_versions": versions}

    def _remove_keys(self, asked: Fields) -> Answer:
        self._segments.remove_keys(
            asked["segment"], asked["keys"], asked.get("table_segment_offset", -1)
        )
        return "TableKeysRemoved", {"segment": asked["segment"]}

    def _read_table(self, asked: Fields) -> Answer:
        name = asked["segment"]
        found = self._segments.table(name).read(name, asked["keys"])
        return "TableRead", {"segment": name, "entries": found}

    def _table_keys(self, asked: Fields) -> Answer:
        name = asked["segment"]
        count = asked["suggested_key_count"]
        found, token = self._segments.table(name).page(name, asked, count)
        keys = [{"key": each["key"], "version": each["version"]} for each in found]
        return "TableKeysRead", {"segment": name, "keys": keys, "continuation_token": token}

    def _table_entries(self, asked: Fields) -> Answer:
        name = asked["segment"]
        count = asked["suggested_entry_count"]
        found, token = self._segments.table(name).page(name, asked, count)
        return "TableEntriesRead", {"segment": name, "entries": found, "continuation_token": token}
