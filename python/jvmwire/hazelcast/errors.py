"""What Hazelcast members refuse with, by error code of the protocol.

HazelcastError
    Retriable                   not now, or not here: the client repeats the call by itself
    MemberLost                  the member that should have done it is gone
    AuthenticationFailed        the cluster does not take our credentials, or not this client
    AccessDenied                (a PermissionError)
    IllegalArgument             (a ValueError)
    IllegalState
    IllegalMonitorState         a lock that is not the caller's
    ClassCast                   (a TypeError)
    ClassNotFound               the member does not have that class
    SerializationFailed         the member cannot make an object of the bytes, or bytes of it
    NullPointer
    NoSuchElement
    IndexOutOfBounds            (an IndexError)
    OperationTimeout            the member gave up (a TimeoutError)
    DistributedObjectDestroyed
    QueryFailed
    QuorumMissing
    ReachedMaxSize
    StaleSequence               of a ringbuffer, overwritten by now
    TopicOverloaded
    UnsupportedOperation
    RejectedExecution
    ExecutionFailed             a task on a member raised
    StaleTask                   disposed of, or gone with its member
    StaleTaskId                 disposed of, or overwritten
    DuplicateTask               there is one of that name already
    Cancelled
    TransactionFailed
        TransactionNotActive
        TransactionTimedOut
    IndeterminateState          done here, not known whether on the backups too
    ConsistencyLost             no replica knows what the client has seen
    SessionExpired
    WaitCancelled               another call of the same caller waits now
    LockLimitReached            taken as often as it may be by one caller
    LockLost
    GroupDestroyed              a group of the CP subsystem, with all that was in it
"""

from __future__ import annotations

from typing import Any

from jvmwire.errors import ServerError


class HazelcastError(ServerError):
    """A Java exception that a member answered with."""

    code = 0
    """The protocol's number of it; `UNDEFINED` is 0."""
    cause_class: str | None = None
    """The Java class of its cause."""
    stack = ""
    """Where it was thrown, in Java's form."""


class Retriable(HazelcastError):
    """Not now, or not by this member."""

    retryable = True


class MemberLost(HazelcastError):
    """The member that was to carry it out left the cluster, or its connection broke."""


class AuthenticationFailed(HazelcastError):
    """The cluster does not take our credentials, or does not want this client."""


class AccessDenied(HazelcastError, PermissionError):
    """The client may not do that."""


class IllegalArgument(HazelcastError, ValueError):
    """An argument that the member does not accept."""


class IllegalState(HazelcastError):
    """Not in the state that the object is in."""


class IllegalMonitorState(HazelcastError):
    """The lock is not held by who wants to release it."""


class ClassCast(HazelcastError, TypeError):
    """A value is not of the class that the member needs."""


class ClassNotFound(HazelcastError):
    """The member does not have the class."""


class SerializationFailed(HazelcastError):
    """The member cannot make an object of bytes, or bytes of an object."""


class NullPointer(HazelcastError):
    """A null where there may be none."""


class NoSuchElement(HazelcastError):
    """There is no such element."""


class IndexOutOfBounds(HazelcastError, IndexError):
    """The list or array is not as long."""


class OperationTimeout(HazelcastError, TimeoutError):
    """The member gave up."""


class DistributedObjectDestroyed(HazelcastError):
    """The structure was destroyed meanwhile."""


class QueryFailed(HazelcastError):
    """The query is wrong, or found too much."""


class QuorumMissing(HazelcastError):
    """Too few members for that."""


class ReachedMaxSize(HazelcastError):
    """There is no room left."""


class StaleSequence(HazelcastError):
    """What stood at the sequence was overwritten."""


class TopicOverloaded(HazelcastError):
    """The reliable topic's ringbuffer is full."""


class UnsupportedOperation(HazelcastError):
    """The member does not offer that."""


class RejectedExecution(HazelcastError):
    """The executor takes nothing more."""


class ExecutionFailed(HazelcastError):
    """A task on a member raised."""


class StaleTask(HazelcastError):
    """The scheduled task was disposed of, or is gone with its member."""


class StaleTaskId(HazelcastError):
    """There is no durable task of that id any more."""


class DuplicateTask(HazelcastError):
    """There is a scheduled task of that name already."""


class Cancelled(HazelcastError):
    """A task on a member was cancelled."""


class TransactionFailed(HazelcastError):
    """The transaction cannot go on."""


class TransactionNotActive(TransactionFailed):
    """There is no such transaction, or no longer."""


class TransactionTimedOut(TransactionFailed):
    """The transaction took too long."""


class IndeterminateState(HazelcastError):
    """It was done, but not known whether on the backups too."""


class ConsistencyLost(HazelcastError):
    """No replica is left that knows what the client has seen."""


class SessionExpired(HazelcastError):
    """The session of the CP subsystem has ended."""


class WaitCancelled(HazelcastError):
    """Another call of the same caller waits for the same now, or the structure is gone."""


class LockLimitReached(HazelcastError):
    """The caller holds the lock as often as members allow."""


class GroupDestroyed(HazelcastError):
    """The group of the CP subsystem is gone, with all that was in it."""


class LockLost(HazelcastError):
    """The lock of the CP subsystem is no longer the caller's."""


# ClientProtocolErrorCodes. What the Java client repeats is Retriable.
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
    """Return the error that the fields of a `Response.Exception` tell of."""
    code, java_class, message, stack, _, cause_class = fields
    error = _CLASSES.get(code, HazelcastError)(message or java_class, java_class)
    error.code = code
    error.cause_class = cause_class
    error.stack = "\n".join(
        f"\tat {at['declaring_class']}.{at['method_name']}({at['file_name']}:{at['line_number']})"
        for at in stack
    )
    return error
