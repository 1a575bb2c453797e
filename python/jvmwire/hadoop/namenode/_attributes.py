"""Metadata calls of the NameNode: owners, permissions, times, quotas, policies."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jvmwire._checks import MAX_LONG, check_range, check_type
from jvmwire._runtime.client import operation
from jvmwire._times import to_epoch_millis
from jvmwire.errors import ConfigError
from jvmwire.hadoop._client import RpcMethods
from jvmwire.hadoop.namenode._acl import AclStatus, acl_spec
from jvmwire.hadoop.namenode._choices import ALL_BITS, FsAction, choose

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from jvmwire._runtime.operations import Operation
    from jvmwire.hadoop.namenode._acl import AclEntry
    from jvmwire.hadoop.namenode._choices import FsActionName
    from jvmwire.hadoop.namenode._paths import StrPath

KEEP = (1 << 64) - 1
"""The time in a request that leaves a time unchanged: -1 in 64 bits."""
NO_QUOTA = (1 << 64) - 1
"""The quota in a request that removes a limit: `HdfsConstants.QUOTA_RESET`, -1 in 64 bits."""
KEEP_QUOTA = (1 << 63) - 1
"""The quota in a request that leaves a limit unchanged: `HdfsConstants.QUOTA_DONT_SET`."""
SYSTEM_POLICIES = {
    0: "REPLICATION",
    1: "RS-6-3-1024k",
    2: "RS-3-2-1024k",
    3: "RS-LEGACY-6-3-1024k",
    4: "XOR-2-1-1024k",
    5: "RS-10-4-1024k",
}
"""The erasure coding policies that the wire identifies by number only:
`SystemErasureCodingPolicies`."""
XATTR_CREATE, XATTR_REPLACE = 1, 2
"""The bits of `XAttrSetFlagProto`."""


def _java_time(name: str, time: datetime | int) -> int:
    """Convert a time to the unsigned number of a message."""
    millis: int = to_epoch_millis(name, time) % (1 << 64)
    if millis == KEEP and not isinstance(time, int):
        raise ConfigError(f"{name} cannot be {time}: to the NameNode it means that the time stays")
    return millis


class MetadataMethods(RpcMethods):
    """Calls that read and change the metadata of files and directories."""

    @operation
    def set_permission(self, path: StrPath, permission: int) -> Operation[None]:
        """Set the permission bits of a path.

        Args:
            path: Path of a file or directory.
            permission: Permission bits, such as `0o750`.

        Source: ClientProtocol.setPermission.
        """
        check_range("permission", permission, 0, ALL_BITS)
        yield from self._invoke(
            "setPermission", {"src": self._absolute(path), "permission": {"perm": permission}}
        )

    @operation
    def set_owner(
        self, path: StrPath, owner: str | None = None, group: str | None = None
    ) -> Operation[None]:
        """Set the owner, the group, or both.

        Args:
            path: Path of a file or directory.
            owner: Name of the new owner. Default: the owner stays.
            group: Name of the new group. Default: the group stays.

        Source: ClientProtocol.setOwner.
        """
        asked = {"src": self._absolute(path), "username": owner, "groupname": group}
        yield from self._invoke("setOwner", asked)

    @operation
    def set_times(
        self,
        path: StrPath,
        *,
        modified: datetime | int | None = None,
        accessed: datetime | int | None = None,
    ) -> Operation[None]:
        """Set the modification time, the access time, or both.

        Args:
            path: Path of a file or directory.
            modified: New modification time: a `datetime` with a time zone, of which milliseconds
                are kept, or milliseconds since 1970 in UTC. Default: it stays.
            accessed: New access time, in the same forms. Default: it stays.

        Raises:
            ConfigError: a `datetime` has no time zone, or is the millisecond before 1970, which
                means to the NameNode that the time stays; or a number is out of range.

        Source: ClientProtocol.setTimes.
        """
        yield from self._invoke(
            "setTimes",
            {
                "src": self._absolute(path),
                "mtime": KEEP if modified is None else _java_time("modified", modified),
                "atime": KEEP if accessed is None else _java_time("accessed", accessed),
            },
        )

    @operation
    def set_replication(self, path: StrPath, replication: int) -> Operation[bool]:
        """Set the number of replicas of a file's blocks.

        Args:
            path: Path of a file.
            replication: Number of replicas.

        Returns:
            True, or False if the path is not a file.

        Source: ClientProtocol.setReplication.
        """
        asked = {"src": self._absolute(path), "replication": replication}
        done: bool = (yield from self._invoke("setReplication", asked))["result"]
        return done

    @operation
    def check_access(self, path: StrPath, mode: FsAction | FsActionName) -> Operation[None]:
        """Return if the user has the access of `mode`, and raise an error otherwise.

        Args:
            path: Path of a file or directory.
            mode: The access, such as `FsAction.READ_WRITE` or "READ_WRITE".

        Raises:
            ConfigError: there is no such access.
            AccessDenied: the user does not have the access.

        Source: ClientProtocol.checkAccess.
        """
        action = choose(FsAction, "mode", mode).value
        yield from self._invoke("checkAccess", {"path": self._absolute(path), "mode": action})

    # Access control lists.

    @operation
    def get_acl_status(self, path: StrPath) -> Operation[AclStatus]:
        """Return the access control list of a path.

        Args:
            path: Path of a file or directory.

        Returns:
            The owner, the group, the sticky bit, the entries and the permission.

        Source: ClientProtocol.getAclStatus.
        """
        answer = yield from self._invoke("getAclStatus", {"src": self._absolute(path)})
        return AclStatus.from_fields(answer["result"])

    @operation
    def set_acl(self, path: StrPath, entries: str | Iterable[AclEntry | str]) -> Operation[None]:
        """Replace the access control list of a path.

        Args:
            path: Path of a file or directory.
            entries: All entries, such as `user::rwx,user:alice:r-x,group::r-x,other::---`.

        Raises:
            ConfigError: a text is not an entry.

        Source: ClientProtocol.setAcl.
        """
        yield from self._invoke(
            "setAcl", {"src": self._absolute(path), "acl_spec": acl_spec(entries)}
        )

    @operation
    def modify_acl_entries(
        self, path: StrPath, entries: str | Iterable[AclEntry | str]
    ) -> Operation[None]:
        """Add entries to the access control list of a path, or change existing ones.

        Args:
            path: Path of a file or directory.
            entries: The entries, such as `user:alice:r-x`; other entries stay.

        Raises:
            ConfigError: a text is not an entry.

        Source: ClientProtocol.modifyAclEntries.
        """
        yield from self._invoke(
            "modifyAclEntries", {"src": self._absolute(path), "acl_spec": acl_spec(entries)}
        )

    @operation
    def remove_acl_entries(
        self, path: StrPath, entries: str | Iterable[AclEntry | str]
    ) -> Operation[None]:
        """Remove entries from the access control list of a path.

        Args:
            path: Path of a file or directory.
            entries: The entries without permissions, such as `user:alice`.

        Raises:
            ConfigError: a text is not an entry.

        Source: ClientProtocol.removeAclEntries.
        """
        yield from self._invoke(
            "removeAclEntries", {"src": self._absolute(path), "acl_spec": acl_spec(entries)}
        )

    @operation
    def remove_default_acl(self, path: StrPath) -> Operation[None]:
        """Remove the default entries from the access control list of a directory.

        Args:
            path: Path of a directory.

        Source: ClientProtocol.removeDefaultAcl.
        """
        yield from self._invoke("removeDefaultAcl", {"src": self._absolute(path)})

    @operation
    def remove_acl(self, path: StrPath) -> Operation[None]:
        """Remove all entries from an access control list except those of the permission bits.

        Args:
            path: Path of a file or directory.

        Source: ClientProtocol.removeAcl.
        """
        yield from self._invoke("removeAcl", {"src": self._absolute(path)})

    # Extended attributes.

    @operation
    def get_xattrs(self, path: StrPath, *names: str) -> Operation[dict[str, bytes]]:
        """Return extended attributes of a path.

        Args:
            path: Path of a file or directory.
            *names: Names with a namespace, such as `user.origin`; without names, all attributes are
                returned.

        Returns:
            The values by name.

        Raises:
            ConfigError: a name has no namespace.

        Source: ClientProtocol.getXAttrs.
        """
        asked = {"src": self._absolute(path), "x_attrs": [_xattr(name) for name in names]}
        answer = yield from self._invoke("getXAttrs", asked)
        return {_name(found): found.get("value", b"") for found in answer.get("x_attrs", [])}

    @operation
    def list_xattrs(self, path: StrPath) -> Operation[list[str]]:
        """Return the names of the extended attributes that the user may see.

        Args:
            path: Path of a file or directory.

        Returns:
            Names with a namespace, such as `user.origin`.

        Source: ClientProtocol.listXAttrs.
        """
        answer = yield from self._invoke("listXAttrs", {"src": self._absolute(path)})
        return [_name(found) for found in answer.get("x_attrs", [])]

    @operation
    def set_xattr(
        self, path: StrPath, name: str, value: bytes, *, create: bool = True, replace: bool = True
    ) -> Operation[None]:
        """Set an extended attribute of a path.

        Args:
            path: Path of a file or directory.
            name: Name with a namespace, such as `user.origin`.
            value: The value.
            create: Whether the attribute may be created. Default: True.
            replace: Whether an existing attribute may be replaced. Default: True.

        Raises:
            ConfigError: the name has no namespace.

        Source: ClientProtocol.setXAttr.
        """
        flag = (XATTR_CREATE if create else 0) | (XATTR_REPLACE if replace else 0)
        asked = {
            "src": self._absolute(path),
            "x_attr": _xattr(name) | {"value": value},
            "flag": flag,
        }
        yield from self._invoke("setXAttr", asked)

    @operation
    def remove_xattr(self, path: StrPath, name: str) -> Operation[None]:
        """Remove an extended attribute of a path.

        Args:
            path: Path of a file or directory.
            name: Name with a namespace, such as `user.origin`.

        Raises:
            ConfigError: the name has no namespace.

        Source: ClientProtocol.removeXAttr.
        """
        yield from self._invoke(
            "removeXAttr", {"src": self._absolute(path), "x_attr": _xattr(name)}
        )

    # Quotas and policies.

    @operation
    def set_quota(
        self,
        path: StrPath,
        *,
        namespace_quota: int | None = KEEP_QUOTA,
        space_quota: int | None = KEEP_QUOTA,
        storage_type: str | None = None,
    ) -> Operation[None]:
        """Limit the number of names in a directory, and the bytes that all replicas in it take.

        Args:
            path: Path of a directory.
            namespace_quota: Limit of names, or None for no limit. Default: the limit stays.
            space_quota: Limit of bytes, or None for no limit. Default: the limit stays.
            storage_type: Storage type, such as `SSD`, to whose bytes `space_quota` applies.
                Default: all.

        Source: ClientProtocol.setQuota.
        """
        for name, quota in (("namespace_quota", namespace_quota), ("space_quota", space_quota)):
            if quota is not None:
                check_range(name, quota, -MAX_LONG - 1, MAX_LONG)
        if storage_type is not None:
            check_type("storage_type", storage_type, str)
        yield from self._invoke(
            "setQuota",
            {
                "path": self._absolute(path),
                "namespace_quota": NO_QUOTA if namespace_quota is None else namespace_quota,
                "storagespace_quota": NO_QUOTA if space_quota is None else space_quota,
                "storage_type": storage_type,
            },
        )

    @operation
    def get_storage_policies(self) -> Operation[dict[str, int]]:
        """Return all storage policies of the cluster.

        Returns:
            The numbers of the policies (`FileStatus.storage_policy`) by name.

        Source: ClientProtocol.getStoragePolicies.
        """
        answer = yield from self._invoke("getStoragePolicies", {})
        return {policy["name"]: policy["policy_id"] for policy in answer.get("policies", [])}

    @operation
    def get_storage_policy(self, path: StrPath) -> Operation[str]:
        """Return the storage policy that applies to a path.

        Args:
            path: Path of a file or directory.

        Returns:
            The name of the policy, such as `HOT`.

        Source: ClientProtocol.getStoragePolicy.
        """
        answer = yield from self._invoke("getStoragePolicy", {"path": self._absolute(path)})
        name: str = answer["storage_policy"]["name"]
        return name

    @operation
    def set_storage_policy(self, path: StrPath, policy: str) -> Operation[None]:
        """Set the storage policy of a path, which selects the storage types of its blocks.

        Args:
            path: Path of a file or directory.
            policy: Name of the policy, such as `COLD`.

        Source: ClientProtocol.setStoragePolicy.
        """
        yield from self._invoke(
            "setStoragePolicy", {"src": self._absolute(path), "policy_name": policy}
        )

    @operation
    def unset_storage_policy(self, path: StrPath) -> Operation[None]:
        """Remove the storage policy of a path, so that it inherits the policy of its parent.

        Args:
            path: Path of a file or directory.

        Source: ClientProtocol.unsetStoragePolicy.
        """
        yield from self._invoke("unsetStoragePolicy", {"src": self._absolute(path)})

    @operation
    def get_erasure_coding_policies(self) -> Operation[dict[str, str]]:
        """Return all erasure coding policies of the cluster.

        Returns:
            The states of the policies by name, such as `ENABLED`.

        Source: ClientProtocol.getErasureCodingPolicies.
        """
        answer = yield from self._invoke("getErasureCodingPolicies", {})
        policies = answer.get("ec_policies", [])
        return {_policy_name(policy): str(policy.get("state", "ENABLED")) for policy in policies}

    @operation
    def get_erasure_coding_policy(self, path: StrPath) -> Operation[str | None]:
        """Return the erasure coding policy that applies to a path.

        Args:
            path: Path of a file or directory.

        Returns:
            The name of the policy, or None if the path is not erasure-coded.

        Source: ClientProtocol.getErasureCodingPolicy.
        """
        answer = yield from self._invoke("getErasureCodingPolicy", {"src": self._absolute(path)})
        return _policy_name(answer["ec_policy"]) if "ec_policy" in answer else None

    @operation
    def set_erasure_coding_policy(
        self, path: StrPath, policy: str | None = None
    ) -> Operation[None]:
        """Set the erasure coding policy of a directory, which applies to new files in it.

        Args:
            path: Path of a directory.
            policy: Name of the policy. Default: the server's default policy.

        Source: ClientProtocol.setErasureCodingPolicy.
        """
        yield from self._invoke(
            "setErasureCodingPolicy", {"src": self._absolute(path), "ec_policy_name": policy}
        )

    @operation
    def unset_erasure_coding_policy(self, path: StrPath) -> Operation[None]:
        """Remove the erasure coding policy of a directory, so that it inherits that of its parent.

        Args:
            path: Path of a directory.

        Source: ClientProtocol.unsetErasureCodingPolicy.
        """
        yield from self._invoke("unsetErasureCodingPolicy", {"src": self._absolute(path)})


def _policy_name(policy: dict[str, Any]) -> str:
    return policy.get("name") or SYSTEM_POLICIES.get(policy["id"], str(policy["id"]))


def _xattr(name: str) -> dict[str, Any]:
    check_type("the name of an attribute", name, str)
    namespace, dot, rest = name.partition(".")
    if not dot or not rest:
        raise ConfigError(f"{name!r} has no namespace, as in user.{name}")
    return {"namespace": namespace.upper(), "name": rest}


def _name(fields: dict[str, Any]) -> str:
    # The namespaces of later Hadoop versions are decoded as numbers.
    return f"{str(fields['namespace']).lower()}.{fields['name']}"
