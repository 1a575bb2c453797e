"""Usage and quotas of directory trees."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Self

from jvmwire.hadoop.namenode._records import Record, quota_or_none

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class TypeQuota:
    """Quota of one storage type, such as `SSD`, and its usage, both in bytes; no quota is None.

    Attributes:
        quota: The largest number of bytes of the type.
        consumed: The bytes of the type that are used.
    """

    quota: int | None
    consumed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ContentSummary(Record):
    """Totals of a file or a directory tree.

    Attributes:
        length: The number of bytes without replicas.
        file_count: The number of files.
        directory_count: The number of directories, including the path itself.
        space_consumed: The number of bytes of all replicas.
        quota: The limit of names; None for no limit.
        space_quota: The limit of bytes of all replicas; None for no limit.
        type_quotas: The quota and use of each storage type that has a quota.
        snapshot_length: The bytes of files that only snapshots have.
        snapshot_file_count: The number of files that only snapshots have.
        snapshot_directory_count: The number of directories that only snapshots have.
        snapshot_space_consumed: The bytes on disk, replicas included, that only snapshots have.
        erasure_coding_policy: The name of the erasure coding policy.

    Source: ContentSummaryProto.
    """

    length: int
    file_count: int
    directory_count: int
    space_consumed: int
    quota: int | None
    space_quota: int | None
    type_quotas: Mapping[str, TypeQuota] = field(default_factory=dict)
    snapshot_length: int = 0
    snapshot_file_count: int = 0
    snapshot_directory_count: int = 0
    snapshot_space_consumed: int = 0
    erasure_coding_policy: str = ""

    @classmethod
    def from_fields(cls, message: Mapping[str, Any]) -> Self:
        """Return the totals of a decoded message.

        Args:
            message: Fields of a `ContentSummaryProto`.

        Returns:
            The totals.
        """
        return super(ContentSummary, cls).from_fields(_quotas(message))


@dataclass(frozen=True, slots=True, kw_only=True)
class QuotaUsage(Record):
    """Quotas of a directory and their usage.

    Attributes:
        file_and_directory_count: The number of files and directories.
        quota: The largest number of files and directories, -1 if there is no quota.
        space_consumed: The bytes on disk, replicas included.
        space_quota: The largest number of bytes on disk, -1 if there is no quota.
        type_quotas: The quota and use of each storage type that has a quota.

    Source: QuotaUsageProto.
    """

    file_and_directory_count: int
    quota: int | None
    space_consumed: int
    space_quota: int | None
    type_quotas: Mapping[str, TypeQuota] = field(default_factory=dict)

    @classmethod
    def from_fields(cls, message: Mapping[str, Any]) -> Self:
        """Return the quotas of a decoded message.

        Args:
            message: Fields of a `QuotaUsageProto`.

        Returns:
            The quotas and their usage.
        """
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
