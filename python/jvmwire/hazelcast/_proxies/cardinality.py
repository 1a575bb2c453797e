"""CardinalityEstimator: estimated number of distinct values, in 16 KiB (HyperLogLog++)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmwire._core import HazelcastMessage, hazelcast_hash64
from jvmwire._runtime.client import operation
from jvmwire.hazelcast._bulk import call_all
from jvmwire.hazelcast._commands import Request
from jvmwire.hazelcast._proxies.proxy import ClientProxy
from jvmwire.hazelcast._proxies.thread_identity import TaskIdentity, ThreadIdentity

if TYPE_CHECKING:
    from collections.abc import Iterable

    from jvmwire._runtime.operations import Operation

ADD = HazelcastMessage.named("CardinalityEstimator.add")
ESTIMATE = HazelcastMessage.named("CardinalityEstimator.estimate")


class CardinalityEstimatorOperations(ClientProxy):
    """Operations of an estimator; the client hashes the values and sends only the hashes."""

    service = "hz:impl:cardinalityEstimatorService"

    @operation
    def add(self, value: object) -> Operation[None]:
        """Add a value; a value that was added before changes nothing.

        Args:
            value: Serializable value, or None.
        """
        # Idempotent, therefore repeatable. Only the hash is kept, so None is a valid value.
        data = self._cluster.serialization.to_data(value)
        yield from self._ask(ADD, hazelcast_hash64(data), read=True)

    @operation
    def add_all(self, values: Iterable[object]) -> Operation[None]:
        """Add many values, all in flight together.

        Args:
            values: Serializable values.
        """
        cluster, name = self._cluster, self.name
        structure = self.service, name
        datas = cluster.serialization.to_data_all(values)
        yield from cluster.create_proxy(*structure)
        hashes = dict.fromkeys(map(hazelcast_hash64, datas))
        requests = [
            Request(ADD, (name, each), idempotent=True, key=name, structure=structure)
            for each in hashes
        ]
        yield from call_all(cluster, requests)

    @operation
    def estimate(self) -> Operation[int]:
        """Return the estimated number of distinct values.

        Returns:
            The number.
        """
        number: int = yield from self._value(ESTIMATE, read=True)
        return number


class CardinalityEstimator(CardinalityEstimatorOperations, ThreadIdentity):
    """An estimator of the cluster, for threads."""


class AsyncCardinalityEstimator(CardinalityEstimatorOperations, TaskIdentity):
    """An estimator of the cluster, for asyncio."""
