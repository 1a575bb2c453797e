"""What a controller refuses.

ControllerError
    NoSuchScope
    NoSuchStream
    NoSuchTransaction
    ScopeNotEmpty           it has streams, and was to be deleted
    StreamNotSealed         it takes events, and was to be deleted
    StreamIsSealed          it takes no more
    InvalidName             no scope or stream may be called so
    ScaleRefused            the segments are not those of now, or the ranges do not fit
    TransactionEnded        it was aborted or committed, or its lease has run out
    NotAllowed              by whoever we are to the controller
    NoSuchReaderGroup
    NoSuchTable             there is no key-value table of that name
    ReaderGroupExists       with another configuration
    ReaderInGroup           a reader of that name is in the group
    ReaderNotInGroup        the reader was declared offline, or the group was reset
    TooManyCheckpoints      as many are under way as the group allows
"""

from __future__ import annotations

from jvmwire.pravega.errors import NoSuchSegment, PravegaError, SegmentIsSealed

SEALED = (SegmentIsSealed, NoSuchSegment)
"""What a segment's writer ends with when the segment takes no more; it may be gone already."""


class ControllerError(PravegaError):
    """The controller refused a call."""


class NoSuchScope(ControllerError):
    """There is no scope of that name."""


class NoSuchStream(ControllerError):
    """There is no stream of that name."""


class NoSuchTransaction(ControllerError):
    """The stream has no such transaction."""


class ScopeNotEmpty(ControllerError):
    """The scope has streams, and was to be deleted."""


class StreamNotSealed(ControllerError):
    """The stream takes events, and was to be deleted."""


class StreamIsSealed(ControllerError):
    """The stream takes no more."""


class InvalidName(ControllerError):
    """No scope or stream may be called so."""


class ScaleRefused(ControllerError):
    """The segments are not those of now, or the key ranges do not fit in their place."""


class TransactionEnded(ControllerError):
    """The transaction was aborted or committed, or its lease has run out."""


class NotAllowed(ControllerError):
    """Whoever we are to the controller may not do that."""


class NoSuchReaderGroup(ControllerError):
    """The scope has no reader group of that name."""


class ReaderGroupExists(ControllerError):
    """The scope has a reader group of that name, with another configuration."""


class ReaderInGroup(ControllerError):
    """The reader group has a reader of that name."""


class ReaderNotInGroup(ControllerError):
    """The reader was declared offline, or its group was reset."""


class TooManyCheckpoints(ControllerError):
    """As many checkpoints of the reader group are under way as it allows."""


class NoSuchTable(ControllerError):
    """There is no key-value table of that name."""
