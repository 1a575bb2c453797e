"""The exceptions of a NameNode, by their Java classes."""

from __future__ import annotations

from jvmwire.hadoop.errors import HadoopError

_FS = "org.apache.hadoop.fs."
_HDFS = "org.apache.hadoop.hdfs.protocol."

ACCESS_CONTROL = "org.apache.hadoop.security.AccessControlException"
ACL = f"{_HDFS}AclException"
ALREADY_BEING_CREATED = f"{_HDFS}AlreadyBeingCreatedException"
COMPONENT_TOO_LONG = f"{_HDFS}FSLimitException$PathComponentTooLongException"
FILE_EXISTS = f"{_FS}FileAlreadyExistsException"
FILE_NOT_FOUND = "java.io.FileNotFoundException"
ILLEGAL_ARGUMENT = "org.apache.hadoop.HadoopIllegalArgumentException"
INVALID_PATH = f"{_FS}InvalidPathException"
IO = "java.io.IOException"
IS_NOT_DIRECTORY = f"{_FS}PathIsNotDirectoryException"
LEASE_EXPIRED = "org.apache.hadoop.hdfs.server.namenode.LeaseExpiredException"
MAX_ITEMS = f"{_HDFS}FSLimitException$MaxDirectoryItemsExceededException"
NAMESPACE_QUOTA = f"{_HDFS}NSQuotaExceededException"
NOT_A_DIRECTORY = f"{_FS}ParentNotDirectoryException"
NOT_EMPTY = f"{_FS}PathIsNotEmptyDirectoryException"
SAFE_MODE = "org.apache.hadoop.hdfs.server.namenode.SafeModeException"
SNAPSHOT = f"{_HDFS}SnapshotException"
SPACE_QUOTA = f"{_HDFS}DSQuotaExceededException"
STANDBY = "org.apache.hadoop.ipc.StandbyException"
UNRESOLVED_PATH = f"{_HDFS}UnresolvedPathException"
UNSUPPORTED = "java.lang.UnsupportedOperationException"


def refuse(java_class: str, text: str) -> HadoopError:
    """Return the error that a client receives as a Java exception of a class.

    Args:
        java_class: Name of the class.
        text: The message.

    Returns:
        The error.
    """
    error = HadoopError(text, java_class)
    error.code = "ERROR_APPLICATION"
    return error


def missing(path: str) -> HadoopError:
    """Return the error for a path that does not exist.

    Args:
        path: The path.

    Returns:
        The error.
    """
    return refuse(FILE_NOT_FOUND, f"File does not exist: {path}")
