"""What Hadoop servers refuse with, by the class of the Java exception.

HadoopError
    AccessDenied            AccessControlException (a PermissionError)
    AlreadyExists           FileAlreadyExistsException (a FileExistsError)
    AuthenticationRequired  the server wants to know who we are, or does not believe it
        InvalidToken        SecretManager.InvalidToken
    DirectoryNotEmpty       PathIsNotEmptyDirectoryException
    FileNotFound            java.io.FileNotFoundException (a FileNotFoundError)
    IllegalArgument         HadoopIllegalArgumentException, IllegalArgumentException
    InvalidListing          a directory's listing that no file system can have, or without an end
    InvalidPath             InvalidPathException, FSLimitException: no name that may be given
    LeaseRefused            LeaseExpired, AlreadyBeingCreated, RecoveryInProgress: who writes a file
    NoSuchMethod            the server's protocol has no such method
    NoSuchProtocol          the server does not serve the protocol
    NotADirectory           ParentNotDirectoryException (a NotADirectoryError), and what a NameNode
                            says of a path below a file to users but the superuser
    PathIsLink              UnresolvedPathException: a symbolic link is on the way
    QuotaExceeded           NSQuotaExceeded, DSQuotaExceeded, QuotaByStorageTypeExceeded
    RetryUnknown            a server of ours cannot know whether an earlier try was carried out
    Retriable               not now: RetriableException, ObserverRetryOnActiveException
    SafeMode                SafeModeException: nothing may be changed
    SnapshotRefused         SnapshotException
    Standby                 StandbyException: another server is active
    VersionMismatch         the server speaks another version of the protocol
"""

from __future__ import annotations

from jvmwire.errors import ServerError

Failure = tuple[str, str, str | None]
"""Java class, message with the stack, and the name of the RPC error code."""

STACK = "\n\tat "
"""What each line of a Java stack begins with."""


class HadoopError(ServerError):
    """A Java exception that a server answered with."""

    stack = ""
    """Where it was thrown, in Java's form."""
    code: str | None = None
    """`RpcErrorCodeProto`, as `ERROR_APPLICATION`."""

    @property
    def fatal(self) -> bool:
        """Whether the server gave up the connection with it."""
        return self.code is not None and self.code.startswith("FATAL_")


class AccessDenied(HadoopError, PermissionError):
    """The user may not do that."""


class AlreadyExists(HadoopError, FileExistsError):
    """There is a file or directory of that name."""


class AuthenticationRequired(HadoopError):
    """The server does not serve who has not proved who they are."""


class DirectoryNotEmpty(HadoopError):
    """There is something in the directory, and it was not to be deleted with it."""


class FileNotFound(HadoopError, FileNotFoundError):
    """There is no such file or directory."""


class IllegalArgument(HadoopError):
    """The server takes no such value."""


class InvalidListing(HadoopError):
    """A listing that no directory can have: an entry's name leads elsewhere, or it does not end.

    It is not a Java exception: the client raises it about what the server answered.
    """


class InvalidPath(HadoopError, ValueError):
    """The path, or the pattern of paths, is not valid, or a name in it is too long for the server.

    The client raises it, too, about paths that it does not send.
    """


class InvalidToken(AuthenticationRequired):
    """The delegation token has expired, or was cancelled, or is not the server's."""


class LeaseRefused(HadoopError):
    """The file is being written by somebody else, or no longer by us."""


class NoSuchMethod(HadoopError):
    """The server's version of the protocol does not have the method."""


class NoSuchProtocol(HadoopError):
    """The server does not serve the protocol."""


class NotADirectory(HadoopError, NotADirectoryError):
    """A file stands where a directory must."""


class PathIsLink(HadoopError):
    """A symbolic link is on the way, which clients resolve: `FileStatus.symlink` of it says how."""


class QuotaExceeded(HadoopError):
    """The directory may not hold so many names, or so many bytes."""


class RetryUnknown(HadoopError):
    """The server does not know whether an earlier try of the same call was carried out.

    Clients raise it as the cause of an `OutcomeUnknown`.
    """

    undecided = True


class Retriable(HadoopError):
    """The server cannot do that now, and says that it may later."""

    retryable = True


class ObserverBehind(Retriable):
    """An observer cannot answer; the active server can."""

    elsewhere = True


class SafeMode(HadoopError):
    """The NameNode does not change anything at present."""


class SnapshotRefused(HadoopError):
    """The directory has no such snapshot, or may not have any."""


class Standby(HadoopError):
    """The server is not the active one of its group."""

    retryable = True
    elsewhere = True


class VersionMismatch(HadoopError):
    """The server speaks another version of Hadoop RPC, or knows another of a protocol."""

    version: int | None = None
    """Of Hadoop RPC, if it is that and the server said so."""


RETRY_UNKNOWN = "jvmwire.RetryUnknown"
"""The class name that jvmwire's server sends for `RetryUnknown`; Java has no such class."""
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
"""The errors by the names of the exceptions in Java."""
# For classes that are not among them. Servers of Hadoop send FATAL_UNAUTHORIZED with whatever ends
# a negotiation or refuses a connection, such as StandbyException: Java's client goes by the class.
_CODES: dict[str, type[HadoopError]] = {
    "ERROR_NO_SUCH_METHOD": NoSuchMethod,
    "ERROR_NO_SUCH_PROTOCOL": NoSuchProtocol,
    "FATAL_UNAUTHORIZED": AuthenticationRequired,
}


_NOT_A_DIRECTORY = "(is not a directory)"
"""The end of FSPermissionChecker's message about a path below a file: AccessControlException."""


def from_java(failure: Failure) -> HadoopError:
    """Return the error that says what a Java exception said."""
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
    return error
