"""Exit statuses of the command `jvmwire`, and the errors that each of them stands for."""

from __future__ import annotations

from typing import Final

from jvmwire.errors import (
    AuthenticationError,
    CallTimeout,
    MessagesLost,
    OutcomeUnknown,
    RemoteProtocolError,
    ServerError,
    TransportError,
)

DONE: Final = 0
INCOMPLETE: Final = 1
USAGE: Final = 2
NOT_REACHED: Final = 3
REFUSED: Final = 4
FOUND: Final = 5
INTERRUPTED: Final = 130
"""The exit status after an interrupt, as in shells."""

MEANINGS: Final = {
    DONE: "Everything was done.",
    INCOMPLETE: "Something is missing: a part was not decoded, a path, map or key does not exist "
    "or was refused and the command went on, a job or a topology failed.",
    USAGE: "Wrong usage or configuration, a file that cannot be read or written, or a defect.",
    NOT_REACHED: "The server was not reached, did not answer in time, speaks another protocol, or "
    "did not let us in.",
    REFUSED: "The server refused the request.",
    FOUND: "A report has a finding, or a comparison a change, that --fail-on names.",
    INTERRUPTED: "Ctrl-C.",
}
"""The exit statuses, as `jvmwire --help` and docs/command-line.md explain them."""

OF_SERVER_COMMANDS: Final = (
    "Exit status of a failure: 2 wrong usage or configuration; 3 the server was not reached, or "
    "did not let us in; 4 the server refused the request."
)
"""The end of the help of each command that calls a server."""

_NOT_REACHED: Final = (
    AuthenticationError,
    CallTimeout,
    OutcomeUnknown,
    RemoteProtocolError,
    TransportError,
)


def status_of(error: Exception) -> int:
    """Return the exit status of a command that an error ended.

    Args:
        error: The error.

    Returns:
        The status: 1 to 4.
    """
    # Before refusals: a server that refuses credentials does not let us in.
    if isinstance(error, _NOT_REACHED):
        return NOT_REACHED
    if isinstance(error, ServerError):
        # A client raises its own errors of these classes about arguments that it does not send.
        is_local = isinstance(error, ValueError) and not error.java_class
        return USAGE if is_local else REFUSED
    if isinstance(error, MessagesLost):
        return INCOMPLETE
    if isinstance(error, ConnectionError | TimeoutError):
        return NOT_REACHED
    return USAGE
