"""Errors for the refusals of a segment store, named after the replies in `WireCommands`.

PravegaError
    NoSuchSegment               no segment has that name
    SegmentAlreadyExists        a segment has that name already
    SegmentIsSealed             the segment accepts no more appends, or its end was reached
    SegmentIsTruncated          the bytes at that offset were truncated
    WrongHost                   another store owns the segment, or this store does not own it yet
    OperationUnsupported        the store does not support the operation on such a segment
    ConditionalCheckFailed      the segment does not end where the conditional append expects
    InvalidEventNumber          the store has counted other events for that writer
    AuthTokenCheckFailed        the delegation token does not permit the command
        TokenExpired            the token has expired: the command may be retried with a new one
    TableSegmentNotEmpty        the table was to be deleted only if empty, and has entries
    TableKeyDoesNotExist        a key that must exist does not
    TableKeyBadVersion          an entry was changed concurrently
    ErrorMessage                any other error; `code` is the error code
    VersionMismatch             client and store have no wire version in common
"""

from __future__ import annotations

from typing import Any, ClassVar

from jvmwire.errors import AuthenticationError, ServerError

__all__ = [
    "AuthTokenCheckFailed",
    "ConditionalCheckFailed",
    "ErrorMessage",
    "InvalidEventNumber",
    "NoSuchSegment",
    "OperationUnsupported",
    "PravegaError",
    "SegmentAlreadyExists",
    "SegmentIsSealed",
    "SegmentIsTruncated",
    "TableKeyBadVersion",
    "TableKeyDoesNotExist",
    "TableSegmentNotEmpty",
    "TokenExpired",
    "VersionMismatch",
    "WrongHost",
]


TOKEN_EXPIRED = 1
"""Code TOKEN_EXPIRED of `AuthTokenCheckFailed.ErrorCode`."""


class PravegaError(ServerError):
    """The segment store refused a command.

    Attributes:
        segment: The name of the segment, `""` if the reply does not name it.
        server_stack_trace: The stack trace in the store, `""` if the store does not send it.
    """

    says: ClassVar[str] = "refused"

    @classmethod
    def from_reply(cls, fields: dict[str, Any]) -> PravegaError:
        """Create the error that the fields of a reply describe.

        Args:
            fields: Fields of the reply by name.

        Returns:
            The error, of this class.
        """
        error = cls("")
        error.segment = fields.get("segment", "")
        error.server_stack_trace = fields.get("server_stack_trace", "")
        error.args = (error._message(fields),)
        return error

    def _message(self, fields: dict[str, Any]) -> str:  # noqa: ARG002 - others look at them
        return f"{self.segment!r} {self.says}" if self.segment else self.says

    segment = ""
    """The name of the segment, `""` if the reply does not name it."""
    server_stack_trace = ""
    """The stack trace in the store, `""` if the store does not send it."""


class NoSuchSegment(PravegaError):
    """No segment has that name."""

    says = "does not exist"


class SegmentAlreadyExists(PravegaError):
    """A segment of that name exists already."""

    says = "exists already"


class SegmentIsSealed(PravegaError):
    """The segment is sealed: it accepts no more appends, or a read has reached its end."""

    says = "is sealed"


class SegmentIsTruncated(PravegaError):
    """The bytes at that offset were truncated.

    Attributes:
        start_offset: The first offset that can be read.
    """

    says = "is truncated"
    start_offset = 0
    """The first offset that can be read."""

    def _message(self, fields: dict[str, Any]) -> str:
        self.start_offset = fields["start_offset"]
        return f"{self.segment!r} begins at offset {self.start_offset}"


class WrongHost(PravegaError):
    """Another store owns the segment.

    Attributes:
        correct_host: The host that owns the segment, `""` if the store does not name it.
    """

    says = "is at another store"
    retryable = True
    correct_host = ""
    """The host that owns the segment, `""` if the store does not name it."""

    def _message(self, fields: dict[str, Any]) -> str:
        self.correct_host = fields["correct_host"]
        return f"{self.segment!r} is at {self.correct_host or 'another store'}"


class OperationUnsupported(PravegaError):
    """The store does not support the operation, or not on such a segment."""

    def _message(self, fields: dict[str, Any]) -> str:
        return f"{fields['operation_name']} is not supported here"


class ConditionalCheckFailed(PravegaError):
    """The segment does not end at the offset that the conditional append expects."""

    says = "the segment ends elsewhere"


class InvalidEventNumber(PravegaError):
    """The store has counted other events for this writer than at the connection's `SetupAppend`."""

    says = "the store has other events of this writer"


class AuthTokenCheckFailed(PravegaError, AuthenticationError):
    """The delegation token does not permit the command."""

    says = "the delegation token was refused"


class TokenExpired(AuthTokenCheckFailed):
    """The delegation token has expired."""

    says = "the delegation token has expired"
    retryable = True


class TableSegmentNotEmpty(PravegaError):
    """The table was to be deleted only if empty, and has entries."""

    says = "is not empty"


class TableKeyDoesNotExist(PravegaError):
    """An entry that must exist, because a version was given for its key, does not."""

    says = "has no such key"


class TableKeyBadVersion(PravegaError):
    """An entry has another version than the expected one."""

    says = "has another version of a key"


class ErrorMessage(PravegaError):
    """The store reported any other error.

    Attributes:
        code: The error code, a value of `WireCommands.ErrorMessage.ErrorCode`.
    """

    code = 0
    """The error code, a value of `WireCommands.ErrorMessage.ErrorCode`."""

    def _message(self, fields: dict[str, Any]) -> str:
        self.code = fields["error_code"]
        return f"{self.segment!r}: {fields['message']} (code {self.code})"


class VersionMismatch(PravegaError):
    """The store supports none of the wire versions that this client supports."""


_KINDS: dict[str, type[PravegaError]] = {
    kind.__name__: kind
    for kind in (
        NoSuchSegment,
        SegmentAlreadyExists,
        SegmentIsSealed,
        SegmentIsTruncated,
        WrongHost,
        OperationUnsupported,
        ConditionalCheckFailed,
        InvalidEventNumber,
        AuthTokenCheckFailed,
        TableSegmentNotEmpty,
        TableKeyDoesNotExist,
        TableKeyBadVersion,
        ErrorMessage,
    )
}


def refusal(name: str, fields: dict[str, Any]) -> PravegaError | None:
    """Convert a reply to the error it represents, or return None if the reply is not a refusal."""
    kind = _KINDS.get(name)
    if kind is AuthTokenCheckFailed and fields.get("error_code") == TOKEN_EXPIRED:
        kind = TokenExpired
    return None if kind is None else kind.from_reply(fields)
