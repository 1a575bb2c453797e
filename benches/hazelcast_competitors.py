"""Hazelcast's own clients of 3.x: the last for Python, and Java's, warm."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from benches.external_client import WarmClient
from kit.hazelcast_clients import importable_python_client
from kit.jvm import Program

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from benches.harness import PreparedRun


def new_service() -> Any:
    """Return the Python client's serialization service, as its client makes it by default."""
    with importable_python_client():
        from hazelcast.config import ClientConfig
        from hazelcast.serialization.service import SerializationServiceV1
    return SerializationServiceV1(ClientConfig().serialization_config)


class JavaClient(WarmClient):
    """Java's client at one kind of work, in a separate JVM."""

    def __init__(
        self, directory: Path, port: int, work: str, map_name: str, *, depth: int = 1
    ) -> None:
        super().__init__(
            Program(
                module="hazelcast",
                main="jvmwire.peers.hazelcast.Caller",
                arguments=(str(port), work, map_name, str(depth)),
                directory=directory / work,
                properties={"java.net.preferIPv4Stack": "true"},
                heap="1g",
            )
        )

    def work(
        self, keys: Sequence[int], count: int, result: Callable[[list[str]], object]
    ) -> PreparedRun:
        """Prepare the client for `keys`."""
        return self.work_on(np.array(keys, ">i4").tobytes(), count, result)
