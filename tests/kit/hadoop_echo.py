# mypy: disable-error-code="empty-body"
"""Protocols of the Java peer WPing as Python declares them, and services that implement them."""

import asyncio
from enum import Enum

from jvmwire.hadoop.rpc._interface import Interface, VersionedProtocol, method
from jvmwire.hadoop.rpc._writable import (
    Byte,
    Char,
    Double,
    Float,
    Int,
    Long,
    MapWritable,
    NullWritable,
    Short,
    Text,
    Writable,
    java_enum,
)

Bytes = bytes
PEER = "jvmwire.peers.hadoop.WPing$"

ECHOED = """\
version -> 42
methods -> 24
ping -> pong=X
ping -> pong=hé€😀\0z
add -> -1
addl -> 1099511627781
not -> false
half -> 1.5
halff -> 1.5
incb -> -128
incs -> 8
incc -> b
nul -> null
text -> T:txt€
ints -> [-1, -2, 3]
bytes -> [85, 84, -86]
strings -> [a!, b!]
writables -> [300, w]
map -> 2
nw -> (null)
kind -> GREEN
poly -> -123456
poly -> null
poly -> 09 08
fail -> java.io.FileNotFoundException ERROR_APPLICATION no such thing
slow -> slept
"""
"""Output of the Java client of Echo."""


class Ping(Interface, protocol="ping", version=1):
    """Protocol of the seed."""

    def ping(self) -> str:
        """Return "pong"."""
        raise NotImplementedError


@java_enum(PEER + "Kind")
class Kind(Enum):
    """An enum for ObjectWritable."""

    RED = 0
    GREEN = 1


class Echo(VersionedProtocol, protocol="test.Echo", version=42):
    """Protocol with all the types that ObjectWritable carries."""

    def ping(self, message: str | None) -> str | None: ...
    def add(self, a: Int, b: Int) -> Int: ...
    def addl(self, a: Long, b: Long) -> Long: ...
    @method("not")
    def not_(self, value: bool) -> bool: ...
    def half(self, value: Double) -> Double: ...
    def halff(self, value: Float) -> Float: ...
    def incb(self, value: Byte) -> Byte: ...
    def incs(self, value: Short) -> Short: ...
    def incc(self, value: Char) -> Char: ...
    def nothing(self) -> None: ...
    def nul(self) -> str | None: ...
    def text(self, text: Text) -> Text: ...
    def ints(self, values: list[Int]) -> list[Int]: ...
    def bytes(self, values: bytes) -> bytes: ...
    def strings(self, values: list[str]) -> list[str]: ...
    def writables(self, values: list[Writable | None]) -> list[Writable | None]: ...
    def map(self, entries: MapWritable) -> MapWritable: ...
    def nw(self, value: NullWritable) -> NullWritable: ...
    def kind(self, kind: Kind) -> Kind: ...
    def poly(self, value: Writable | None) -> Writable | None: ...
    def fail(self, message: str) -> None: ...
    def slow(self, milliseconds: Int) -> str: ...


class PingService:
    """Service that answers as the seed's server did."""

    def ping(self) -> str:
        """Return "pong"."""
        return "pong"


class EchoService:
    """Service that answers as the Java peer does, partly in threads and partly on the loop."""

    async def ping(self, message: str | None) -> str:
        """Return the caller and the argument, null as Java renders it."""
        return f"pong={'null' if message is None else message}"

    def add(self, a: int, b: int) -> int:
        """Add."""
        return a + b

    def addl(self, a: int, b: int) -> int:
        """Add."""
        return a + b

    def not_(self, value: bool) -> bool:  # Java's name of the method
        """Negate."""
        return not value

    async def half(self, value: float) -> float:
        """Halve."""
        return value / 2

    async def halff(self, value: float) -> float:
        """Halve."""
        return value / 2

    def incb(self, value: int) -> int:
        """Add one, and wrap around."""
        return (value + 129) % 256 - 128

    def incs(self, value: int) -> int:
        """Add one."""
        return value + 1

    def incc(self, value: str) -> str:
        """Return the next character."""
        return chr(ord(value) + 1)

    def nothing(self) -> None:
        """Do nothing."""

    def nul(self) -> None:
        """Return null."""

    def text(self, text: Text) -> Text:
        """Return the text with an addition."""
        return Text(f"T:{text}")

    def ints(self, values: list[int]) -> list[int]:
        """Negate each."""
        return [-value for value in values]

    def bytes(self, values: Bytes) -> Bytes:
        """Flip bits."""
        return Bytes(value ^ 0x55 for value in values)

    def strings(self, values: list[str]) -> list[str]:
        """Add exclamation marks."""
        return [f"{value}!" for value in values]

    async def writables(self, values: list[Writable | None]) -> list[Writable | None]:
        """Return the argument."""
        return values

    async def map(self, entries: MapWritable) -> MapWritable:
        """Return the argument."""
        return entries

    def nw(self, value: NullWritable) -> NullWritable:
        """Return the argument."""
        return value

    def kind(self, kind: Kind) -> Kind:
        """Return the other kind."""
        return Kind.GREEN if kind is Kind.RED else Kind.RED

    async def poly(self, value: Writable | None) -> Writable | None:
        """Return the argument."""
        return value

    def fail(self, message: str) -> None:
        """Raise an error."""
        raise FileNotFoundError(message)

    async def slow(self, milliseconds: int) -> str:
        """Return after the given time."""
        await asyncio.sleep(milliseconds / 1000)
        return "slept"
