"""Random inputs of the rivals: numbers, texts, frames and fragments.

They are long and mixed enough that no branch predictor learns them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

WIDTHS = {
    "uniform": ([7, 14, 21, 28, 35, 42, 49, 56, 63, 64], [0.1] * 10),
    "small": ([7, 14, 21, 35, 64], [0.7, 0.2, 0.07, 0.02, 0.01]),
}
"""Widths of varints in bits, with weights: all widths equally often, or as in protobuf messages."""

SCRIPTS = {
    "ascii": [(0.85, "a", 26), (0.15, " ", 1)],
    "latin": [(0.72, "a", 26), (0.15, "\u00c0", 0x3F), (0.13, " ", 1)],
    "greek": [(0.85, "\u0391", 0x38), (0.15, " ", 1)],
    "cjk": [(0.95, "\u4e00", 20_000), (0.05, " ", 1)],
    "emoji": [(1.0, "\U0001f600", 64)],
    "mixed": [
        (0.50, "a", 26),
        (0.15, "\u00c0", 0x3F),
        (0.15, "\u0391", 0x38),
        (0.17, "\u4e00", 20_000),
        (0.02, "\U0001f600", 64),
        (0.01, "\0", 1),
    ],
}
"""Ranges of letters in a text, each with its share, its first letter and its size."""


def varints(random: np.random.Generator, how: str, count: int) -> NDArray[np.uint64]:
    """Make numbers whose varints have the widths of the distribution `how`."""
    bits, often = WIDTHS[how]
    width = random.choice(np.array(bits, np.uint64), count, p=often)
    return random.integers(1 << 63, 1 << 64, count, np.uint64) >> (np.uint64(64) - width)


def text(random: np.random.Generator, script: str, size: int) -> str:
    """Make text of about `size` bytes of UTF-8."""
    often, firsts, counts = zip(*SCRIPTS[script], strict=True)
    widths = [len(first.encode()) for first in firsts]
    letters = int(size / np.dot(often, widths))
    kind = np.searchsorted(np.cumsum(often)[:-1], random.random(letters, np.float32))
    nth = random.random(letters, np.float32) * np.array(counts, np.float32)[kind]
    made = np.array([ord(first) for first in firsts], np.uint32)[kind] + nth.astype(np.uint32)
    return made.astype("<u4").tobytes().decode("utf-32-le")


def strings(random: np.random.Generator, script: str, size: int, count: int) -> list[str]:
    """Make texts of about `size` bytes of UTF-8 each."""
    all_of_them = text(random, script, 2 * size * count)
    letters = len(all_of_them) // (2 * count)
    lengths = random.integers(letters - letters // 8, letters + letters // 8 + 1, count)
    ends = np.cumsum(lengths).tolist()
    return [all_of_them[start:end] for start, end in zip([0, *ends[:-1]], ends, strict=True)]


def payloads(random: np.random.Generator, size: int, count: int) -> list[bytes]:
    """Make payloads of `size` bytes, plus or minus an eighth."""
    lengths = random.integers(size - size // 8, size + size // 8 + 1, count)
    ends = np.cumsum(lengths).tolist()
    octets = random.bytes(ends[-1])
    return [octets[start:end] for start, end in zip([0, *ends[:-1]], ends, strict=True)]


@dataclass(frozen=True)
class Fragments:
    """A message and its fragments."""

    message: bytes
    pieces: list[bytes]


def fragments(random: np.random.Generator, size: int, total: int) -> Fragments:
    """Make a message of `total` bytes, in pieces of `size`."""
    message = random.bytes(total)
    return Fragments(message, [message[at : at + size] for at in range(0, total, size)])
