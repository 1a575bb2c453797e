# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""Varints: base-128 (protobuf) and Hadoop's VLong."""

from cpython cimport array
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize, PyBytes_GET_SIZE
from cpython.long cimport PyLong_AsLongLong, PyLong_AsUnsignedLongLong
from cpython.object cimport PyObject
from cpython.ref cimport Py_DECREF
from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t

import array

from jvmwire.errors import DecodeError

cdef extern from "Python.h":
    PyObject *new_bytes "PyBytes_FromStringAndSize"(const char *, Py_ssize_t) except NULL
    char *start_of "PyBytes_AS_STRING"(PyObject *)
    int _PyBytes_Resize(PyObject **, Py_ssize_t) except -1

cdef enum:
    MAX_LEN = 10
    MAX_VLONG_LEN = 9
    TORN = -1
    ENDLESS = -2

cdef array.array UINT64S = array.array("Q")
cdef array.array INT64S = array.array("q")
cdef array.array INT32S = array.array("i")


cdef class Unsigned64:
    """Base-128, the low bits first."""

    @staticmethod
    def encode(value):
        return _encode(_uint64(value))

    @staticmethod
    def decode(data, Py_ssize_t offset=0):
        cdef uint64_t value
        offset = _decode(data, offset, &value)
        return value, offset

    @staticmethod
    def encode_all(const uint64_t[::1] values):
        cdef Py_ssize_t i, count = values.shape[0]
        cdef PyObject *out = new_bytes(NULL, count * MAX_LEN)
        cdef uint8_t *start = <uint8_t *>start_of(out)
        cdef uint8_t *at = start
        for i in range(count):
            at = _put(at, values[i])
        return _shortened(out, at - start)

    @staticmethod
    def decode_all(const uint8_t[::1] data):
        cdef Py_ssize_t length = data.shape[0]
        cdef const uint8_t *start = &data[0] if length else NULL
        cdef Py_ssize_t count = _terminators(start, length)
        cdef array.array values = array.clone(UINT64S, count, zero=False)
        cdef uint64_t *out = <uint64_t *>values.data.as_ulonglongs
        cdef Py_ssize_t offset = 0, i
        for i in range(count):
            offset = _next(start, length, offset, &out[i])
        _check_end(start, length, offset)
        return values


cdef class ZigZag64:
    """Base-128 of the value with its sign in the lowest bit."""

    @staticmethod
    def encode(value):
        return _encode(_zigzag(_int64(value)))

    @staticmethod
    def decode(data, Py_ssize_t offset=0):
        cdef uint64_t value
        offset = _decode(data, offset, &value)
        return _unzigzag(value), offset

    @staticmethod
    def encode_all(const int64_t[::1] values):
        cdef Py_ssize_t i, count = values.shape[0]
        cdef PyObject *out = new_bytes(NULL, count * MAX_LEN)
        cdef uint8_t *start = <uint8_t *>start_of(out)
        cdef uint8_t *at = start
        for i in range(count):
            at = _put(at, _zigzag(values[i]))
        return _shortened(out, at - start)

    @staticmethod
    def decode_all(const uint8_t[::1] data):
        cdef Py_ssize_t length = data.shape[0]
        cdef const uint8_t *start = &data[0] if length else NULL
        cdef Py_ssize_t count = _terminators(start, length)
        cdef array.array values = array.clone(INT64S, count, zero=False)
        cdef long long *out = values.data.as_longlongs
        cdef uint64_t value
        cdef Py_ssize_t offset = 0, i
        for i in range(count):
            offset = _next(start, length, offset, &value)
            out[i] = _unzigzag(value)
        _check_end(start, length, offset)
        return values


cdef class ProtobufInt32:
    """Base-128 of the value with its sign drawn out to 64 bits, as protobuf has it."""

    @staticmethod
    def encode(value):
        return _encode(<uint64_t><int64_t>_int32(value))

    @staticmethod
    def decode(data, Py_ssize_t offset=0):
        cdef uint64_t value
        offset = _decode(data, offset, &value)
        return <int32_t>value, offset

    @staticmethod
    def encode_all(const int32_t[::1] values):
        cdef Py_ssize_t i, count = values.shape[0]
        cdef PyObject *out = new_bytes(NULL, count * MAX_LEN)
        cdef uint8_t *start = <uint8_t *>start_of(out)
        cdef uint8_t *at = start
        for i in range(count):
            at = _put(at, <uint64_t><int64_t>values[i])
        return _shortened(out, at - start)

    @staticmethod
    def decode_all(const uint8_t[::1] data):
        cdef Py_ssize_t length = data.shape[0]
        cdef const uint8_t *start = &data[0] if length else NULL
        cdef Py_ssize_t count = _terminators(start, length)
        cdef array.array values = array.clone(INT32S, count, zero=False)
        cdef int *out = values.data.as_ints
        cdef uint64_t value
        cdef Py_ssize_t offset = 0, i
        for i in range(count):
            offset = _next(start, length, offset, &value)
            out[i] = <int32_t>value
        _check_end(start, length, offset)
        return values


cdef class VLong:
    """Hadoop's `WritableUtils.writeVLong`: a byte; or sign and length in one, then the value."""

    @staticmethod
    def encode(value):
        cdef uint8_t out[MAX_VLONG_LEN]
        return PyBytes_FromStringAndSize(<char *>out, _put_vlong(out, _int64(value)) - out)

    @staticmethod
    def decode(data, Py_ssize_t offset=0):
        cdef int64_t value
        cdef Py_ssize_t end
        cdef const uint8_t[::1] view
        if type(data) is bytes:
            end = _vlong(<const uint8_t *>PyBytes_AS_STRING(data), PyBytes_GET_SIZE(data), offset, &value)
        else:
            view = data
            end = _vlong(&view[0] if view.shape[0] else NULL, view.shape[0], offset, &value)
        if end < 0:
            raise _wrong(end, offset)
        return value, end

    @staticmethod
    def encode_all(const int64_t[::1] values):
        cdef Py_ssize_t i, count = values.shape[0]
        cdef PyObject *out = new_bytes(NULL, count * MAX_VLONG_LEN)
        cdef uint8_t *start = <uint8_t *>start_of(out)
        cdef uint8_t *at = start
        for i in range(count):
            at = _put_vlong(at, values[i])
        return _shortened(out, at - start)

    @staticmethod
    def decode_all(const uint8_t[::1] data):
        # How many they are is not seen without decoding: room for as many as there can be.
        cdef Py_ssize_t length = data.shape[0]
        cdef array.array values = array.clone(INT64S, length, zero=False)
        cdef int64_t *out = <int64_t *>values.data.as_longlongs
        cdef Py_ssize_t count = 0, offset = 0, end
        while offset < length:
            end = _vlong(&data[0], length, offset, &out[count])
            if end < 0:
                raise _wrong(end, offset)
            count += 1
            offset = end
        array.resize(values, count)
        return values


cdef inline Py_ssize_t _varint(
    const uint8_t *data, Py_ssize_t length, Py_ssize_t offset, uint64_t *out
) noexcept:
    """Read a varint; return where it ends, or what is wrong."""
    cdef uint64_t value, byte
    cdef int shift = 7
    if not 0 <= offset < length:
        return TORN
    value = data[offset]
    offset += 1
    if value < 0x80:
        out[0] = value
        return offset
    value &= 0x7F
    while shift < 7 * MAX_LEN:
        if offset == length:
            return TORN
        byte = data[offset]
        offset += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            out[0] = value
            return offset
        shift += 7
    return ENDLESS


cdef inline Py_ssize_t _decode(data, Py_ssize_t offset, uint64_t *value) except -1:
    cdef Py_ssize_t end
    cdef const uint8_t[::1] view
    if type(data) is bytes:  # no buffer to ask for and to give back
        end = _varint(<const uint8_t *>PyBytes_AS_STRING(data), PyBytes_GET_SIZE(data), offset, value)
    else:
        view = data
        end = _varint(&view[0] if view.shape[0] else NULL, view.shape[0], offset, value)
    if end < 0:
        raise _wrong(end, offset)
    return end


cdef inline Py_ssize_t _next(
    const uint8_t *data, Py_ssize_t length, Py_ssize_t offset, uint64_t *value
) except -1:
    cdef Py_ssize_t end = _varint(data, length, offset, value)
    if end < 0:
        raise _wrong(end, offset)
    return end


cdef inline Py_ssize_t _vlong(
    const uint8_t *data, Py_ssize_t length, Py_ssize_t offset, int64_t *out
) noexcept:
    cdef int first, size, i
    cdef uint64_t value = 0
    if not 0 <= offset < length:
        return TORN
    first = <signed char>data[offset]
    offset += 1
    if first >= -112:
        out[0] = first
        return offset
    size = -120 - first if first < -120 else -112 - first
    if length - offset < size:
        return TORN
    for i in range(size):
        value = value << 8 | data[offset + i]
    out[0] = <int64_t>~value if first < -120 else <int64_t>value
    return offset + size


cdef inline Py_ssize_t _terminators(const uint8_t *data, Py_ssize_t length) noexcept:
    cdef Py_ssize_t i, count = 0
    for i in range(length):
        count += data[i] < 0x80
    return count


cdef inline int _check_end(const uint8_t *data, Py_ssize_t length, Py_ssize_t offset) except -1:
    """After the last byte that ends a value there is nothing, or what does not end."""
    cdef uint64_t value
    if offset < length:
        _next(data, length, offset, &value)
    return 0


cdef inline uint8_t *_put(uint8_t *at, uint64_t value) noexcept:
    while value > 0x7F:
        at[0] = <uint8_t>(value & 0x7F | 0x80)
        at += 1
        value >>= 7
    at[0] = <uint8_t>value
    return at + 1


cdef inline uint8_t *_put_vlong(uint8_t *at, int64_t value) noexcept:
    cdef uint64_t magnitude
    cdef int size = 0, base = -112
    if -112 <= value <= 127:
        at[0] = <uint8_t>value
        return at + 1
    magnitude = <uint64_t>value
    if value < 0:
        magnitude = ~magnitude
        base = -120
    while size < 8 and magnitude >> (8 * size):
        size += 1
    at[0] = <uint8_t>(base - size)
    at += 1
    while size:
        size -= 1
        at[0] = <uint8_t>(magnitude >> (8 * size))
        at += 1
    return at


cdef inline bytes _encode(uint64_t value):
    cdef uint8_t out[MAX_LEN]
    return PyBytes_FromStringAndSize(<char *>out, _put(out, value) - out)


cdef inline bytes _shortened(PyObject *out, Py_ssize_t length):
    """Give back the room that was not needed."""
    _PyBytes_Resize(&out, length)
    made = <bytes>out
    Py_DECREF(made)
    return made


cdef inline uint64_t _zigzag(int64_t value) noexcept:
    return <uint64_t>value << 1 ^ <uint64_t>(value >> 63)


cdef inline int64_t _unzigzag(uint64_t value) noexcept:
    return <int64_t>(value >> 1 ^ (0 - (value & 1)))


cdef inline uint64_t _uint64(value) except? 1:
    try:
        return PyLong_AsUnsignedLongLong(value)
    except OverflowError as error:
        raise ValueError(f"{value} is no uint64") from error


cdef inline int64_t _int64(value) except? 1:
    try:
        return PyLong_AsLongLong(value)
    except OverflowError as error:
        raise ValueError(f"{value} is no int64") from error


cdef inline int32_t _int32(value) except? 1:
    cdef int64_t wide = _int64(value)
    if wide != <int32_t>wide:
        raise ValueError(f"{value} is no int32")
    return <int32_t>wide


cdef _wrong(Py_ssize_t problem, Py_ssize_t offset):
    message = "the input ends in it" if problem == TORN else "the varint does not end"
    return DecodeError(message, "varint", offset)
