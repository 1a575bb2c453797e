# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
"""Pravega's appends: events in blocks, an `AppendBlockEnd` each."""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize, PyBytes_GET_SIZE
from cpython.list cimport PyList_GET_ITEM, PyList_GET_SIZE
from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t
from libc.string cimport memcpy

cdef enum:
    BLOCK_END = 4
    HEADER_LEN = 8
    UUID_LEN = 16
    BEGIN_LEN = 32
    END_LEN = 20


def encode_blocks(
    list events not None, bytes writer_id not None, int64_t last, int64_t request_id,
    Py_ssize_t limit,
):
    """Return appends of up to `limit` bytes each, or of one event that is larger."""
    cdef Py_ssize_t count = PyList_GET_SIZE(events), at = 0, first, size, length
    cdef bytes event, block
    cdef char *out
    cdef list blocks = []
    if PyBytes_GET_SIZE(writer_id) != UUID_LEN:
        raise ValueError(writer_id)
    while at < count:
        first, size = at, 0
        while at < count:
            event = <bytes?>events[at]
            length = HEADER_LEN + PyBytes_GET_SIZE(event)
            if size + length > limit and at > first:
                break
            size += length
            at += 1
        block = PyBytes_FromStringAndSize(NULL, BEGIN_LEN + size + END_LEN)
        out = PyBytes_AS_STRING(block)
        out = put32(out, BLOCK_END)
        out = put32(out, <int32_t>(BEGIN_LEN - HEADER_LEN + size + END_LEN))
        memcpy(out, PyBytes_AS_STRING(writer_id), UUID_LEN)
        out = put32(put32(out + UUID_LEN, <int32_t>size), <int32_t>size)
        for index in range(first, at):
            event = <bytes>PyList_GET_ITEM(events, index)
            length = PyBytes_GET_SIZE(event)
            out = put32(put32(out, 0), <int32_t>length)
            memcpy(out, PyBytes_AS_STRING(event), length)
            out += length
        last += at - first
        put64(put64(put32(out, <int32_t>(at - first)), last), request_id)
        blocks.append(block)
    return blocks


cdef inline char *put32(char *out, int32_t value) noexcept:
    cdef uint32_t number = <uint32_t>value
    number = number << 24 | (number & 0xFF00) << 8 | number >> 8 & 0xFF00 | number >> 24
    memcpy(out, &number, 4)
    return out + 4


cdef inline char *put64(char *out, int64_t value) noexcept:
    return put32(put32(out, <int32_t>(value >> 32)), <int32_t>value)
