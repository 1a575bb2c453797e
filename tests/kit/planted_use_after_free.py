"""A program that hands the core an Arrow array whose memory it has freed, for `make asan`.

The fault is this program's own, which the core cannot tell. The core then reads freed memory: if
AddressSanitizer does not stop this program, it does not watch the core.
"""

import ctypes

import pyarrow as pa

from jvmwire import codec

_VALUES = 1000


def main() -> None:
    """Encode numbers that were freed."""
    libc = ctypes.CDLL(None)
    libc.malloc.restype = ctypes.c_void_p
    libc.malloc.argtypes = [ctypes.c_size_t]
    libc.free.argtypes = [ctypes.c_void_p]
    size = 8 * _VALUES
    address = libc.malloc(size)
    ctypes.memset(address, 1, size)
    buffer = pa.foreign_buffer(address, size)
    numbers = pa.Array.from_buffers(pa.uint64(), _VALUES, [None, buffer])
    libc.free(address)
    codec.UNSIGNED64.encode_all(numbers)


if __name__ == "__main__":
    main()
