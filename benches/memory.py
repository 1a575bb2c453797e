"""Memory of a bulk decode: the work of one rival, in a separate process.

python -m benches.memory WHAT RIVAL < INPUT

It prints a `Measurement`, as JSON, and a hash of the decoded values.
"""

from __future__ import annotations

import gc
import hashlib
import os
import subprocess
import sys
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np
import orjson
import pyarrow as pa

from benches.harness import Measurement, PreparedRun, in_process
from jvmwire import codec
from kit.environment import PYTHONPATH
from kit.memory_peaks import forget_peak_of_this, peak_of_this, resident
from reference.cython import framing as cython_framing
from reference.cython import mutf8 as cython_mutf8
from reference.cython import varint as cython_varint
from reference.plain import framing as plain_framing
from reference.plain import mutf8 as plain_mutf8
from reference.plain import varint as plain_varint

if TYPE_CHECKING:
    from collections.abc import Callable

LIMIT = 1 << 20


def _frames(framing: Any) -> Callable[[bytes], Any]:
    one = framing.Framing("big", includes_itself=False, limit=LIMIT)
    return lambda data: one.decode_all(data)[0]


RIVALS: dict[str, dict[str, Callable[[bytes], Any]]] = {
    "varints": {
        "jvmwire, Arrow": codec.UNSIGNED64.decode_all,
        "Cython, array": cython_varint.Unsigned64.decode_all,
        "Python, array": plain_varint.Unsigned64.decode_all,
    },
    "frames": {
        "jvmwire, Arrow": lambda data: codec.Framing.length(limit=LIMIT).decode_all(data)[0],
        "Cython, list": _frames(cython_framing),
        "Python, list": _frames(plain_framing),
    },
    "texts": {
        "jvmwire, Arrow": codec.JAVA_UTF.decode_all,
        "Cython, list": cython_mutf8.decode_all_utf,
        "Python, list": plain_mutf8.decode_all_utf,
    },
}
"""Decoders of bytes, by the contents of the bytes."""


def digest(decoded: Any) -> str:
    """Hash numbers, bytes or texts in any container."""
    values = pa.array(decoded) if hasattr(decoded, "__arrow_c_array__") else decoded
    if isinstance(values, pa.BinaryArray | pa.StringArray):
        values = values.to_pylist()
    if not isinstance(values, list):
        return hashlib.sha256(np.asarray(values).tobytes()).hexdigest()
    hashed = hashlib.sha256()
    for value in values:
        encoded = value.encode() if isinstance(value, str) else value
        hashed.update(len(encoded).to_bytes(8) + encoded)
    return hashed.hexdigest()


def in_its_own_process(what: str, rival: str, data: bytes) -> PreparedRun:
    """Prepare `rival` to decode `data` in a separate process."""
    told: dict[str, Any] = {}
    environment = os.environ | {"PYTHONPATH": PYTHONPATH}

    def run() -> Measurement:
        command = [sys.executable, "-m", "benches.memory", what, rival]
        told.update(orjson.loads(subprocess.check_output(command, input=data, env=environment)))
        return Measurement(**told["round"])

    return PreparedRun(run, lambda: told["digest"])


def main(what: str, rival: str) -> None:
    """Decode standard input."""
    decode = RIVALS[what][rival]
    data = sys.stdin.buffer.read()
    decode(data[:0])  # parts that are loaded at the first call
    gc.collect()
    forget_peak_of_this()
    before = resident(os.getpid())
    work = in_process(lambda: decode(data), len(data) / 1e6)
    taken = work.run()
    peak = peak_of_this() - before
    told = Measurement(taken.amount, taken.wall, taken.cpu, peak)
    print(orjson.dumps({"round": asdict(told), "digest": digest(work.result())}).decode())


if __name__ == "__main__":
    main(*sys.argv[1:])
