"""What is said of files and directories: owners, permissions, times, quotas, policies."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jvmwire._runtime.client import operation
from jvmwire.hadoop.client import RpcMethods
from jvmwire.hadoop.namenode.acl import AclStatus, acl_spec

if TYPE_CHECKING:
    from collections.abc import Iterable

    from jvmwire._runtime.operations import Operation
    from jvmwire.hadoop.namenode.acl import AclEntry

KEEP = (1 << 64) - 1
"""A time that is left as it is: -1 in 64 bits."""
NO_QUOTA = (1 << 64) - 1
"""`HdfsConstants.QUOTA_RESET`: -1 in 64 bits."""
KEEP_QUOTA = (1 << 63) - 1
"""`HdfsConstants.QUOTA_DONT_SET`."""
SYSTEM_POLICIES = {
    0: "REPLICATION",
    1: "RS-6-3-1024k",
    2: "RS-3-2-1024k",
    3: "RS-LEGACY-6-3-1024k",
    4: "XOR-2-1-1024k",
    5: "RS-10-4-1024k",
}
"""`SystemErasureCodingPolicies`: erasure coding policies that go by their number on the wire."""
XATTR_CREATE, XATTR_REPLACE = 1, 2
"""`XAttrSetFlagProto`."""


class MetadataMethods(RpcMethods):
    """What can be said of files and directories."""

    @operation
    def set_permission(self, path: str, permission: int) -> Operation[None]:
        """Set who may do what, as `0o750`."""
        yield from self._invoke(
            "setPermission", {"src": self._absolute(path), "permission": {"perm": permission}}
        )

    @operation
    def set_owner(
        self, path: str, owner: str | None = None, group: str | None = None
    ) -> Operation[None]:
        """Set the owner, the group, or both; None leaves one as it is."""
        asked = {"src": self._absolute(path), "username": owner, "groupname": group}
        yield from self._invoke("setOwner", asked)

    @operation
    def set_times(
        self, path: str, *, modified: int | None = None, accessed: int | None = None
    ) -> Operation[None]:
        """Set when it was written and read, in milliseconds since 1970; None leaves it as it is."""
        yield from self._invoke(
            "setTimes",
            {
                "src": self._absolute(path),
                "mtime": KEEP if modified is None else modified % (1 << 64),
                "atime": KEEP if accessed is None else accessed % (1 << 64),
            },
        )

    @operation
    def set_replication(self, path: str, replication: int) -> Operation[bool]:
        """Set how many copies of its blocks there are to be; return False if it is no file."""
        asked = {"src": self._absolute(path), "replication": replication}
        done: bool = (yield from self._invoke("setReplication", asked))["result"]
        return done

    @operation
    def check_access(self, path: str, mode: str) -> Operation[None]:
        """Return if we may do what `mode` says, as `READ_WRITE`.

        Raises:
            AccessDenied: we may not.
        """
        yield from self._invoke("checkAccess", {"path": self._absolute(path), "mode": mode})

    # Access control lists.

    @operation
    def get_acl_status(self, path: str) -> Operation[AclStatus]:
        """Return the access control list."""
        answer = yield from self._invoke("getAclStatus", {"src": self._absolute(path)})
        return AclStatus.from_fields(answer["result"])

    @operation
    def set_acl(self, path: str, entries: str | Iterable[AclEntry | str]) -> Operation[None]:
        """Replace the list by entries, as `user::rwx,user:alice:r-x,group::r-x,other::---`."""
        yield from self._invoke(
            "setAcl", {"src": self._absolute(path), "acl_spec": acl_spec(entries)}
        )

    @operation
    def modify_acl_entries(
        self, path: str, entries: str | Iterable[AclEntry | str]
    ) -> Operation[None]:
        """Add entries to the list, or change those that it has."""
        yield from self._invoke(
            "modifyAclEntries", {"src": self._absolute(path), "acl_spec": acl_spec(entries)}
        )

    @operation
    def remove_acl_entries(
        self, path: str, entries: str | Iterable[AclEntry | str]
    ) -> Operation[None]:
        """Take entries from the list, as `user:alice`."""
        yield from self._invoke(
            "removeAclEntries", {"src": self._absolute(path), "acl_spec": acl_spec(entries)}
        )

    @operation
    def remove_default_acl(self, path: str) -> Operation[None]:
        """Take the default entries from a directory's list."""
        yield from self._invoke("removeDefaultAcl", {"src": self._absolute(path)})

    @operation
    def remove_acl(self, path: str) -> Operation[None]:
        """Take all from the list but what the permission says."""
        yield from self._invoke("removeAcl", {"src": self._absolute(path)})

    # Extended attributes.

    @operation
    def get_xattrs(self, path: str, *names: str) -> Operation[dict[str, bytes]]:
        """Return extended attributes by name, as `user.origin`: those asked for, or all."""
        asked = {"src": self._absolute(path), "x_attrs": [_xattr(name) for name in names]}
        answer = yield from self._invoke("getXAttrs", asked)
        return {_name(found): found.get("value", b"") for found in answer.get("x_attrs", [])}

    @operation
    def list_xattrs(self, path: str) -> Operation[list[str]]:
        """Return the names of the extended attributes that we may see."""
        answer = yield from self._invoke("listXAttrs", {"src": self._absolute(path)})
        return [_name(found) for found in answer.get("x_attrs", [])]

    @operation
    def set_xattr(
        self, path: str, name: str, value: bytes, *, create: bool = True, replace: bool = True
    ) -> Operation[None]:
        """Set an extended attribute, as `user.origin`; `create` and `replace` say what may be."""
        flag = (XATTR_CREATE if create else 0) | (XATTR_REPLACE if replace else 0)
        asked = {
            "src": self._absolute(path),
            "x_attr": _xattr(name) | {"value": value},
            "flag": flag,
        }
        yield from self._invoke("setXAttr", asked)

    @operation
    def remove_xattr(self, path: str, name: str) -> Operation[None]:
        """Remove an extended attribute."""
        yield from self._invoke(
            "removeXAttr", {"src": self._absolute(path), "x_attr": _xattr(name)}
        )

    # Quotas and policies.

    @operation
    def set_quota(
        self,
        path: str,
        *,
        namespace_quota: int | None = KEEP_QUOTA,
        space_quota: int | None = KEEP_QUOTA,
        storage_type: str | None = None,
    ) -> Operation[None]:
        """Limit how many names a directory has, and how many bytes all replicas in it take.

        None takes the limit away; what is not given stays. With a `storage_type`, as `SSD`, `space`
        is the limit of bytes of that type.
        """
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
        """Return the storage policies that there are, and their numbers in `FileStatus`."""
        answer = yield from self._invoke("getStoragePolicies", {})
        return {policy["name"]: policy["policy_id"] for policy in answer.get("policies", [])}

    @operation
    def get_storage_policy(self, path: str) -> Operation[str]:
        """Return the name of the storage policy that counts for a path."""
        answer = yield from self._invoke("getStoragePolicy", {"path": self._absolute(path)})
        name: str = answer["storage_policy"]["name"]
        return name

    @operation
    def set_storage_policy(self, path: str, policy: str) -> Operation[None]:
        """Say where blocks are to be, as `COLD`."""
        yield from self._invoke(
            "setStoragePolicy", {"src": self._absolute(path), "policy_name": policy}
        )

    @operation
    def unset_storage_policy(self, path: str) -> Operation[None]:
        """Let the policy of the directory above count."""
        yield from self._invoke("unsetStoragePolicy", {"src": self._absolute(path)})

    @operation
    def get_erasure_coding_policies(self) -> Operation[dict[str, str]]:
        """Return the erasure coding policies that there are, and whether each is ENABLED."""
        answer = yield from self._invoke("getErasureCodingPolicies", {})
        policies = answer.get("ec_policies", [])
        return {_policy_name(policy): str(policy.get("state", "ENABLED")) for policy in policies}

    @operation
    def get_erasure_coding_policy(self, path: str) -> Operation[str | None]:
        """Return the name of the erasure coding policy that counts for a path, or None."""
        answer = yield from self._invoke("getErasureCodingPolicy", {"src": self._absolute(path)})
        return _policy_name(answer["ec_policy"]) if "ec_policy" in answer else None

    @operation
    def set_erasure_coding_policy(self, path: str, policy: str | None = None) -> Operation[None]:
        """Have new files of a directory erasure-coded; None is the server's own policy."""
        yield from self._invoke(
            "setErasureCodingPolicy", {"src": self._absolute(path), "ec_policy_name": policy}
        )

    @operation
    def unset_erasure_coding_policy(self, path: str) -> Operation[None]:
        """Let the policy of the directory above count."""
        yield from self._invoke("unsetErasureCodingPolicy", {"src": self._absolute(path)})


def _policy_name(policy: dict[str, Any]) -> str:
    return policy.get("name") or SYSTEM_POLICIES.get(policy["id"], str(policy["id"]))


def _xattr(name: str) -> dict[str, Any]:
    namespace, dot, rest = name.partition(".")
    if not dot or not rest:
        raise ValueError(f"{name!r} is no extended attribute: it has a namespace, as user.{name}")
    return {"namespace": namespace.upper(), "name": rest}


def _name(fields: dict[str, Any]) -> str:
    # A namespace of a later Hadoop has only a number.
    return f"{str(fields['namespace']).lower()}.{fields['name']}"
