"""Strict modified UTF-8, as `DataInput.readUTF` reads and `DataOutput.writeUTF` writes it.

Strict: a surrogate without its other half is refused. A raw NUL and overlong forms are accepted.
"""

from __future__ import annotations

import re

from jvmwire.errors import DecodeError

LENGTH_LEN = 2

_NO_LEADS = bytes(range(0xF0, 0x100))
"""Bytes that begin a four-byte form, or are invalid."""
_SUPPLEMENTARY = re.compile("[\U00010000-\U0010ffff]")


def decode(data: bytes) -> str:
    """Decode text; the error names the first fault."""
    if not _has_four_byte_form(data):
        try:
            text = data.replace(b"\xc0\x80", b"\0").decode("utf-8", "surrogatepass")
            if b"\xed" in data:  # there may be surrogates: join the pairs
                text = text.encode("utf-16", "surrogatepass").decode("utf-16")
        except UnicodeDecodeError:  # overlong, or invalid
            pass
        else:
            return text
    return _decode_units(data)


def encode(text: str) -> bytes:
    """Encode text; raise `UnicodeEncodeError` if a surrogate stands alone."""
    encoded = text.encode()  # which refuses it too
    if _has_four_byte_form(encoded):
        encoded = _SUPPLEMENTARY.sub(_pair, text).encode("utf-8", "surrogatepass")
    return encoded.replace(b"\0", b"\xc0\x80")


def decode_utf(data: bytes, offset: int = 0) -> tuple[str, int]:
    """Decode text after its length: return it and where it ends."""
    start = offset + LENGTH_LEN
    end = start + int.from_bytes(data[offset:start])
    if max(start, end) > len(data):
        raise DecodeError("the input ends in it", "text", offset)
    try:
        return decode(data[start:end]), end
    except DecodeError as error:
        raise DecodeError(str(error), "text", start + (error.offset or 0)) from error


def decode_all_utf(data: bytes) -> list[str]:
    """Decode texts, one after the other."""
    texts = []
    offset = 0
    while offset < len(data):
        text, offset = decode_utf(data, offset)
        texts.append(text)
    return texts


def encode_utf(text: str) -> bytes:
    """Encode text after its length."""
    encoded = encode(text)
    if len(encoded) > 0xFFFF:
        raise ValueError(f"{len(encoded)} bytes do not fit where 65535 are allowed")
    return len(encoded).to_bytes(LENGTH_LEN) + encoded


def _has_four_byte_form(data: bytes) -> bool:
    return len(data.translate(None, _NO_LEADS)) < len(data)


def _pair(match: re.Match[str]) -> str:
    beyond = ord(match[0]) - 0x10000
    return chr(0xD800 | beyond >> 10) + chr(0xDC00 | beyond & 0x3FF)


def _decode_units(data: bytes) -> str:
    """Decode one UTF-16 unit at a time, to locate the fault."""
    letters = []
    at = 0
    while at < len(data):
        unit, end = _unit(data, at)
        if 0xD800 <= unit < 0xE000:
            try:
                low, after = _unit(data, end)
            except DecodeError:
                low, after = 0, end
            if unit >= 0xDC00 or not 0xDC00 <= low < 0xE000:
                raise DecodeError("a lone surrogate", "text", at)
            unit = 0x10000 + (unit - 0xD800 << 10) + low - 0xDC00
            end = after
        letters.append(chr(unit))
        at = end
    return "".join(letters)


def _unit(data: bytes, at: int) -> tuple[int, int]:
    first, *rest = [*data[at : at + 3], 0, 0, 0][:3]
    continues = [byte & 0xC0 == 0x80 for byte in rest]
    if at < len(data) and first < 0x80:
        return first, at + 1
    if first & 0xE0 == 0xC0 and continues[0]:
        return (first & 0x1F) << 6 | rest[0] & 0x3F, at + 2
    if first & 0xF0 == 0xE0 and all(continues):
        return (first & 0x0F) << 12 | (rest[0] & 0x3F) << 6 | rest[1] & 0x3F, at + 3
    raise DecodeError("not modified UTF-8", "text", at)
