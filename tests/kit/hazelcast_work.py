"""What tests have members do."""

from __future__ import annotations

from jvmwire.hazelcast.serialization import (
    IdentifiedDataSerializable,
    ObjectDataInput,
    ObjectDataOutput,
)


class Work(IdentifiedDataSerializable):
    """The other side of Work.java."""

    factory_id = 9
    class_id = 1

    def __init__(self, verb: str, value: object = None) -> None:
        self.verb, self.value = verb, value

    def write_data(self, output: ObjectDataOutput) -> None:
        output.write_utf(self.verb)
        output.write_object(self.value)

    def read_data(self, source: ObjectDataInput) -> None:
        raise NotImplementedError
