"""Errors that Hazelcast members answer with, by error code of the protocol.

HazelcastError
    Retriable                   the call is not possible now, or not on this member: it is
        retried
    MemberLost                  the member that should have carried out the call is gone
    AuthenticationFailed        the cluster rejects the credentials, or this client
    AccessDenied                (a PermissionError)
    IllegalArgument             (a ValueError)
    IllegalState
    IllegalMonitorState         the caller does not hold the lock
    ClassCast                   (a TypeError)
    ClassNotFound               the member does not have that class
    SerializationFailed         the member cannot serialize or deserialize an object
    NullPointer
    NoSuchElement
    IndexOutOfBounds            (an IndexError)
    OperationTimeout            the member's own timeout expired (a TimeoutError)
    DistributedObjectDestroyed
    QueryFailed
    QuorumMissing
    ReachedMaxSize
    StaleSequence               the ringbuffer has overwritten the sequence
    TopicOverloaded
    UnsupportedOperation
    RejectedExecution
    ExecutionFailed             a task on a member raised an exception
    StaleTask                   the task was disposed of, or is gone with its member
    StaleTaskId                 the task was disposed of, or overwritten
    DuplicateTask               a task of that name already exists
    Cancelled
    TransactionFailed
        TransactionNotActive
        TransactionTimedOut
    IndeterminateState          done on the owner, unknown whether on the backups too
    ConsistencyLost             no replica has the state that the client has seen
    SessionExpired
    WaitCancelled               a newer call of the same caller replaced this waiting call
    LockLimitReached            the caller holds the lock as often as members allow
    LockLost
    GroupDestroyed              the CP group was destroyed with all structures in it
"""

from __future__ import annotations

import errno
from typing import Any

from jvmwire.errors import AuthenticationError, ServerError

__all__ = [
    "AccessDenied",
    "AuthenticationFailed",
    "Cancelled",
    "ClassCast",
    "ClassNotFound",
    "ConsistencyLost",
    "DistributedObjectDestroyed",
    "DuplicateTask",
    "ExecutionFailed",
    "GroupDestroyed",
    "HazelcastError",
    "IllegalArgument",
    "IllegalMonitorState",
    "IllegalState",
    "IndeterminateState",
    "IndexOutOfBounds",
    "LockLimitReached",
    "LockLost",
    "MemberLost",
    "NoSuchElement",
    "NullPointer",
    "OperationTimeout",
    "QueryFailed",
    "QuorumMissing",
    "ReachedMaxSize",
    "RejectedExecution",
    "Retriable",
    "SerializationFailed",
    "SessionExpired",
    "StaleSequence",
    "StaleTask",
    "StaleTaskId",
    "TopicOverloaded",
    "TransactionFailed",
    "TransactionNotActive",
    "TransactionTimedOut",
    "UnsupportedOperation",
    "WaitCancelled",
    "from_fields",
]


class HazelcastError(ServerError):
    """A Java exception that a member answered with.

    Args:
        code: Error code of the protocol.
        cause_class: Java class of the exception's cause, or None.
        stack: Java stack trace of the exception.
    """

    code = 0
    """Error code of the protocol; 0 is `UNDEFINED`."""
    cause_class: str | None = None
    """Java class of the exception's cause."""
    stack = ""
    """Stack trace of the exception, in Java's form."""


class Retriable(HazelcastError):
    """The call is not possible now, or not on this member; the client retries it."""

    retryable = True


class MemberLost(HazelcastError):
    """The member that should have done the call left the cluster, or its connection broke."""


class AuthenticationFailed(HazelcastError, AuthenticationError):
    """The cluster rejects the credentials or this client."""


class AccessDenied(HazelcastError, PermissionError):
    """The client has no permission for the call."""

    errno = errno.EACCES


class IllegalArgument(HazelcastError, ValueError):
    """The member does not accept an argument."""


class IllegalState(HazelcastError):
    """The object is not in a state that allows the call."""


class IllegalMonitorState(HazelcastError):
    """The caller does not hold the lock that it wants to release."""


class ClassCast(HazelcastError, TypeError):
    """A value is not of the class that the member needs."""


class ClassNotFound(HazelcastError):
    """The member does not have the class."""


class SerializationFailed(HazelcastError):
    """The member cannot serialize or deserialize an object."""


class NullPointer(HazelcastError):
    """A value is null that must not be null."""


class NoSuchElement(HazelcastError):
    """The requested element does not exist."""


class IndexOutOfBounds(HazelcastError, IndexError):
    """The index is beyond the end of the list or array."""


class OperationTimeout(HazelcastError, TimeoutError):
    """The member's own timeout for the operation expired."""


class DistributedObjectDestroyed(HazelcastError):
    """The distributed object was destroyed during the call."""


class QueryFailed(HazelcastError):
    """The query is invalid, or its result is too large."""


class QuorumMissing(HazelcastError):
    """The cluster has too few members for the call."""


class ReachedMaxSize(HazelcastError):
    """The data structure has reached its maximum size."""


class StaleSequence(HazelcastError):
    """The ringbuffer has overwritten the item at the sequence."""


class TopicOverloaded(HazelcastError):
    """The ringbuffer of the reliable topic is full."""


class UnsupportedOperation(HazelcastError):
    """The member does not support the operation."""


class RejectedExecution(HazelcastError):
    """The executor does not accept the task."""


class ExecutionFailed(HazelcastError):
    """A task on a member raised an exception."""


class StaleTask(HazelcastError):
    """The scheduled task was disposed of, or is gone with its member."""


class StaleTaskId(HazelcastError):
    """The durable task of this id does not exist any more."""


class DuplicateTask(HazelcastError):
    """A scheduled task of this name already exists."""


class Cancelled(HazelcastError):
    """A task on a member was cancelled."""


class TransactionFailed(HazelcastError):
    """The transaction cannot go on."""


class TransactionNotActive(TransactionFailed):
    """The transaction does not exist, or is no longer active."""


class TransactionTimedOut(TransactionFailed):
    """The transaction exceeded its timeout."""


class IndeterminateState(HazelcastError):
    """The operation was done, but it is unknown whether on the backups too."""


class ConsistencyLost(HazelcastError):
    """No remaining replica has the state that the client has seen."""


class SessionExpired(HazelcastError):
    """The session of the CP subsystem has ended."""


class WaitCancelled(HazelcastError):
    """A newer call of the same caller replaced the waiting one, or the structure is destroyed."""


class LockLimitReached(HazelcastError):
    """The caller holds the lock as often as members allow."""


class GroupDestroyed(HazelcastError):
    """The CP group was destroyed with all structures in it."""


class LockLost(HazelcastError):
    """The caller no longer holds the lock of the CP subsystem."""


# ClientProtocolErrorCodes. Codes that the Java client retries are `Retriable`.
_CLASSES: dict[int, type[HazelcastError]] = {
    1: IndexOutOfBounds,
    3: AuthenticationFailed,
    8: Retriable,
    9: Cancelled,
    10: ClassCast,
    11: ClassNotFound,
    15: DistributedObjectDestroyed,
    19: ExecutionFailed,
    21: Retriable,
    23: SerializationFailed,
    25: IllegalArgument,
    28: IllegalMonitorState,
    29: IllegalState,
    31: IndexOutOfBounds,
    35: MemberLost,
    37: NoSuchElement,
    38: SerializationFailed,
    39: NullPointer,
    40: OperationTimeout,
    41: Retriable,
    42: QueryFailed,
    43: QueryFailed,
    44: QuorumMissing,
    45: ReachedMaxSize,
    46: RejectedExecution,
    49: Retriable,
    50: Retriable,
    52: AccessDenied,
    54: StaleSequence,
    55: MemberLost,
    56: Retriable,
    57: OperationTimeout,
    58: TopicOverloaded,
    59: Retriable,
    60: TransactionFailed,
    61: TransactionNotActive,
    62: TransactionTimedOut,
    65: UnsupportedOperation,
    66: Retriable,
    68: AccessDenied,
    69: AuthenticationFailed,
    80: StaleTaskId,
    81: DuplicateTask,
    82: StaleTask,
    84: IndeterminateState,
    86: Retriable,
    88: ConsistencyLost,
    89: SessionExpired,
    90: WaitCancelled,
    91: LockLimitReached,
    92: LockLost,
    93: GroupDestroyed,
    94: Retriable,
}


def from_fields(fields: tuple[Any, ...]) -> HazelcastError:
    """Return the error that the fields of a `Response.Exception` describe.

    Args:
        fields: Fields of the message, as decoded.

    Returns:
        An error of the class for its code, `HazelcastError` for an unknown code.
    """
    code, java_class, message, stack, _, cause_class = fields
    error = _CLASSES.get(code, HazelcastError)(message or java_class, java_class)
    error.code = code
    error.cause_class = cause_class
    error.stack = "\n".join(
        f"\tat {at['declaring_class']}.{at['method_name']}({at['file_name']}:{at['line_number']})"
        for at in stack
    )
    return error
