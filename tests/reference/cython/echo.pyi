import numpy as np
import numpy.typing as npt

def encode(payloads: npt.NDArray[np.uint8], id_: int) -> bytearray:
    """Return a frame of each row of `payloads`; their ids begin with `id_`."""

def following(data: bytes | bytearray | memoryview, at: int, size: int, id_: int, most: int) -> int:
    """Return the number of complete frames from `at` on with payloads of `size` and ids from `id_`
    on.
    """
