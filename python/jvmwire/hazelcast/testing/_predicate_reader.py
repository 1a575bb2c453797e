"""Reader of serialized predicates."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

from jvmwire.hazelcast.predicates import FACTORY_ID
from jvmwire.hazelcast.serialization import SerializationService
from jvmwire.hazelcast.testing import _java_errors as java
from jvmwire.hazelcast.testing import _predicates as predicates
from jvmwire.hazelcast.testing._predicates import Test, checked
from jvmwire.hazelcast.testing._sql import Sql

if TYPE_CHECKING:
    from collections.abc import Callable

    from jvmwire.hazelcast.serialization import ObjectDataInput


class Refused(Test):
    """A predicate that the double does not evaluate."""

    def __init__(self, name: str) -> None:
        self.name = name

    def read_data(self, source: ObjectDataInput) -> None:
        raise java.refuse(java.UNSUPPORTED, f"the double of a cluster has no {self.name}")


_KINDS: tuple[type[Test], ...] = (
    *(predicates.Always, predicates.And, predicates.Between, predicates.Equal),
    *(predicates.ILike, predicates.In, predicates.InPartition, predicates.Like),
    *(predicates.Never, predicates.Not, predicates.NotEqual, predicates.Or),
    *(predicates.Ordered, predicates.Paging, Sql),
)
_REFUSED = {8: "InstanceOfPredicate", 12: "RegexPredicate"}
_MAKERS: dict[int, Callable[[], Any]] = {kind.class_id: kind for kind in _KINDS}
_MAKERS |= {class_id: functools.partial(Refused, name) for class_id, name in _REFUSED.items()}
_SERIALIZATION = SerializationService(data_serializable_factories={FACTORY_ID: _MAKERS})


def read(data: bytes) -> Test:
    """Read a predicate.

    Args:
        data: The serialized predicate.

    Returns:
        The predicate.

    Raises:
        HazelcastError: the double does not evaluate predicates of this class.
        DecodeError: the bytes are not those of a predicate.
    """
    return checked(_SERIALIZATION.to_object(data))
