"""What Hadoop servers refuse with, by the class of the Java exception.

HadoopError
    FileNotFound            java.io.FileNotFoundException (a FileNotFoundError)
    AccessDenied            org.apache.hadoop.security.AccessControlException (a PermissionError)
    Standby                 org.apache.hadoop.ipc.StandbyException: another server is active
    Retriable               org.apache.hadoop.ipc.RetriableException: not now
    VersionMismatch         the server speaks another version of the protocol
    AuthenticationRequired  the server wants to know who we are
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


class FileNotFound(HadoopError, FileNotFoundError):
    """There is no such file or directory."""


class AccessDenied(HadoopError, PermissionError):
    """The user may not do that."""


class Standby(HadoopError):
    """The server is not the active one of its group."""

    retryable = True


class Retriable(HadoopError):
    """The server cannot do that now, and says that it may later."""

    retryable = True


class VersionMismatch(HadoopError):
    """The server speaks another version of Hadoop RPC."""


class AuthenticationRequired(HadoopError):
    """The server does not serve who has not proved who they are."""


_CLASSES: dict[str, type[HadoopError]] = {
    "java.io.FileNotFoundException": FileNotFound,
    "org.apache.hadoop.ipc.ObserverRetryOnActiveException": Retriable,
    "org.apache.hadoop.ipc.RPC$VersionMismatch": VersionMismatch,
    "org.apache.hadoop.ipc.RetriableException": Retriable,
    "org.apache.hadoop.ipc.StandbyException": Standby,
    "org.apache.hadoop.security.AccessControlException": AccessDenied,
}


def from_java(failure: Failure) -> HadoopError:
    """Return the error that says what a Java exception said."""
    java_class, text, code = failure
    message, at, stack = text.partition(STACK)
    kind = AuthenticationRequired if code == "FATAL_UNAUTHORIZED" else _CLASSES.get(java_class)
    error = (kind or HadoopError)(message or java_class, java_class)
    error.stack = at.lstrip("\n") + stack
    error.code = code
    return error
