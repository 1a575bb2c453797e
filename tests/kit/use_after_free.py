"""Read of freed memory by the extension, which AddressSanitizer must report.

An Arrow producer breaks its contract: the memory of its array was that of a `bytes` object, which
no longer exists. The object is small, so the sanitizer detects only with `PYTHONMALLOC=malloc` that
the memory is free.
"""

import struct

import pyarrow as pa

from jvmwire import codec
from kit.arrow_c_data import exported


def freed_address(length: int) -> int:
    """Return the address of `length` bytes of an object that no longer exists."""
    owner = bytes(bytearray(length))
    return id(owner) + bytes.__basicsize__ - 1


if __name__ == "__main__":
    numbers = pa.array([1, 2, 3], pa.int64())
    buffers = struct.pack("2P", 0, freed_address(8 * len(numbers)))
    codec.VLONG.encode_all(exported(numbers, array_buffers=buffers))
