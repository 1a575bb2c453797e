"""Calls about the attributes of files and directories in a namespace in memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jvmwire.hadoop.testing import _acls as acls
from jvmwire.hadoop.testing import _java_errors as java
from jvmwire.hadoop.testing import _messages as messages
from jvmwire.hadoop.testing._acls import ACTIONS
from jvmwire.hadoop.testing._inodes import Directory, File, Inode, walk
from jvmwire.hadoop.testing._permissions import EXECUTE, READ, STICKY, WRITE
from jvmwire.hadoop.testing._policies import (
    DEFAULT_EC_POLICY,
    DEFAULT_STORAGE_POLICY,
    EC_POLICIES,
    STORAGE_POLICIES,
    ec_policy_message,
    storage_policy_message,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from jvmwire.hadoop.testing._acls import AclEntry
    from jvmwire.hadoop.testing._namespace import Namespace
    from jvmwire.hadoop.testing._permissions import User

Fields = dict[str, Any]

CREATE, REPLACE = 1, 2
"""Bits of `XAttrSetFlagProto`."""
MAX_XATTRS = 32
"""The default of `dfs.namenode.fs-limits.max-xattrs-per-inode`."""
MAX_XATTR_SIZE = 16384
"""The default of `dfs.namenode.fs-limits.max-xattr-size`, of the name and the value together."""
UNCHANGED = (1 << 63) - 1
"""A quota that stays as it is: `HdfsConstants.QUOTA_DONT_SET`."""
SIGN = 1 << 63


class AttributeMethods:
    """The calls of `ClientProtocol` that read or change attributes.

    Args:
        namespace: The namespace.
        trash_interval: Minutes that clients keep deleted files in their trash. Default: 0, for no
            trash.
    """

    def __init__(self, namespace: Namespace, trash_interval: int = 0) -> None:
        self.namespace = namespace
        self.trash_interval = trash_interval
        self.is_in_safe_mode = False
        self._ec_policies = {DEFAULT_EC_POLICY}

    def file(self, user: User, path: str) -> File:
        """Return a file that exists.

        Args:
            user: The user.
            path: Its path.

        Returns:
            The file.

        Raises:
            HadoopError: there is none.
        """
        found = self.namespace.existing(user, path)
        if not isinstance(found, File):
            raise java.refuse(java.FILE_NOT_FOUND, f"Path is not a file: {path}")
        return found

    def directory(self, user: User, path: str) -> Directory:
        """Return a directory that exists.

        Args:
            user: The user.
            path: Its path.

        Returns:
            The directory.

        Raises:
            HadoopError: there is none.
        """
        found = self.namespace.existing(user, path)
        if not isinstance(found, Directory):
            raise java.refuse(java.FILE_NOT_FOUND, f"Directory does not exist: {path}")
        return found

    def _owned(self, user: User, path: str) -> Inode:
        found = self.namespace.changeable(user, path)
        user.check_owner(found)
        return found

    # Permissions, owners and times

    def set_permission(self, user: User, request: Fields) -> Fields:
        inode = self._owned(user, request["src"])
        permission = request["permission"]["perm"]
        if not user.is_superuser and inode.group not in user.groups:
            permission &= 0o1777  # as NameNodes do, which have no setgid
        inode.permission = permission
        if inode.acl is not None:
            inode.acl = acls.with_permission(inode.acl, permission)
        self.namespace.changed()
        return {}

    def set_owner(self, user: User, request: Fields) -> Fields:
        inode = self._owned(user, request["src"])
        owner, group = request.get("username"), request.get("groupname")
        if owner and owner != inode.owner and not user.is_superuser:
            text = f"User {user.name} is not a super user (non-super user cannot change owner)."
            raise java.refuse(java.ACCESS_CONTROL, text)
        if group and group not in user.groups and not user.is_superuser:
            text = f"User {user.name} does not belong to {group}"
            raise java.refuse(java.ACCESS_CONTROL, text)
        inode.owner, inode.group = owner or inode.owner, group or inode.group
        self.namespace.changed()
        return {}

    def set_times(self, user: User, request: Fields) -> Fields:
        inode = self.namespace.changeable(user, request["src"])
        user.check(inode, WRITE)
        modified, accessed = _signed(request["mtime"]), _signed(request["atime"])
        inode.modified = inode.modified if modified == -1 else modified
        inode.accessed = inode.accessed if accessed == -1 else accessed
        self.namespace.changed()
        return {}

    def set_replication(self, user: User, request: Fields) -> Fields:
        inode = self.namespace.find(user, request["src"])
        if inode is not None:
            user.check(inode, WRITE)
        if not isinstance(inode, File):
            return {"result": False}
        inode.replication = request["replication"]
        self.namespace.changed()
        return {"result": True}

    def check_access(self, user: User, request: Fields) -> Fields:
        inode = self.namespace.existing(user, request["path"])
        mode = request["mode"]
        user.check(inode, ACTIONS.index(mode) if mode in ACTIONS else 0)
        return {}

    # Access control lists

    def get_acl_status(self, user: User, request: Fields) -> Fields:
        return {"result": messages.acl_status(self.namespace.existing(user, request["src"]))}

    def set_acl(self, user: User, request: Fields) -> Fields:
        return self._change_acl(user, request, acls.replaced)

    def modify_acl_entries(self, user: User, request: Fields) -> Fields:
        return self._change_acl(user, request, acls.modified)

    def remove_acl_entries(self, user: User, request: Fields) -> Fields:
        return self._change_acl(user, request, acls.without)

    def remove_default_acl(self, user: User, request: Fields) -> Fields:
        return self._change_acl(user, request, lambda existing, _: acls.without_defaults(existing))

    def remove_acl(self, user: User, request: Fields) -> Fields:
        return self._change_acl(
            user,
            request,
            lambda existing, _: [
                entry
                for entry in acls.without_defaults(existing)
                if not entry.name and entry.kind != "MASK"
            ],
        )

    def _change_acl(
        self,
        user: User,
        request: Fields,
        change: Callable[[list[AclEntry], list[AclEntry]], list[AclEntry]],
    ) -> Fields:
        inode = self._owned(user, request["src"])
        spec = acls.entries_of(request.get("acl_spec", []))
        if not isinstance(inode, Directory) and any(each.scope == "DEFAULT" for each in spec):
            text = f"Invalid ACL: only directories may have a default ACL. Path: {inode.path}"
            raise java.refuse(java.ACL, text)
        entries = change(acls.complete(inode.permission, inode.acl), spec)
        inode.permission = acls.permission_of(entries, inode.permission & STICKY)
        inode.acl = None if acls.is_minimal(entries) else tuple(entries)
        self.namespace.changed()
        return {}

    # Extended attributes

    def set_x_attr(self, user: User, request: Fields) -> Fields:
        inode = self.namespace.changeable(user, request["src"])
        name = self._xattr_name(user, request["x_attr"])
        self._check_xattr_change(user, inode)
        value, flags = request["x_attr"].get("value", b""), request["flag"]
        if name in inode.xattrs and not flags & REPLACE:
            text = f"XAttr: {name} already exists. The REPLACE flag must be specified."
            raise java.refuse(java.IO, text)
        if name not in inode.xattrs and not flags & CREATE:
            text = f"XAttr: {name} does not exist. The CREATE flag must be specified."
            raise java.refuse(java.IO, text)
        size = len(name.encode()) + len(value)
        if size > MAX_XATTR_SIZE:
            text = (
                "The XAttr is too big. The maximum combined size of the name and value is "
                f"{MAX_XATTR_SIZE}, but the total size is {size}"
            )
            raise java.refuse(java.ILLEGAL_ARGUMENT, text)
        if name not in inode.xattrs and len(inode.xattrs) >= MAX_XATTRS:
            text = f"Cannot add additional XAttr to inode, would exceed limit of {MAX_XATTRS}"
            raise java.refuse(java.IO, text)
        inode.xattrs[name] = value
        self.namespace.changed()
        return {}

    def get_x_attrs(self, user: User, request: Fields) -> Fields:
        inode = self.namespace.existing(user, request["src"])
        user.check(inode, READ)
        asked = [self._xattr_name(user, each) for each in request.get("x_attrs", [])]
        for name in asked:
            if name not in inode.xattrs:
                text = "At least one of the attributes provided was not found."
                raise java.refuse(java.IO, text)
        return {
            "x_attrs": [
                _xattr(name, inode.xattrs[name]) for name in asked or self._visible(user, inode)
            ]
        }

    def list_x_attrs(self, user: User, request: Fields) -> Fields:
        inode = self.namespace.existing(user, request["src"])
        return {"x_attrs": [_xattr(name, None) for name in self._visible(user, inode)]}

    def remove_x_attr(self, user: User, request: Fields) -> Fields:
        inode = self.namespace.changeable(user, request["src"])
        name = self._xattr_name(user, request["x_attr"])
        self._check_xattr_change(user, inode)
        if name not in inode.xattrs:
            raise java.refuse(java.IO, "No matching attributes found for remove operation")
        del inode.xattrs[name]
        self.namespace.changed()
        return {}

    def _xattr_name(self, user: User, message: Fields) -> str:
        namespace = message["namespace"].lower()
        if namespace != "user" and not user.is_superuser:
            text = "User doesn't have permission for xattr: " + f"{namespace}.{message['name']}"
            raise java.refuse(java.ACCESS_CONTROL, text)
        return f"{namespace}.{message['name']}"

    def _check_xattr_change(self, user: User, inode: Inode) -> None:
        if isinstance(inode, Directory) and inode.permission & STICKY:
            user.check_owner(inode)
        else:
            user.check(inode, WRITE)

    def _visible(self, user: User, inode: Inode) -> list[str]:
        return [name for name in inode.xattrs if user.is_superuser or name.startswith("user.")]

    # Quotas and summaries

    def set_quota(self, user: User, request: Fields) -> Fields:
        user.check_superuser()
        directory = self.namespace.existing(user, request["path"])
        if not isinstance(directory, Directory):
            text = f"`{directory.path}': Is not a directory"
            raise java.refuse(java.IS_NOT_DIRECTORY, text)
        count, replica_bytes = (
            _signed(request["namespace_quota"]),
            _signed(request["storagespace_quota"]),
        )
        kind = request.get("storage_type")
        if kind is not None:
            if replica_bytes == -1:
                directory.type_quotas.pop(kind, None)
            else:
                directory.type_quotas[kind] = replica_bytes
        else:
            if count != UNCHANGED:
                directory.namespace_quota = None if count == -1 else count
            if replica_bytes != UNCHANGED:
                directory.space_quota = None if replica_bytes == -1 else replica_bytes
        self.namespace.changed()
        return {}

    def get_content_summary(self, user: User, request: Fields) -> Fields:
        inode = self.namespace.existing(user, request["path"])
        # Unlike for a quota's usage, NameNodes do not look at sticky bits here.
        for each in walk(inode):
            if isinstance(each, Directory):
                user.check(each, READ | EXECUTE)
        return {"summary": messages.content_summary(inode)}

    def get_quota_usage(self, user: User, request: Fields) -> Fields:
        inode = self.namespace.existing(user, request["path"])
        if isinstance(inode, Directory):
            user.check_subtree(inode, READ | EXECUTE)
        return {"usage": messages.quota_usage(inode)}

    # Policies

    def get_storage_policies(self, user: User, request: Fields) -> Fields:
        return {"policies": [storage_policy_message(name) for name in STORAGE_POLICIES]}

    def get_storage_policy(self, user: User, request: Fields) -> Fields:
        inode = self.namespace.existing(user, request["path"])
        user.check(inode, READ)
        number = messages.storage_policy(inode) or STORAGE_POLICIES[DEFAULT_STORAGE_POLICY][0]
        [name] = (each for each, (known, _) in STORAGE_POLICIES.items() if known == number)
        return {"storage_policy": storage_policy_message(name)}

    def set_storage_policy(self, user: User, request: Fields) -> Fields:
        name = request["policy_name"]
        if name not in STORAGE_POLICIES:
            text = f"Cannot find a block policy with the name {name}"
            raise java.refuse(java.ILLEGAL_ARGUMENT, text)
        inode = self.namespace.changeable(user, request["src"])
        user.check(inode, WRITE)
        inode.storage_policy = STORAGE_POLICIES[name][0]
        self.namespace.changed()
        return {}

    def unset_storage_policy(self, user: User, request: Fields) -> Fields:
        inode = self.namespace.changeable(user, request["src"])
        user.check(inode, WRITE)
        inode.storage_policy = 0
        self.namespace.changed()
        return {}

    def get_erasure_coding_policies(self, user: User, request: Fields) -> Fields:
        return {
            "ec_policies": [
                ec_policy_message(name, is_enabled=name in self._ec_policies)
                for name in EC_POLICIES
            ]
        }

    def get_erasure_coding_policy(self, user: User, request: Fields) -> Fields:
        name = messages.ec_policy(self.namespace.existing(user, request["src"]))
        return {} if name is None else {"ec_policy": ec_policy_message(name, is_enabled=True)}

    def set_erasure_coding_policy(self, user: User, request: Fields) -> Fields:
        inode = self.namespace.changeable(user, request["src"])
        user.check(inode, WRITE)
        name = request.get("ec_policy_name") or DEFAULT_EC_POLICY
        if name not in self._ec_policies:
            text = (
                f"Policy '{name}' does not match any enabled erasure coding policies: "
                f"[{', '.join(sorted(self._ec_policies))}]. An erasure coding policy can be "
                "enabled by enableErasureCodingPolicy API."
            )
            raise java.refuse(java.ILLEGAL_ARGUMENT, text)
        if not isinstance(inode, Directory):
            text = f"Attempt to set an erasure coding policy for a file {inode.path}"
            raise java.refuse(java.IO, text)
        inode.ec_policy = name
        self.namespace.changed()
        return {}

    def unset_erasure_coding_policy(self, user: User, request: Fields) -> Fields:
        inode = self.namespace.changeable(user, request["src"])
        user.check(inode, WRITE)
        if isinstance(inode, Directory):
            inode.ec_policy = None
        self.namespace.changed()
        return {}

    def enable_erasure_coding_policy(self, user: User, request: Fields) -> Fields:
        user.check_superuser()
        self._ec_policies.add(self._ec_policy(request["ec_policy_name"]))
        return {}

    def disable_erasure_coding_policy(self, user: User, request: Fields) -> Fields:
        user.check_superuser()
        self._ec_policies.discard(self._ec_policy(request["ec_policy_name"]))
        return {}

    def _ec_policy(self, name: str) -> str:
        if name not in EC_POLICIES:
            text = f"The policy name {name} does not exist"
            raise java.refuse(java.ILLEGAL_ARGUMENT, text)
        return name


def _xattr(name: str, value: bytes | None) -> Fields:
    namespace, _, rest = name.partition(".")
    fields = {"namespace": namespace.upper(), "name": rest}
    return fields if value is None else fields | {"value": value}


def _signed(value: int) -> int:
    """Return a number of 64 bits that the message has without its sign."""
    return value - (SIGN << 1) if value >= SIGN else value
