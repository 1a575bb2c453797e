# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
"""Batches of the echo protocol of tests/kit: compiled, as those of real protocols are."""

from cpython.bytearray cimport PyByteArray_AS_STRING, PyByteArray_FromStringAndSize
from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.string cimport memcmp, memcpy

cdef extern from "<endian.h>" nogil:
    uint32_t htobe32(uint32_t)
    uint64_t htobe64(uint64_t)

cdef enum:
    LENGTH = 4
    ID = 8
    HEADER = LENGTH + ID
    PIECE = 16


def encode(const uint8_t[:, ::1] payloads not None, uint64_t id_):
    cdef Py_ssize_t count = payloads.shape[0], size = payloads.shape[1], row, left
    cdef bytearray frames = PyByteArray_FromStringAndSize(NULL, count * (HEADER + size))
    cdef char *out = PyByteArray_AS_STRING(frames)
    cdef uint32_t length = htobe32(<uint32_t>(ID + size))
    cdef uint64_t stated
    cdef const uint8_t *given = &payloads[0, 0] if count and size else NULL
    for row in range(count):
        stated = htobe64(id_ + <uint64_t>row)
        memcpy(out, &length, LENGTH)
        memcpy(out + LENGTH, &stated, ID)
        out += HEADER
        left = size
        while left >= PIECE:  # a size known here is no call
            memcpy(out, given, PIECE)
            out, given, left = out + PIECE, given + PIECE, left - PIECE
        if left:
            memcpy(out, given, left)
            out, given = out + left, given + left
    return frames


def following(const uint8_t[::1] data not None, Py_ssize_t at, Py_ssize_t size, uint64_t id_,
              Py_ssize_t most):
    cdef uint32_t length = htobe32(<uint32_t>(ID + size))
    cdef uint64_t stated
    cdef Py_ssize_t count = 0
    while count < most and data.shape[0] - at >= HEADER + size:
        stated = htobe64(id_ + <uint64_t>count)
        if memcmp(&data[at], &length, LENGTH) or memcmp(&data[at + LENGTH], &stated, ID):
            break
        at += HEADER + size
        count += 1
    return count
