"""The Java class and the `RpcErrorCodeProto` code that a server reports for a Python exception."""

from __future__ import annotations

from jvmwire.hadoop.errors import HadoopError

CODES = {
    "ERROR_APPLICATION": 1,
    "ERROR_NO_SUCH_METHOD": 2,
    "ERROR_NO_SUCH_PROTOCOL": 3,
    "ERROR_RPC_SERVER": 4,
    "ERROR_SERIALIZING_RESPONSE": 5,
    "ERROR_RPC_VERSION_MISMATCH": 6,
    "FATAL_UNKNOWN": 10,
    "FATAL_UNSUPPORTED_SERIALIZATION": 11,
    "FATAL_INVALID_RPC_HEADER": 12,
    "FATAL_DESERIALIZING_REQUEST": 13,
    "FATAL_VERSION_MISMATCH": 14,
    "FATAL_UNAUTHORIZED": 15,
}
"""The codes of `RpcErrorCodeProto` by name."""

IPC = "org.apache.hadoop.ipc."
APPLICATION = "java.io.IOException"
"""The Java class of errors that have no Java class of their own."""
ACCESS_CONTROL = "org.apache.hadoop.security.AccessControlException"
AUTHORIZATION = "org.apache.hadoop.security.authorize.AuthorizationException"
FATAL = f"{IPC}RpcServerException"
INVALID_MESSAGE = "org.apache.hadoop.thirdparty.protobuf.InvalidProtocolBufferException"
NO_SUCH_METHOD = f"{IPC}RpcNoSuchMethodException"
NO_SUCH_PROTOCOL = f"{IPC}RpcNoSuchProtocolException"
RETRIABLE = f"{IPC}RetriableException"
RPC_SERVER = f"{IPC}RpcServerException"
SASL = "javax.security.sasl.SaslException"
VERSION_MISMATCH = f"{IPC}RPC$VersionMismatch"

_JAVA_CLASSES: tuple[tuple[type[Exception], str], ...] = (
    (FileNotFoundError, "java.io.FileNotFoundException"),
    (FileExistsError, "org.apache.hadoop.fs.FileAlreadyExistsException"),
    (PermissionError, ACCESS_CONTROL),
    (NotImplementedError, "java.lang.UnsupportedOperationException"),
)


def make_error(code: str, java_class: str, message: str) -> HadoopError:
    """Return an error with a code and a Java class.

    Args:
        code: Name of the code in `CODES`.
        java_class: Class of the Java exception.
        message: Text of the error.

    Returns:
        The error.
    """
    error = HadoopError(message, java_class)
    error.code = code
    return error


def from_exception(error: Exception) -> HadoopError:
    """Return the error that a client receives for an exception of a method.

    Args:
        error: The exception. A `HadoopError` is returned unchanged.

    Returns:
        An error with the type and the text of the exception, and never its stack trace.
    """
    if isinstance(error, HadoopError):
        return error
    for kind, java_class in _JAVA_CLASSES:
        if isinstance(error, kind):
            return make_error("ERROR_APPLICATION", java_class, str(error) or kind.__name__)
    return make_error("ERROR_APPLICATION", APPLICATION, f"{type(error).__name__}: {error}")
