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
