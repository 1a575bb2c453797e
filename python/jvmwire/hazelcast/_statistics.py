"""Statistics that a client reports for Management Center; keys are those of Java's client."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmwire._core import VERSION

if TYPE_CHECKING:
    from collections.abc import Mapping

    from jvmwire.hazelcast.near_cache._records import NearCacheStatistics

SPECIAL = str.maketrans({character: f"\\{character}" for character in "\\,=."})
"""Escapes of the characters with a meaning in the text."""


def statistics_text(
    now: float, client_name: str, client_type: str, near_caches: Mapping[str, NearCacheStatistics]
) -> str:
    """Return the text of `Client.statistics`; keys of near caches begin with `nc.`.

    Args:
        now: Seconds since 1970.
        client_name: Name of the client.
        client_type: Type of the client, as in the protocol.
        near_caches: Statistics of near caches by map name.

    Returns:
        Comma-separated pairs of key and value.
    """
    values: dict[str, object] = {
        "lastStatisticsCollectionTime": int(now * 1000),
        "enterprise": "false",
        "clientType": client_type,
        "clientVersion": VERSION.translate(SPECIAL),
        "clientName": client_name.translate(SPECIAL),
    }
    for name, kept in near_caches.items():
        prefix = f"nc.{name.translate(SPECIAL)}"
        values |= {
            f"{prefix}.hits": kept.hits,
            f"{prefix}.misses": kept.misses,
            f"{prefix}.evictions": kept.evictions,
            f"{prefix}.expirations": kept.expirations,
            f"{prefix}.invalidations": kept.invalidations,
            f"{prefix}.invalidationRequests": kept.invalidation_requests,
            f"{prefix}.ownedEntryCount": kept.entries,
        }
    return ",".join(f"{key}={value}" for key, value in values.items())
