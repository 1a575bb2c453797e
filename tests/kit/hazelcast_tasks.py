"""Tasks that tests have members execute."""

from __future__ import annotations

from jvmwire.hazelcast.serialization import (
    IdentifiedDataSerializable,
    ObjectDataInput,
    ObjectDataOutput,
    Portable,
    PortableReader,
    PortableWriter,
)


class Work(IdentifiedDataSerializable):
    """The Python counterpart of Work.java."""

    factory_id = 9
    class_id = 1

    def __init__(self, verb: str, value: object = None) -> None:
        self.verb, self.value = verb, value

    def write_data(self, output: ObjectDataOutput) -> None:
        output.write_utf(self.verb)
        output.write_object(self.value)

    def read_data(self, source: ObjectDataInput) -> None:
        raise NotImplementedError


class Elements(IdentifiedDataSerializable):
    """Hazelcast's own source of a job's entries from a list: `ListKeyValueSource`."""

    factory_id = -23  # MapReduceDataSerializerHook
    class_id = 18

    def __init__(self, of: str) -> None:
        self.of = of

    def write_data(self, output: ObjectDataOutput) -> None:
        output.write_utf(self.of)

    def read_data(self, source: ObjectDataInput) -> None:
        raise NotImplementedError


class UsernamePassword(Portable):
    """Custom credentials that members can read without a class of the user."""

    factory_id = -1  # SpiPortableHook
    class_id = 1

    def __init__(self, username: str, password: bytes) -> None:
        self.username, self.password = username, password

    def write_portable(self, writer: PortableWriter) -> None:
        writer.write_utf("principal", self.username)
        writer.write_utf("endpoint", None)
        writer.write_byte_array("pwd", self.password)

    def read_portable(self, reader: PortableReader) -> None:
        raise NotImplementedError
