"""The storage policies and erasure coding policies that every NameNode has.

Source: `BlockStoragePolicySuite.createDefaultSuite` and `SystemErasureCodingPolicies`.
"""

from __future__ import annotations

from typing import Any

STORAGE_POLICIES: dict[str, tuple[int, tuple[str, ...]]] = {
    "PROVIDED": (1, ("PROVIDED", "DISK")),
    "COLD": (2, ("ARCHIVE",)),
    "WARM": (5, ("DISK", "ARCHIVE")),
    "HOT": (7, ("DISK",)),
    "ONE_SSD": (10, ("SSD", "DISK")),
    "ALL_SSD": (12, ("SSD",)),
    "ALL_NVDIMM": (14, ("NVDIMM",)),
    "LAZY_PERSIST": (15, ("RAM_DISK", "DISK")),
}
"""Numbers and storage types by name."""
DEFAULT_STORAGE_POLICY = "HOT"
EC_POLICIES: dict[str, tuple[int, str, int, int]] = {
    "RS-6-3-1024k": (1, "rs", 6, 3),
    "RS-3-2-1024k": (2, "rs", 3, 2),
    "RS-LEGACY-6-3-1024k": (3, "rs-legacy", 6, 3),
    "XOR-2-1-1024k": (4, "xor", 2, 1),
    "RS-10-4-1024k": (5, "rs", 10, 4),
}
"""Numbers, codecs, data units and parity units by name."""
DEFAULT_EC_POLICY = "RS-6-3-1024k"
"""The only policy that is enabled in the beginning: `dfs.namenode.ec.system.default.policy`."""
CELL_SIZE = 1 << 20


def storage_policy_message(name: str) -> dict[str, Any]:
    """Return a storage policy as a `BlockStoragePolicyProto`.

    Args:
        name: Name of the policy.

    Returns:
        The fields.
    """
    number, types = STORAGE_POLICIES[name]
    return {
        "policy_id": number,
        "name": name,
        "creation_policy": {"storage_types": list(types)},
        "creation_fallback_policy": {"storage_types": []},
        "replication_fallback_policy": {"storage_types": []},
    }


def ec_policy_message(name: str, *, is_enabled: bool) -> dict[str, Any]:
    """Return an erasure coding policy as an `ErasureCodingPolicyProto`.

    Args:
        name: Name of the policy.
        is_enabled: Whether directories can have it.

    Returns:
        The fields.
    """
    number, codec, data, parity = EC_POLICIES[name]
    return {
        "name": name,
        "schema": {"codec_name": codec, "data_units": data, "parity_units": parity},
        "cell_size": CELL_SIZE,
        "id": number,
        "state": "ENABLED" if is_enabled else "DISABLED",
    }
