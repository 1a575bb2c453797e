"""The vendor's own vectors of its protocol: messages are read, and written back unchanged."""

import struct
import zipfile

import pytest

from jvmwire import codec
from jvmwire._core import HazelcastDecoder, HazelcastMessage
from jvmwire.hazelcast.errors import from_fields
from kit.jvm import PEERS

# In the jar of the vendor's tests, for each version of the protocol: messages with all fields, and
# with nulls where they may be; and errors.
JAR = PEERS / "codec" / "target" / "lib" / "hazelcast-3.12.13-tests.jar"
VERSIONS = ("1.0", "1.1", "1.2", "1.3", "1.4", "1.5", "1.6")
LENGTH = struct.Struct(">i")
HEADER = struct.Struct("<iBBHqiH")
WHOLE = b"\xc0"
"""The flags of a message of one frame."""


def vectors(name: str) -> bytes:
    with zipfile.ZipFile(JAR) as entries:
        return entries.read(f"{name}.binary")


def frames(name: str) -> list[bytes]:
    """Return frames, each after its length."""
    rest = vectors(name)
    found = []
    while rest:
        [length] = LENGTH.unpack_from(rest)
        found.append(rest[4 : 4 + length])
        rest = rest[4 + length :]
    return found


def again(frame: bytes) -> bytes:
    """Encode the decoded contents of a frame again, under its version and flags."""
    length, version, flags, kind, call_id, partition_id, offset = HEADER.unpack_from(frame)
    assert length == len(frame)
    message = HazelcastMessage.of_type(kind)
    assert message is not None, hex(kind)
    fields = message.decode(frame[offset:])
    told = len(fields)
    while told > message.required and fields[told - 1] is None:
        told -= 1
    written = message.encode(call_id, partition_id, fields[:told])
    while len(written) < len(frame) and told < len(fields):
        # Null, and not of a later version.
        told += 1
        written = message.encode(call_id, partition_id, fields[:told])
    return written[:4] + bytes([version, flags]) + written[6:]


@pytest.mark.parametrize("kind", ["compatibility", "compatibility.null"])
@pytest.mark.parametrize("version", VERSIONS)
def test_messages_of_each_version_come_back_to_the_byte(version, kind):
    found = frames(f"{version}.protocol.{kind}")
    assert len(found) > 600
    for frame in found:
        assert again(frame) == frame, HazelcastMessage.of_type(HEADER.unpack_from(frame)[3])


@pytest.mark.parametrize(("version", "count"), [("1.0", 78), ("1.1", 2)])
def test_errors_of_each_version_come_back_to_the_byte(version, count):
    # A name in modified UTF-8, then a frame after its length.
    rest = vectors(f"{version}.protocol.errorCodec.compatibility")
    names = []
    while rest:
        name, at = codec.JAVA_UTF.decode(rest)
        assert name is not None
        [length] = LENGTH.unpack_from(rest, at)
        frame = rest[at + 4 : at + 4 + length]
        rest = rest[at + 4 + length :]
        assert again(frame) == frame, name
        error = from_fields(HazelcastMessage.named("Response.Exception").decode(frame[22:]))
        assert error.java_class.endswith(name.partition("-")[2])
        names.append(name)
    assert len(names) == count


def test_a_stream_of_all_messages_is_read_as_one():
    decoder = HazelcastDecoder(limit=1 << 20)
    found = frames("1.6.protocol.compatibility")
    # Written as whole messages, which they are.
    decoder.feed(b"".join(frame[:5] + WHOLE + frame[6:] for frame in found))
    told = decoder.next_messages()
    assert [kind for kind, *_ in told] == [HEADER.unpack_from(frame)[3] for frame in found]
    assert all(fields is not None for *_, fields in told)
