"""The JVM's own classes, asked what they read and write: tests/peers/codec."""

from collections.abc import Sequence
from itertools import accumulate, pairwise
from pathlib import Path
from struct import pack, unpack_from
from typing import NamedTuple

from .jvm import Peer, Program

ENDED = -1
WRONG = -2

ORACLE_TIMEOUT = 60.0


class Answer(NamedTuple):
    """What became of one byte string."""

    took: int
    """How many bytes were read or written; `ENDED` or `WRONG` if none."""
    made: bytes
    """The value that was read, or what was written of it."""


class Oracle(Peer):
    """A JVM that reads and writes single values; a form is named by the method that reads it."""

    def __init__(self, directory: Path) -> None:
        super().__init__(
            Program(module="codec", main="jvmwire.peers.codec.Oracle", directory=directory)
        )

    def decode(self, form: str, wires: Sequence[bytes]) -> list[Answer]:
        """Have a value read at the front of each."""
        return self._many("decode", form, wires)

    def encode(self, form: str, values: Sequence[bytes]) -> list[Answer]:
        """Have each value written."""
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
