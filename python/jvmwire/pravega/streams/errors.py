"""Errors for the refusals of a Pravega controller.

ControllerError
    NoSuchScope
    NoSuchStream
    NoSuchTransaction
    ScopeNotEmpty           the scope was to be deleted, and has streams
    StreamNotSealed         the stream was to be deleted, and still accepts events
    StreamIsSealed          the stream accepts no more events
    InvalidName             the name is not permitted for a scope or stream
    ScaleRefused            the segments are not current, or the key ranges do not match
    TransactionEnded        the transaction was aborted or committed, or its lease has expired
    NotAllowed              the client's user has no permission for the call
    NoSuchReaderGroup
    NoSuchTable             no key-value table has that name
    ReaderGroupExists       the group exists with another configuration
    ReaderInGroup           a reader of that id is in the group already
    ReaderNotInGroup        the reader was declared offline, or the group was reset
    TooManyCheckpoints      as many checkpoints are in progress as the group permits
"""

from __future__ import annotations

from jvmwire.errors import AuthenticationError
from jvmwire.pravega.errors import NoSuchSegment, PravegaError, SegmentIsSealed

__all__ = [
    "ControllerError",
    "InvalidName",
    "NoSuchReaderGroup",
    "NoSuchScope",
    "NoSuchStream",
    "NoSuchTable",
    "NoSuchTransaction",
    "NotAllowed",
    "ReaderGroupExists",
    "ReaderInGroup",
    "ReaderNotInGroup",
    "ScaleRefused",
    "ScopeNotEmpty",
    "StreamIsSealed",
    "StreamNotSealed",
    "TooManyCheckpoints",
    "TransactionEnded",
]


SEALED = (SegmentIsSealed, NoSuchSegment)
"""Errors that end a segment's writer after the segment was sealed; it may be deleted already."""


class ControllerError(PravegaError):
    """The controller refused a call."""


class NoSuchScope(ControllerError):
    """No scope has that name."""


class NoSuchStream(ControllerError):
    """No stream has that name."""


class NoSuchTransaction(ControllerError):
    """The stream has no such transaction."""


class ScopeNotEmpty(ControllerError):
    """The scope was to be deleted, and has streams."""


class StreamNotSealed(ControllerError):
    """The stream was to be deleted, and still accepts events."""


class StreamIsSealed(ControllerError):
    """The stream is sealed and accepts no more events."""


class InvalidName(ControllerError):
    """The name is not permitted for a scope or stream."""


class ScaleRefused(ControllerError):
    """The segments are not current, or the new key ranges do not cover the same range."""


class TransactionEnded(ControllerError):
    """The transaction was aborted or committed, or its lease has expired."""


class NotAllowed(ControllerError, AuthenticationError):
    """The client's user has no permission for the call, or its credentials were rejected."""


class NoSuchReaderGroup(ControllerError):
    """The scope has no reader group of that name."""


class ReaderGroupExists(ControllerError):
    """The scope has a reader group of that name with another configuration."""


class ReaderInGroup(ControllerError):
    """The reader group has a reader of that id already."""


class ReaderNotInGroup(ControllerError):
    """The reader was declared offline, or its group was reset."""


class TooManyCheckpoints(ControllerError):
    """As many checkpoints of the reader group are in progress as its configuration permits."""


class NoSuchTable(ControllerError):
    """No key-value table has that name."""
