"""Errors of Hadoop servers, by the class of the Java exception.

HadoopError
    AccessDenied            AccessControlException (a PermissionError)
    AlreadyExists           FileAlreadyExistsException (a FileExistsError)
    AuthenticationRequired  the server requires authentication, or rejects the credentials
        InvalidToken        SecretManager.InvalidToken
    DirectoryNotEmpty       PathIsNotEmptyDirectoryException (an OSError)
    FileNotFound            java.io.FileNotFoundException (a FileNotFoundError)
    IllegalArgument         HadoopIllegalArgumentException, IllegalArgumentException
    InvalidListing          a directory's listing that no file system can have, or that never ends
    InvalidPath             InvalidPathException, FSLimitException: not a valid name
    LeaseRefused            LeaseExpired, AlreadyBeingCreated, RecoveryInProgress: another writer
    NoSuchMethod            the server's protocol does not have the method
    NoSuchProtocol          the server does not serve the protocol
    NotADirectory           ParentNotDirectoryException (a NotADirectoryError), and a NameNode's
                            answer about a path below a file to users other than the superuser
    PathIsLink              UnresolvedPathException: a component of the path is a symbolic link
    QuotaExceeded           NSQuotaExceeded, DSQuotaExceeded, QuotaByStorageTypeExceeded
    RetryUnknown            jvmwire's server cannot tell whether an earlier try was executed
    Retriable               not at present: RetriableException, ObserverRetryOnActiveException
    SafeMode                SafeModeException: the NameNode rejects changes
    SnapshotRefused         SnapshotException
    Standby                 StandbyException: another server is active
    VersionMismatch         the server uses another version of the protocol
MetadataOnly                the operation needs bytes of files (a NotImplementedError)
"""

from __future__ import annotations

import errno

from jvmwire.errors import AuthenticationError, JvmWireError, ServerError

__all__ = [
    "AccessDenied",
    "AlreadyExists",
    "AuthenticationRequired",
    "DirectoryNotEmpty",
    "FileNotFound",
    "HadoopError",
    "IllegalArgument",
    "InvalidListing",
    "InvalidPath",
    "InvalidToken",
    "LeaseRefused",
    "MetadataOnly",
    "NoSuchMethod",
    "NoSuchProtocol",
    "NotADirectory",
    "ObserverBehind",
    "PathIsLink",
    "QuotaExceeded",
    "Retriable",
    "RetryUnknown",
    "SafeMode",
    "SnapshotRefused",
    "Standby",
    "VersionMismatch",
    "from_java",
]


Failure = tuple[str, str, str | None]
"""The Java class, the message with the stack trace, and the name of the RPC error code."""

STACK = "\n\tat "
"""The prefix of each line of a Java stack trace."""


class MetadataOnly(JvmWireError, NotImplementedError):
    """The operation needs bytes of files, which DataNodes hold and jvmwire does not transfer."""


class HadoopError(ServerError):
    """Java exception that a server answered with."""

    stack = ""
    """The stack trace of the server, in Java's form."""
    code: str | None = None
    """The name of the error code in `RpcErrorCodeProto`, such as `ERROR_APPLICATION`."""
    # Attributes of the class, and not those of `OSError`, which copies of an error would lack.
    errno: int | None = None
    """The error number of the operating system for such a failure, such as `errno.ENOENT`; None if
    there is none."""
    filename: str | None = None
    """The path of the call; None if the call has none."""
    strerror: str | None = None
    """The message of the server, as `OSError` calls it."""

    @property
    def fatal(self) -> bool:
        """Whether the server closed the connection with this error."""
        return self.code is not None and self.code.startswith("FATAL_")


class AccessDenied(HadoopError, PermissionError):
    """The user lacks the permission."""

    errno = errno.EACCES


class AlreadyExists(HadoopError, FileExistsError):
    """A file or directory of that name exists already."""

    errno = errno.EEXIST


class AuthenticationRequired(HadoopError, AuthenticationError):
    """The server requires authentication, or rejects the client's credentials."""


class DirectoryNotEmpty(HadoopError, OSError):
    """The directory has entries, and the call does not delete recursively."""

    errno = errno.ENOTEMPTY


class FileNotFound(HadoopError, FileNotFoundError):
    """There is no such file or directory."""

    errno = errno.ENOENT


class IllegalArgument(HadoopError):
    """The server rejects the value of an argument."""


class InvalidListing(HadoopError):
    """A listing is impossible: the name of an entry leads elsewhere, or the listing never ends.

    It is not a Java exception: the client raises it about the server's answer.
    """


class InvalidPath(HadoopError, ValueError):
    """The path or pattern is not valid, or a component of it is too long for the server.

    The client also raises it about paths that it does not send.
    """


class InvalidToken(AuthenticationRequired):
    """The delegation token has expired, was cancelled, or was issued by another server."""


class LeaseRefused(HadoopError):
    """Another client writes the file, or this client no longer holds the lease."""


class NoSuchMethod(HadoopError):
    """The server's version of the protocol does not have the method."""


class NoSuchProtocol(HadoopError):
    """The server does not serve the protocol."""


class NotADirectory(HadoopError, NotADirectoryError):
    """A component of the path that must be a directory is a file."""

    errno = errno.ENOTDIR


class PathIsLink(HadoopError):
    """A component of the path is a symbolic link; clients resolve it by `FileStatus.symlink`."""


class QuotaExceeded(HadoopError):
    """The quota of the directory does not allow so many names or so many bytes."""


class RetryUnknown(HadoopError):
    """The server cannot tell whether an earlier try of the same call was executed.

    Clients raise it as the cause of an `OutcomeUnknown`.
    """

    undecided = True


class Retriable(HadoopError):
    """The server cannot serve the call at present, and allows a later retry."""

    retryable = True


class ObserverBehind(Retriable):
    """An observer cannot serve the call; the active server can."""

    failover = True


class SafeMode(HadoopError):
    """The NameNode is in safe mode and rejects changes."""


class SnapshotRefused(HadoopError):
    """The directory has no such snapshot, or does not allow snapshots."""


class Standby(HadoopError):
    """The server is not the active one of its group."""

    retryable = True
    failover = True


class VersionMismatch(HadoopError):
    """The server uses another version of Hadoop RPC, or another version of the protocol."""

    version: int | None = None
    """The server's version of Hadoop RPC, if that is the mismatch and the server states its
    version."""


RETRY_UNKNOWN = "jvmwire.RetryUnknown"
"""The class name that jvmwire's server sends for `RetryUnknown`. (Chosen by jvmwire; Java has no
such class.)"""
_PROTOCOL = "org.apache.hadoop.hdfs.protocol."
CLASSES: dict[str, type[HadoopError]] = {
    RETRY_UNKNOWN: RetryUnknown,
    "java.io.FileNotFoundException": FileNotFound,
    "java.lang.IllegalArgumentException": IllegalArgument,
    "org.apache.hadoop.HadoopIllegalArgumentException": IllegalArgument,
    "org.apache.hadoop.fs.ClusterStorageCapacityExceededException": QuotaExceeded,
    "org.apache.hadoop.fs.FileAlreadyExistsException": AlreadyExists,
    "org.apache.hadoop.fs.InvalidPathException": InvalidPath,
    "org.apache.hadoop.fs.ParentNotDirectoryException": NotADirectory,
    "org.apache.hadoop.fs.PathIsNotDirectoryException": NotADirectory,
    "org.apache.hadoop.fs.PathIsNotEmptyDirectoryException": DirectoryNotEmpty,
    _PROTOCOL + "AlreadyBeingCreatedException": LeaseRefused,
    _PROTOCOL + "DSQuotaExceededException": QuotaExceeded,
    _PROTOCOL + "FSLimitException$MaxDirectoryItemsExceededException": QuotaExceeded,
    _PROTOCOL + "FSLimitException$PathComponentTooLongException": InvalidPath,
    _PROTOCOL + "NSQuotaExceededException": QuotaExceeded,
    _PROTOCOL + "QuotaByStorageTypeExceededException": QuotaExceeded,
    _PROTOCOL + "QuotaExceededException": QuotaExceeded,
    _PROTOCOL + "RecoveryInProgressException": LeaseRefused,
    _PROTOCOL + "SnapshotAccessControlException": AccessDenied,
    _PROTOCOL + "SnapshotException": SnapshotRefused,
    _PROTOCOL + "UnresolvedPathException": PathIsLink,
    "org.apache.hadoop.hdfs.server.namenode.LeaseExpiredException": LeaseRefused,
    "org.apache.hadoop.hdfs.server.namenode.SafeModeException": SafeMode,
    "org.apache.hadoop.ipc.ObserverRetryOnActiveException": ObserverBehind,
    "org.apache.hadoop.ipc.RPC$VersionMismatch": VersionMismatch,
    "org.apache.hadoop.ipc.RetriableException": Retriable,
    "org.apache.hadoop.ipc.RpcNoSuchMethodException": NoSuchMethod,
    "org.apache.hadoop.ipc.RpcNoSuchProtocolException": NoSuchProtocol,
    "org.apache.hadoop.ipc.StandbyException": Standby,
    "org.apache.hadoop.security.AccessControlException": AccessDenied,
    "org.apache.hadoop.security.token.SecretManager$InvalidToken": InvalidToken,
}
"""The errors by the class names of the Java exceptions."""
# The errors of Java classes that `CLASSES` lacks. Hadoop servers send FATAL_UNAUTHORIZED with any
# exception that ends a negotiation or refuses a connection, such as StandbyException; like Java's
# client, `from_java` prefers the class.
_CODES: dict[str, type[HadoopError]] = {
    "ERROR_NO_SUCH_METHOD": NoSuchMethod,
    "ERROR_NO_SUCH_PROTOCOL": NoSuchProtocol,
    "FATAL_UNAUTHORIZED": AuthenticationRequired,
}


_NOT_A_DIRECTORY = "(is not a directory)"
"""The end of FSPermissionChecker's message about a path below a file: AccessControlException."""


def from_java(failure: Failure, path: str | None = None) -> HadoopError:
    """Return the error of a Java exception.

    Args:
        failure: The Java class, the message with the stack trace, and the name of the error code.
        path: The path of the call that failed, if it has one.

    Returns:
        An error of the class in `CLASSES`, else of the class of the error code, else `HadoopError`.
        An AccessControlException has the class of its error code, if that has one, or is
        `NotADirectory` by its message.
    """
    java_class, text, code = failure
    message, at, stack = text.partition(STACK)
    by_class, by_code = CLASSES.get(java_class), _CODES.get(code or "")
    kind = by_class or by_code or HadoopError
    if kind is AccessDenied and by_code is not None:
        kind = by_code
    elif kind is AccessDenied and message.endswith(_NOT_A_DIRECTORY):
        kind = NotADirectory
    error = kind(message or java_class, java_class)
    error.stack = at.lstrip("\n") + stack
    error.code = code
    error.filename, error.strerror = path, str(error)
    return error
