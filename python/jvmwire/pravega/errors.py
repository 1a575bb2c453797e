"""What a segment store refuses, by the names of its own replies.

PravegaError
    NoSuchSegment               there is none of that name
    SegmentAlreadyExists        there is one
    SegmentIsSealed             it takes no more, or there is nothing more to read
    SegmentIsTruncated          what stood at that offset is gone
    WrongHost                   another store has the segment, or this one not yet
    OperationUnsupported        not on such a segment
    ConditionalCheckFailed      the segment does not end where the append expects it to
    InvalidEventNumber          the store has other events of that writer
    AuthTokenCheckFailed        the delegation token does not allow it
        TokenExpired            it did: a new one may be tried
    TableSegmentNotEmpty        and was to be deleted only if it is
    TableKeyDoesNotExist
    TableKeyBadVersion          its entry was changed meanwhile
    ErrorMessage                anything else; `code` says what
    VersionMismatch             the store speaks no version that we speak
"""

from __future__ import annotations

from typing import Any, ClassVar

from jvmwire.errors import ServerError

TOKEN_EXPIRED = 1
"""Of `AuthTokenCheckFailed.ErrorCode`: TOKEN_EXPIRED."""


class PravegaError(ServerError):
    """The segment store refused a command."""

    says: ClassVar[str] = "refused"

    @classmethod
    def from_reply(cls, fields: dict[str, Any]) -> PravegaError:
        """Return the error that a reply's fields tell of."""
        error = cls("")
        error.segment = fields.get("segment", "")
        error.server_stack_trace = fields.get("server_stack_trace", "")
        error.args = (error._message(fields),)
        return error

    def _message(self, fields: dict[str, Any]) -> str:  # noqa: ARG002 - others look at them
        return f"{self.segment!r} {self.says}" if self.segment else self.says

    segment = ""
    """Which one it is about, where the reply says so."""
    server_stack_trace = ""
    """Where in the store it came to be, if the store tells."""


class NoSuchSegment(PravegaError):
    """There is no segment of that name."""

    says = "does not exist"


class SegmentAlreadyExists(PravegaError):
    """There is a segment of that name."""

    says = "exists already"


class SegmentIsSealed(PravegaError):
    """The segment takes no more, or there is nothing more to read."""

    says = "is sealed"


class SegmentIsTruncated(PravegaError):
    """What stood at that offset is gone."""

    says = "is truncated"
    start_offset = 0
    """The first offset that can be read."""

    def _message(self, fields: dict[str, Any]) -> str:
        self.start_offset = fields["start_offset"]
        return f"{self.segment!r} begins at offset {self.start_offset}"


class WrongHost(PravegaError):
    """Another store has the segment."""

    says = "is at another store"
    retryable = True
    correct_host = ""
    """Which one, if this one knows."""

    def _message(self, fields: dict[str, Any]) -> str:
        self.correct_host = fields["correct_host"]
        return f"{self.segment!r} is at {self.correct_host or 'another store'}"


class OperationUnsupported(PravegaError):
    """The store does not do that, or not on such a segment."""

    def _message(self, fields: dict[str, Any]) -> str:
        return f"{fields['operation_name']} is not supported here"


class ConditionalCheckFailed(PravegaError):
    """The segment does not end where the append expects it to."""

    says = "the segment ends elsewhere"


class InvalidEventNumber(PravegaError):
    """The store has other events of that writer than the connection was set up with."""

    says = "the store has other events of this writer"


class AuthTokenCheckFailed(PravegaError):
    """The delegation token does not allow it."""

    says = "the delegation token was refused"


class TokenExpired(AuthTokenCheckFailed):
    """The delegation token allowed it, and no longer does."""

    says = "the delegation token has expired"
    retryable = True


class TableSegmentNotEmpty(PravegaError):
    """The table has entries, and was to be deleted only without."""

    says = "is not empty"


class TableKeyDoesNotExist(PravegaError):
    """An entry was to be replaced that is not there."""

    says = "has no such key"


class TableKeyBadVersion(PravegaError):
    """An entry is of another version than it was to be."""

    says = "has another version of a key"


class ErrorMessage(PravegaError):
    """Something else; `code` says what."""

    code = 0
    """Of `WireCommands.ErrorMessage.ErrorCode`."""

    def _message(self, fields: dict[str, Any]) -> str:
        self.code = fields["error_code"]
        return f"{self.segment!r}: {fields['message']} (code {self.code})"


class VersionMismatch(PravegaError):
    """The store speaks no version that we speak."""


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
    """Return the error that a reply is, or None if it is no refusal."""
    kind = _KINDS.get(name)
    if kind is AuthTokenCheckFailed and fields.get("error_code") == TOKEN_EXPIRED:
        kind = TokenExpired
    return None if kind is None else kind.from_reply(fields)
