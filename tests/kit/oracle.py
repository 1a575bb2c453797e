"""JVM that reads and writes values with its own classes: tests/peers/codec."""

from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate, islice, pairwise
from pathlib import Path
from struct import pack, unpack_from
from typing import Any, NamedTuple

from jvmwire.errors import DecodeError

from .jvm import Program
from .peer import Peer

ENDED = -1
WRONG = -2

ORACLE_TIMEOUT = 60.0


class Answer(NamedTuple):
    """Result of reading or writing one byte string."""

    took: int
    """Number of bytes that were read or written, or `ENDED` or `WRONG`."""
    made: bytes
    """The value that was read, or the bytes that were written."""


class Oracle(Peer):
    """A JVM that reads and writes single values; a format is named by the method that reads it."""

    def __init__(self, directory: Path) -> None:
        super().__init__(
            Program(module="codec", main="jvmwire.peers.codec.Oracle", directory=directory)
        )

    def decode(self, form: str, wires: Sequence[bytes]) -> list[Answer]:
        """Have Java read a value at the front of each byte string."""
        return self._many("decode", form, wires)

    def encode(self, form: str, values: Sequence[bytes]) -> list[Answer]:
        """Have Java write each value."""
        return self._many("encode", form, values)

    def _many(self, command: str, form: str, asked: Sequence[bytes]) -> list[Answer]:
        directory = self.program.directory
        count = len(asked)
        header = pack(f">{1 + count}i", count, *map(len, asked))
        (directory / "request").write_bytes(header + b"".join(asked))
        self.ask(f"{command} {form}", timeout=ORACLE_TIMEOUT)
        reply = (directory / "reply").read_bytes()
        took = unpack_from(f">{count}i", reply, 4)
        lengths = unpack_from(f">{count}i", reply, 4 + 4 * count)
        places = pairwise(accumulate(lengths, initial=4 + 8 * count))
        return [
            Answer(one, reply[start:end]) for one, (start, end) in zip(took, places, strict=True)
        ]


def read_one(ours: Any, wire: bytes, told: Callable[[Any], bytes]) -> Answer:
    """Return the result of reading a value at the front of `wire` with a jvmwire format."""
    try:
        value, end = ours.decode(wire)
    except DecodeError as error:
        return Answer(ENDED if "are missing" in str(error) else WRONG, b"")
    return Answer(end, told(value))


def differing(
    given: Iterable[object], ours: Iterable[object], theirs: Iterable[object]
) -> list[tuple[object, object, object]]:
    """Return the first few pairs that differ, with their input."""
    triples = zip(given, ours, theirs, strict=True)
    return list(islice((each for each in triples if each[1] != each[2]), 10))
