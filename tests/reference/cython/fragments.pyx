# cython: language_level=3
"""Messages that come in pieces: one after the other on a stream, or many at once, by their ids.

Keeps the pieces, which are immutable, and copies each once, when its message is whole.
"""

from libc.stdint cimport int64_t

from jvmwire.errors import DecodeError

cdef enum:
    STREAM_BEGINS = 0
    STREAM_ENDS = 2
    BEGINS = 0x80
    ENDS = 0x40


cdef class StreamAssembler:
    """Joins fragments where a message ends before the next begins."""

    cdef Py_ssize_t limit, length, offset
    cdef list pieces

    def __init__(self, *, Py_ssize_t limit):
        self.limit = limit
        self.pieces = []

    def push(self, int flag, bytes fragment not None):
        """Take a fragment, and return the message that it ends."""
        cdef Py_ssize_t at = self.offset
        cdef Py_ssize_t length = self.length + len(fragment)
        self.offset += len(fragment)
        if (flag == STREAM_BEGINS) == (len(self.pieces) > 0):
            raise DecodeError("a fragment out of order", "fragment", at, flag)
        if length > self.limit:
            raise DecodeError(f"{length} bytes", "bytes of a fragmented message", at, length)
        self.pieces.append(fragment)
        self.length = length
        if flag != STREAM_ENDS:
            return None
        message = b"".join(self.pieces)
        self.pieces.clear()
        self.length = 0
        return message


cdef class Message:
    cdef list pieces
    cdef Py_ssize_t length


cdef class KeyedAssembler:
    """Joins fragments that say which message they belong to, where messages may interleave."""

    cdef Py_ssize_t limit, total_limit, open_limit, buffered, offset
    cdef dict messages

    def __init__(self, *, Py_ssize_t limit, Py_ssize_t total_limit, Py_ssize_t open_limit):
        self.limit = limit
        self.total_limit = total_limit
        self.open_limit = open_limit
        self.messages = {}

    def push(self, correlation_id, int flags, bytes fragment not None):
        """Take a fragment of a message, and return the message if this ends it."""
        cdef Py_ssize_t at = self.offset
        cdef Py_ssize_t length = len(fragment)
        cdef Py_ssize_t total = self.buffered + length
        cdef Py_ssize_t count = len(self.messages)
        cdef Message message = self.messages.get(correlation_id)
        self.offset += length
        if bool(flags & BEGINS) == (message is not None):
            raise DecodeError("a fragment out of order", "fragment", at, correlation_id)
        if message is not None:
            length += message.length
        if length > self.limit:
            raise DecodeError(f"{length} bytes", "bytes of a fragmented message", at, length)
        if message is None and flags & ENDS:
            return fragment
        if total > self.total_limit:
            raise DecodeError(f"{total} bytes", "bytes of all open messages", at, total)
        if message is None:
            if count + 1 > self.open_limit:
                raise DecodeError(f"{count + 1} messages", "open messages", at, count + 1)
            message = Message.__new__(Message)
            message.pieces = []
            self.messages[correlation_id] = message
        message.pieces.append(fragment)
        message.length = length
        self.buffered = total
        if not flags & ENDS:
            return None
        self.buffered -= length
        del self.messages[correlation_id]
        return b"".join(message.pieces)
