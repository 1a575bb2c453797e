"""Storm's own JsonSerializer as the reference for reading and writing: tests/peers/storm."""

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from random import Random
from struct import pack, unpack
from typing import Any

from .jvm import Program
from .peer import Peer

ASK_TIMEOUT = 60.0


class Oracle(Peer):
    """A JVM that reads the messages of components and writes the messages to them."""

    def __init__(self, directory: Path) -> None:
        super().__init__(
            Program(module="storm", main="jvmwire.peers.storm.Oracle", directory=directory)
        )

    def read(self, messages: bytes) -> list[str]:
        """Have Java read a component's messages; return the members of each, as text."""
        folder = self.program.directory
        (folder / "messages").write_bytes(messages)
        self._ask("read")
        return (folder / "values").read_text("utf-8").splitlines()

    def write(self, said: Sequence[Any]) -> bytes:
        """Have Java write messages to a component."""
        folder = self.program.directory
        (folder / "values").write_text("".join(f"{words(one)}\n" for one in said))
        self._ask("write")
        return (folder / "messages").read_bytes()

    def _ask(self, verb: str) -> None:
        self.ask(f"{verb} {self.program.directory}", start="ANSWER ", timeout=ASK_TIMEOUT)


def words(value: Any) -> str:
    """Return a value in the notation of `Values.java`."""
    return " ".join(_words(value)) + " "


def _words(value: Any) -> Iterator[str]:
    match value:
        case None:
            yield "n"
        case bool():
            yield "t" if value else "f"
        case int():
            yield f"i{value}"
        case float():
            bits = math.nan if math.isnan(value) else value
            yield f"d{unpack('>Q', pack('>d', bits))[0]:x}"
        case str():
            yield f"s{_units(value)}"
        case dict():
            yield "{"
            for key, part in sorted(value.items(), key=lambda item: _units(item[0])):
                yield from _words(key)
                yield from _words(part)
            yield "}"
        case _:
            yield "["
            for part in value:
                yield from _words(part)
            yield "]"


def _units(value: str) -> str:
    return value.encode("utf-16-be", "surrogatepass").hex()


TEXTS = [
    "",
    "end",
    "\nend\n",
    "end\n",
    "\r\nend\r\n",
    '"',
    "\\",
    "\\u0041",
    "/",
    "</script>",
    "'",
    "\0",
    "".join(map(chr, range(0x21))),
    "\x7f\x80\x9f\xa0\xad",
    "\u2000\u2028\u2029\u20ff",
    "\ufeff\ufffe\uffff",
    "\U0001f600\U0010ffff",
    "wörd ✓",
    "null",
    "NaN",
    "Infinity",
    "0",
    "-0",
    "1e5",
    "{x",
    "[1]",
    "a:b,c",
]
LONE = ["\ud83d", "\ude00x", "x\udc00\ud800"]
INTEGERS = [
    sign * (1 << power) + off
    for power in (0, 7, 8, 15, 16, 31, 32, 53, 62, 63, 64, 100, 400)
    for sign in (1, -1)
    for off in (-1, 0, 1)
]
FLOATS = [
    *(0.0, -0.0, 1.0, -1.5, 0.1, 1e16, 1e15, 123456789.0, 1e21, 1e22, 1e23, 1e-5, 1e-7, 1e300),
    *(5e-324, 2.2250738585072014e-308, 1.7976931348623157e308, 0.30000000000000004, 2.0**53),
]


def hostile(random: Random, *, lone: bool, depth: int = 4) -> Any:
    """Return a value of JSON that is likely to be misread."""
    kind = random.randrange(10 if depth else 8)
    match kind:
        case 0:
            return random.choice([None, True, False])
        case 1 | 2:
            return random.choice(INTEGERS) + random.randint(-5, 5)
        case 3:
            return random.choice(FLOATS)
        case 4:
            value: float = unpack(">d", random.randbytes(8))[0]
            return value if math.isfinite(value) else random.random()
        case 5:
            return random.choice(TEXTS + LONE if lone else TEXTS)
        case 6 | 7:
            return text(random)
        case 8:
            return [hostile(random, lone=lone, depth=depth - 1) for _ in range(random.randrange(5))]
        case _:
            return {
                random.choice(TEXTS) + text(random): hostile(random, lone=lone, depth=depth - 1)
                for _ in range(random.randrange(5))
            }


def text(random: Random) -> str:
    """Return a text of any characters except lone surrogates."""
    limits = (0x20, 0x7F, 0x100, 0x800, 0x2100, 0xD800)
    made = []
    for _ in range(random.randrange(12)):
        low, high = random.choice([*pairwise((0, *limits)), (0xE000, 0x10000), (0x10000, 0x110000)])
        made.append(chr(random.randrange(low, high)))
    return "".join(made)
