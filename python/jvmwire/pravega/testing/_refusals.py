"""Replies that refuse a command, raised where the command is executed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jvmwire.pravega import errors

if TYPE_CHECKING:
    from collections.abc import Mapping

UNSPECIFIED = 0
"""Code UNSPECIFIED of `ErrorMessage.ErrorCode`."""
TOKEN_CHECK_FAILED = 0
"""Code TOKEN_CHECK_FAILED of `AuthTokenCheckFailed.ErrorCode`."""


class Refusal(Exception):
    """A command is refused with a reply.

    Args:
        name: The name of the reply in Java.
        fields: The fields of the reply, without the request id.
    """

    def __init__(self, name: str, **fields: Any) -> None:
        super().__init__(name)
        self.name = name
        self.fields = fields

    def error(self) -> errors.PravegaError:
        """Return the error that a client makes of the reply."""
        return errors.refusal(self.name, self.fields) or errors.PravegaError(self.name)


class Hangup(Exception):
    """The connection is closed without a reply, as a store does after an internal error."""


def no_such_segment(segment: str, offset: int = -1) -> Refusal:
    """Return the refusal of a segment that does not exist."""
    return Refusal("NoSuchSegment", segment=segment, server_stack_trace="", offset=offset)


def is_sealed(segment: str, offset: int = -1) -> Refusal:
    """Return the refusal of a segment that is sealed."""
    return Refusal("SegmentIsSealed", segment=segment, server_stack_trace="", offset=offset)


def is_truncated(segment: str, start: int, offset: int) -> Refusal:
    """Return the refusal of an offset before the start of a segment."""
    return Refusal(
        *("SegmentIsTruncated",),
        segment=segment,
        start_offset=start,
        server_stack_trace="",
        offset=offset,
    )


def already_exists(segment: str) -> Refusal:
    """Return the refusal of a name that is taken."""
    return Refusal("SegmentAlreadyExists", segment=segment, server_stack_trace="")


def unsupported(operation: str) -> Refusal:
    """Return the refusal of an operation that the store does not have."""
    return Refusal("OperationUnsupported", operation_name=operation, server_stack_trace="")


def wrong_key(reply: str, segment: str) -> Refusal:
    """Return the refusal of a change of a table, by the name of the reply."""
    return Refusal(reply, segment=segment, server_stack_trace="")


def message(segment: str, text: str) -> Refusal:
    """Return a refusal for any other reason."""
    return Refusal("ErrorMessage", segment=segment, message=text, error_code=UNSPECIFIED)


def bad_token() -> Refusal:
    """Return the refusal of a delegation token."""
    return Refusal("AuthTokenCheckFailed", server_stack_trace="", error_code=TOKEN_CHECK_FAILED)


def refusal_of(error: errors.PravegaError, fields: Mapping[str, Any]) -> Refusal:
    """Return the refusal that gives a client an error.

    Args:
        error: The error.
        fields: The fields of the command, which name its segment.

    Returns:
        The refusal; `ErrorMessage` for an error without a reply of its own.
    """
    segment = error.segment or fields.get("segment") or fields.get("segment_name") or ""
    if isinstance(error, errors.NoSuchSegment):
        return no_such_segment(segment)
    if isinstance(error, errors.SegmentIsSealed):
        return is_sealed(segment)
    if isinstance(error, errors.SegmentIsTruncated):
        return is_truncated(segment, error.start_offset, fields.get("offset", -1))
    if isinstance(error, errors.SegmentAlreadyExists):
        return already_exists(segment)
    if isinstance(error, errors.WrongHost):
        host = error.correct_host
        return Refusal("WrongHost", segment=segment, correct_host=host, server_stack_trace="")
    if isinstance(error, errors.AuthTokenCheckFailed):
        expired = isinstance(error, errors.TokenExpired)
        code = errors.TOKEN_EXPIRED if expired else TOKEN_CHECK_FAILED
        return Refusal("AuthTokenCheckFailed", server_stack_trace="", error_code=code)
    if isinstance(error, errors.OperationUnsupported):
        return unsupported(str(error) or "operation")
    if isinstance(error, errors.TableKeyBadVersion | errors.TableKeyDoesNotExist):
        return wrong_key(type(error).__name__, segment)
    return message(segment, str(error))
