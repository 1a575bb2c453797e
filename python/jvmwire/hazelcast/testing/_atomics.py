"""Numbers and references that are changed atomically."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from jvmwire.hazelcast.testing import _java_errors as java
from jvmwire.hazelcast.testing._entries import identity
from jvmwire.hazelcast.testing._java_numbers import wrapped
from jvmwire.hazelcast.testing._service import Service

if TYPE_CHECKING:
    from jvmwire.hazelcast.testing._calls import Call

EPOCH = 1_514_764_800_000
"""Milliseconds at which flake ids begin: 2018-01-01 (`FlakeIdGeneratorProxy.EPOCH_START`)."""
NODE_BITS, SEQUENCE_BITS = 16, 6
MAX_BATCH = 100_000
"""Ids of one batch (`FlakeIdGeneratorConfig.MAXIMUM_PREFETCH_COUNT`)."""


class AtomicLongs(Service[list[int]]):
    """Atomic longs, each a list of its value, and the calls of clients to them."""

    name = "hz:impl:atomicLongService"

    def _new(self, name: str) -> list[int]:
        return [0]

    def get(self, call: Call, name: str) -> int:
        return self._find(name)[0]

    def set(self, call: Call, name: str, value: int) -> None:
        self._find(name)[0] = value

    def get_and_set(self, call: Call, name: str, value: int) -> int:
        found = self._find(name)
        old, found[0] = found[0], value
        return old

    def compare_and_set(self, call: Call, name: str, expected: int, value: int) -> bool:
        found = self._find(name)
        if found[0] != expected:
            return False
        found[0] = value
        return True

    def get_and_add(self, call: Call, name: str, delta: int) -> int:
        old = self._find(name)[0]
        return self.get_and_set(call, name, wrapped(old + delta))

    def add_and_get(self, call: Call, name: str, delta: int) -> int:
        return wrapped(self.get_and_add(call, name, delta) + delta)

    def increment_and_get(self, call: Call, name: str) -> int:
        return self.add_and_get(call, name, 1)

    def decrement_and_get(self, call: Call, name: str) -> int:
        return self.add_and_get(call, name, -1)

    def get_and_increment(self, call: Call, name: str) -> int:
        return self.get_and_add(call, name, 1)


class AtomicReferences(Service[list[bytes | None]]):
    """Atomic references, each a list of its value, and the calls of clients to them."""

    name = "hz:impl:atomicReferenceService"

    def _new(self, name: str) -> list[bytes | None]:
        return [None]

    def _drop(self, name: str, structure: list[bytes | None]) -> None:
        if (held := structure[0]) is not None:
            self._cluster.budget.give_back(1, len(held))

    def _is(self, name: str, value: bytes | None) -> bool:
        held = self._find(name)[0]
        if held is None or value is None:
            return held is value
        return identity(held) == identity(value)

    def get(self, call: Call, name: str) -> bytes | None:
        return self._find(name)[0]

    def get_and_set(self, call: Call, name: str, value: bytes | None) -> bytes | None:
        found = self._find(name)
        old = found[0]
        entries = (value is not None) - (old is not None)
        self._cluster.budget.take(entries, len(value or b"") - len(old or b""))
        found[0] = value
        return old

    def set(self, call: Call, name: str, value: bytes | None) -> None:
        self.get_and_set(call, name, value)

    def set_and_get(self, call: Call, name: str, value: bytes | None) -> bytes | None:
        self.get_and_set(call, name, value)
        return value

    def clear(self, call: Call, name: str) -> None:
        self.get_and_set(call, name, None)

    def is_null(self, call: Call, name: str) -> bool:
        return self._is(name, None)

    def contains(self, call: Call, name: str, expected: bytes | None) -> bool:
        return self._is(name, expected)

    def compare_and_set(
        self, call: Call, name: str, expected: bytes | None, value: bytes | None
    ) -> bool:
        if not self._is(name, expected):
            return False
        self.get_and_set(call, name, value)
        return True


class FlakeIds(Service["itertools.count[int]"]):
    """Generators of flake ids: time, a number within it, and the member."""

    name = "hz:impl:flakeIdGeneratorService"

    def __init__(self, cluster: Any) -> None:
        super().__init__(cluster)
        self._next = 0
        """Number after the last id: time and sequence, for all generators."""

    def _new(self, name: str) -> itertools.count[int]:
        return itertools.count()

    def new_id_batch(self, call: Call, name: str, size: int) -> tuple[int, int, int]:
        if not 0 < size <= MAX_BATCH:
            text = f"a batch is of 1 to {MAX_BATCH} ids, got {size}"
            raise java.refuse(java.ILLEGAL_ARGUMENT, text)
        first = max(self._next, (self._cluster.now() - EPOCH) << SEQUENCE_BITS)
        self._next = first + size
        member = self._cluster.members.index(call.client.member)
        return (first << NODE_BITS) | member, 1 << NODE_BITS, size


@dataclass
class Counter:
    """A counter of which members have replicas."""

    value: int = 0
    versions: dict[str, int] = field(default_factory=dict)
    """Number of changes by the UUID of the member that was called."""


class PNCounters(Service[Counter]):
    """PN counters, and the calls of clients to them; all replicas are always alike."""

    name = "hz:impl:PNCounterService"

    def _new(self, name: str) -> Counter:
        return Counter()

    def _result(self, counter: Counter, value: int) -> tuple[Any, ...]:
        return value, list(counter.versions.items()), len(self._cluster.partitions.running)

    def get(self, call: Call, name: str, timestamps: object, target: object) -> tuple[Any, ...]:
        counter = self._find(name)
        return self._result(counter, counter.value)

    def add(
        self,
        call: Call,
        name: str,
        delta: int,
        is_before: bool,
        timestamps: object,
        target: object,
    ) -> tuple[Any, ...]:
        counter, member = self._find(name), call.client.member.uuid
        old = counter.value
        counter.value = wrapped(old + delta)
        counter.versions[member] = counter.versions.get(member, 0) + 1
        return self._result(counter, old if is_before else counter.value)

    def get_configured_replica_count(self, call: Call, name: str) -> int:
        return len(self._cluster.partitions.running)
