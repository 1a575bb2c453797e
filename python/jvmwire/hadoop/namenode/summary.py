"""How much is below a path, and how much may be."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Self

from jvmwire.hadoop.namenode.records import Record, quota_or_none

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class TypeQuota:
    """Of a type of storage, as `SSD`: bytes that may be used, None without a limit, and are."""

    quota: int | None
    consumed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ContentSummary(Record):
    """`ContentSummaryProto`: what is at a path and below it."""

    length: int
    """Bytes, each counted once."""
    file_count: int
    directory_count: int
    """Itself included."""
    space_consumed: int
    """Bytes, all replicas counted."""
    quota: int | None
    """Names that may be there; None without a limit."""
    space_quota: int | None
    """Bytes of all replicas that may be there; None without a limit."""
    type_quotas: Mapping[str, TypeQuota] = field(default_factory=dict)
    snapshot_length: int = 0
    snapshot_file_count: int = 0
    snapshot_directory_count: int = 0
    snapshot_space_consumed: int = 0
    erasure_coding_policy: str = ""

    @classmethod
    def from_fields(cls, message: Mapping[str, Any]) -> Self:
        """Make one of a decoded message."""
        return super(ContentSummary, cls).from_fields(_quotas(message))


@dataclass(frozen=True, slots=True, kw_only=True)
class QuotaUsage(Record):
    """`QuotaUsageProto`: the quotas of a directory, and what is used of them."""

    file_and_directory_count: int
    quota: int | None
    space_consumed: int
    space_quota: int | None
    type_quotas: Mapping[str, TypeQuota] = field(default_factory=dict)

    @classmethod
    def from_fields(cls, message: Mapping[str, Any]) -> Self:
        """Make one of a decoded message."""
        return super(QuotaUsage, cls).from_fields(_quotas(message))


def _quotas(message: Mapping[str, Any]) -> dict[str, Any]:
    infos = message.get("type_quota_infos", {}).get("type_quota_info", [])
    return {
        **message,
        "quota": quota_or_none(message["quota"]),
        "space_quota": quota_or_none(message["space_quota"]),
        "type_quotas": {
            str(info.get("type", "DISK")): TypeQuota(quota_or_none(info["quota"]), info["consumed"])
            for info in infos
        },
    }
