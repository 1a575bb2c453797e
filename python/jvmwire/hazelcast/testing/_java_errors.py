"""The exceptions of a member, by their Java classes."""

from __future__ import annotations

from jvmwire.hazelcast.errors import HazelcastError

_CORE = "com.hazelcast.core."
_SPI = "com.hazelcast.spi.exception."

DESTROYED = f"{_SPI}DistributedObjectDestroyedException"
ILLEGAL_ARGUMENT = "java.lang.IllegalArgumentException"
ILLEGAL_MONITOR_STATE = "java.lang.IllegalMonitorStateException"
INDEX_OUT_OF_BOUNDS = "java.lang.IndexOutOfBoundsException"
NO_SUCH_ELEMENT = "java.util.NoSuchElementException"
OPERATION_TIMEOUT = f"{_CORE}OperationTimeoutException"
OVERLOAD = f"{_CORE}HazelcastOverloadException"
QUERY = "com.hazelcast.query.QueryException"
REACHED_MAX_SIZE = "com.hazelcast.map.ReachedMaxSizeException"
RETRYABLE = f"{_SPI}RetryableHazelcastException"
STALE_SEQUENCE = "com.hazelcast.ringbuffer.StaleSequenceException"
UNSUPPORTED = "java.lang.UnsupportedOperationException"

CODES = {
    "java.lang.ArrayIndexOutOfBoundsException": 1,
    "com.hazelcast.client.AuthenticationException": 3,
    "java.util.concurrent.CancellationException": 9,
    "java.lang.ClassCastException": 10,
    "java.lang.ClassNotFoundException": 11,
    DESTROYED: 15,
    "java.util.concurrent.ExecutionException": 19,
    f"{_CORE}HazelcastException": 20,
    f"{_CORE}HazelcastInstanceNotActiveException": 21,
    OVERLOAD: 22,
    "com.hazelcast.nio.serialization.HazelcastSerializationException": 23,
    "java.io.IOException": 24,
    ILLEGAL_ARGUMENT: 25,
    ILLEGAL_MONITOR_STATE: 28,
    "java.lang.IllegalStateException": 29,
    INDEX_OUT_OF_BOUNDS: 31,
    f"{_CORE}MemberLeftException": 35,
    NO_SUCH_ELEMENT: 37,
    "java.lang.NullPointerException": 39,
    OPERATION_TIMEOUT: 40,
    f"{_SPI}PartitionMigratingException": 41,
    QUERY: 42,
    "com.hazelcast.map.QueryResultSizeExceededException": 43,
    "com.hazelcast.quorum.QuorumException": 44,
    REACHED_MAX_SIZE: 45,
    "java.util.concurrent.RejectedExecutionException": 46,
    RETRYABLE: 49,
    f"{_SPI}RetryableIOException": 50,
    "java.lang.RuntimeException": 51,
    "java.lang.SecurityException": 52,
    STALE_SEQUENCE: 54,
    f"{_SPI}TargetDisconnectedException": 55,
    f"{_SPI}TargetNotMemberException": 56,
    "java.util.concurrent.TimeoutException": 57,
    "com.hazelcast.topic.TopicOverloadException": 58,
    UNSUPPORTED: 65,
    f"{_SPI}WrongTargetException": 66,
    "java.security.AccessControlException": 68,
}
"""Error code of the protocol by Java class: `ClientProtocolErrorCodes` of Hazelcast 3.12."""


def refuse(java_class: str, text: str) -> HazelcastError:
    """Return the error that a client receives as a Java exception of a class.

    Args:
        java_class: Name of the class.
        text: The message.

    Returns:
        The error, with code 0 (`UNDEFINED`) if the protocol has no code for the class.
    """
    error = HazelcastError(text, java_class)
    error.code = CODES.get(java_class, 0)
    return error
