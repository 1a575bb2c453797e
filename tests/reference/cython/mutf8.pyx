# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
"""Modified UTF-8: what `DataInput.readUTF` takes and `DataOutput.writeUTF` makes, strictly.

What is UTF-8 as it stands goes through CPython's own decoder and encoder, which are the fastest
there are without SIMD of our own; the rest is read twice, to know the kind of `str`, then to fill it.
"""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize, PyBytes_GET_SIZE
from cpython.unicode cimport PyUnicode_AsUTF8String, PyUnicode_DecodeUTF8
from libc.stdint cimport int32_t, uint8_t, uint32_t
from libc.string cimport memchr, memcpy

from jvmwire.errors import DecodeError

cdef extern from "Python.h":
    object PyUnicode_New(Py_ssize_t size, uint32_t highest)
    int PyUnicode_KIND(object)
    void *PyUnicode_DATA(object)
    Py_ssize_t PyUnicode_GET_LENGTH(object)
    uint32_t PyUnicode_READ(int kind, void *data, Py_ssize_t index)
    void PyUnicode_WRITE(int kind, void *data, Py_ssize_t index, uint32_t value)
    Py_ssize_t PyUnicode_FindChar(object, uint32_t, Py_ssize_t, Py_ssize_t, int)

cdef enum:
    LENGTH_LEN = 2
    NOT_TEXT = -1
    LONE_SURROGATE = -2


def decode(data):
    """Decode text; of what is wrong, name the first."""
    cdef const uint8_t[::1] view
    if type(data) is bytes:  # no buffer to ask for and to give back
        return _decode(<const uint8_t *>PyBytes_AS_STRING(data), PyBytes_GET_SIZE(data), 0)
    view = data
    return _decode(&view[0] if view.shape[0] else NULL, view.shape[0], 0)


def encode(str text not None):
    """Encode text; `UnicodeEncodeError` if a surrogate stands alone."""
    return _encode(text)


def decode_utf(data, Py_ssize_t offset=0):
    """Decode text behind its length: return it and where it ends."""
    cdef const uint8_t[::1] view
    cdef const uint8_t *start
    cdef Py_ssize_t size, length
    if type(data) is bytes:  # no buffer to ask for and to give back
        start, size = <const uint8_t *>PyBytes_AS_STRING(data), PyBytes_GET_SIZE(data)
    else:
        view = data
        start, size = &view[0] if view.shape[0] else NULL, view.shape[0]
    length = _length(start, size, offset)
    offset += LENGTH_LEN
    return _decode(start + offset, length, offset), offset + length


def decode_all_utf(const uint8_t[::1] data not None):
    """Decode texts, one after the other."""
    cdef const uint8_t *start = &data[0] if data.shape[0] else NULL
    cdef Py_ssize_t size = data.shape[0], offset = 0, length
    cdef list texts = []
    while offset < size:
        length = _length(start, size, offset)
        offset += LENGTH_LEN
        texts.append(_decode(start + offset, length, offset))
        offset += length
    return texts


def encode_utf(str text not None):
    """Encode text behind its length."""
    cdef bytes encoded = _encode(text)
    cdef Py_ssize_t length = PyBytes_GET_SIZE(encoded)
    if length > 0xFFFF:
        raise ValueError(f"{length} bytes do not fit where 65535 are allowed")
    cdef bytes wire = PyBytes_FromStringAndSize(NULL, LENGTH_LEN + length)
    cdef char *out = PyBytes_AS_STRING(wire)
    out[0] = <char>(length >> 8)
    out[1] = <char>length
    memcpy(out + LENGTH_LEN, PyBytes_AS_STRING(encoded), length)
    return wire


cdef inline Py_ssize_t _length(const uint8_t *data, Py_ssize_t size, Py_ssize_t offset) except -1:
    """Return how long the text at `offset` is."""
    cdef Py_ssize_t rest = size - offset - LENGTH_LEN
    cdef Py_ssize_t length
    if offset >= 0 and rest >= 0:
        length = data[offset] << 8 | data[offset + 1]
        if length <= rest:
            return length
    raise DecodeError("the input ends in it", "text", offset)


cdef str _decode(const uint8_t *data, Py_ssize_t size, Py_ssize_t offset):
    cdef str text
    if size == 0:
        return ""
    if memchr(data, 0xC0, size) == NULL and memchr(data, 0xED, size) == NULL:
        try:
            text = PyUnicode_DecodeUTF8(<const char *>data, size, NULL)
        except UnicodeDecodeError:  # overlong, or wrong
            pass
        else:
            if PyUnicode_KIND(text) < 4:  # else it has four-byte forms
                return text
    return _decode_units(data, size, offset)


cdef str _decode_units(const uint8_t *data, Py_ssize_t size, Py_ssize_t offset):
    cdef Py_ssize_t at = 0, count = 0
    cdef int32_t letter
    cdef uint32_t highest = 0
    while at < size:
        letter = _letter(data, size, &at)
        if letter < 0:
            what = "not modified UTF-8" if letter == NOT_TEXT else "a lone surrogate"
            raise DecodeError(what, "text", offset + at)
        highest |= <uint32_t>letter
        count += 1
    text = PyUnicode_New(count, highest if highest < 0x110000 else 0x10FFFF)
    cdef int kind = PyUnicode_KIND(text)
    cdef void *out = PyUnicode_DATA(text)
    at = 0
    for index in range(count):
        PyUnicode_WRITE(kind, out, index, _letter(data, size, &at))
    return text


cdef inline int32_t _letter(const uint8_t *data, Py_ssize_t size, Py_ssize_t *at) noexcept:
    """Read a letter and step over it; stay if there is none."""
    cdef int32_t low, high = _unit(data, size, at)
    cdef Py_ssize_t start
    if not 0xD800 <= high < 0xE000:
        return high
    start = at[0]
    low = _unit(data, size, at) if high < 0xDC00 else 0
    if 0xDC00 <= low < 0xE000:
        return 0x10000 + ((high - 0xD800) << 10) + low - 0xDC00
    at[0] = start - 3
    return LONE_SURROGATE


cdef inline int32_t _unit(const uint8_t *data, Py_ssize_t size, Py_ssize_t *at) noexcept:
    cdef Py_ssize_t here = at[0]
    cdef int32_t first
    if here >= size:
        return NOT_TEXT
    first = data[here]
    if first < 0x80:
        at[0] = here + 1
        return first
    if first & 0xE0 == 0xC0 and here + 1 < size and data[here + 1] & 0xC0 == 0x80:
        at[0] = here + 2
        return (first & 0x1F) << 6 | data[here + 1] & 0x3F
    if (
        first & 0xF0 == 0xE0
        and here + 2 < size
        and data[here + 1] & 0xC0 == 0x80
        and data[here + 2] & 0xC0 == 0x80
    ):
        at[0] = here + 3
        return (first & 0x0F) << 12 | (data[here + 1] & 0x3F) << 6 | data[here + 2] & 0x3F
    return NOT_TEXT


cdef bytes _encode(str text):
    cdef int kind = PyUnicode_KIND(text)
    cdef void *letters = PyUnicode_DATA(text)
    cdef Py_ssize_t count = PyUnicode_GET_LENGTH(text), size = 0, index
    cdef uint32_t letter
    if kind < 4 and PyUnicode_FindChar(text, 0, 0, count, 1) < 0:
        return PyUnicode_AsUTF8String(text)
    for index in range(count):
        letter = PyUnicode_READ(kind, letters, index)
        if letter < 0x80:
            size += 1 if letter else 2
        elif letter < 0x800:
            size += 2
        elif letter < 0x10000:
            if 0xD800 <= letter < 0xE000:
                return PyUnicode_AsUTF8String(text)  # which says what is wrong
            size += 3
        else:
            size += 6
    cdef bytes encoded = PyBytes_FromStringAndSize(NULL, size)
    cdef uint8_t *out = <uint8_t *>PyBytes_AS_STRING(encoded)
    for index in range(count):
        letter = PyUnicode_READ(kind, letters, index)
        if 0 < letter < 0x80:
            out[0] = <uint8_t>letter
            out += 1
        elif letter < 0x800:
            out[0] = <uint8_t>(0xC0 | letter >> 6)
            out[1] = <uint8_t>(0x80 | letter & 0x3F)
            out += 2
        elif letter < 0x10000:
            out = _put_unit(out, letter)
        else:
            letter -= 0x10000
            out = _put_unit(out, 0xD800 | letter >> 10)
            out = _put_unit(out, 0xDC00 | letter & 0x3FF)
    return encoded


cdef inline uint8_t *_put_unit(uint8_t *out, uint32_t unit) noexcept:
    out[0] = <uint8_t>(0xE0 | unit >> 12)
    out[1] = <uint8_t>(0x80 | unit >> 6 & 0x3F)
    out[2] = <uint8_t>(0x80 | unit & 0x3F)
    return out + 3
