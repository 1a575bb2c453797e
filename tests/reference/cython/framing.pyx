# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
"""Frames: a four-byte length, which may count itself, and so many bytes."""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize, PyBytes_GET_SIZE
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t
from libc.string cimport memcpy

from jvmwire.errors import DecodeError

cdef enum:
    HEADER_LEN = 4
    INCOMPLETE = -1
    WRONG = -2


cdef class Framing:
    """How frames are told apart; `byte_order` is of the length, "big" or "little"."""

    cdef bint little
    cdef int64_t counted, limit

    def __init__(self, str byte_order, *, bint includes_itself, int64_t limit):
        if byte_order not in ("big", "little"):
            raise ValueError(byte_order)
        self.little = byte_order == "little"
        self.limit = limit
        self.counted = HEADER_LEN if includes_itself else 0

    def encode(self, const uint8_t[::1] payload not None):
        cdef Py_ssize_t length = payload.shape[0]
        if length + self.counted > 0x7FFFFFFF:
            raise ValueError(f"{length} bytes do not fit an int")
        cdef bytes frame = PyBytes_FromStringAndSize(NULL, HEADER_LEN + length)
        cdef char *out = PyBytes_AS_STRING(frame)
        cdef uint32_t stated = self.ordered(<uint32_t>(length + self.counted))
        memcpy(out, &stated, HEADER_LEN)
        if length:
            memcpy(out + HEADER_LEN, &payload[0], length)
        return frame

    def decode(self, data, Py_ssize_t offset=0):
        """Return the payload at `offset` and where it ends, or `None` if it is not whole."""
        cdef const uint8_t[::1] view
        cdef const uint8_t *start
        cdef Py_ssize_t size
        if type(data) is bytes:  # no buffer to ask for and to give back
            start, size = <const uint8_t *>PyBytes_AS_STRING(data), PyBytes_GET_SIZE(data)
        else:
            view = data
            start, size = &view[0] if view.shape[0] else NULL, view.shape[0]
        cdef int64_t length = self.payload(start, size, offset)
        if length < 0:
            if length == WRONG:
                raise self.wrong(start, offset)
            return None
        offset += HEADER_LEN
        return PyBytes_FromStringAndSize(<const char *>start + offset, length), offset + length

    def decode_all(self, const uint8_t[::1] data not None):
        """Return the payloads of all whole frames, and how many bytes these take."""
        cdef const uint8_t *start = &data[0] if data.shape[0] else NULL
        cdef Py_ssize_t size = data.shape[0], offset = 0
        cdef int64_t length
        cdef list payloads = []
        while True:
            length = self.payload(start, size, offset)
            if length < 0:
                break
            offset += HEADER_LEN
            payloads.append(PyBytes_FromStringAndSize(<const char *>start + offset, length))
            offset += length
        if length == WRONG:
            raise self.wrong(start, offset)
        return payloads, offset

    cdef inline uint32_t ordered(self, uint32_t length) noexcept:
        if self.little:
            return length
        return length << 24 | (length & 0xFF00) << 8 | length >> 8 & 0xFF00 | length >> 24

    cdef inline int64_t stated(self, const uint8_t *data, Py_ssize_t offset) noexcept:
        cdef uint32_t length
        memcpy(&length, data + offset, HEADER_LEN)
        return <int64_t><int32_t>self.ordered(length) - self.counted

    cdef inline int64_t payload(
        self, const uint8_t *data, Py_ssize_t size, Py_ssize_t offset
    ) noexcept:
        """Return how long the payload at `offset` is, or why there is none."""
        cdef int64_t length
        if not 0 <= offset <= size - HEADER_LEN:
            return INCOMPLETE
        length = self.stated(data, offset)
        if not 0 <= length <= self.limit:
            return WRONG
        return length if length <= size - offset - HEADER_LEN else INCOMPLETE

    cdef wrong(self, const uint8_t *data, Py_ssize_t offset):
        return DecodeError(f"{self.stated(data, offset)} bytes are stated", "frame length", offset)
