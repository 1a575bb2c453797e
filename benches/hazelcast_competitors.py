"""Hazelcast's own clients of 3.x: the last for Python, and Java's, warm."""

from __future__ import annotations

import collections
import collections.abc
import logging
import sys
import warnings
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

from benches.external_client import WarmClient
from kit.jvm import Program

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from benches.harness import PreparedRun

GONE = ("Hashable", "Iterable", "Mapping", "MutableMapping", "MutableSet", "Sequence", "Set")
"""Names that the Python client imports from `collections`, which last had them in Python 3.9."""


@contextmanager
def as_it_was() -> Iterator[None]:
    """Make the Python client importable, which does not start on current versions of Python."""
    finders = list(sys.meta_path)
    for name in GONE:
        setattr(collections, name, getattr(collections.abc, name))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about asyncore, and about escapes in its strings
            yield
    finally:
        for name in GONE:
            delattr(collections, name)
        # Its copy of six leaves a module that Python warns about.
        sys.meta_path[:] = finders


def new_service() -> Any:
    """Return the Python client's serialization service, as its client makes it by default."""
    with as_it_was():
        from hazelcast.config import ClientConfig
        from hazelcast.serialization.service import SerializationServiceV1
    return SerializationServiceV1(ClientConfig().serialization_config)


@contextmanager
def python_client(address: str) -> Iterator[Any]:
    """Connect the Python client."""
    with as_it_was():
        import hazelcast
    logging.getLogger("HazelcastClient").setLevel(logging.ERROR)
    config = hazelcast.ClientConfig()
    config.network_config.addresses.append(address)
    config.logger_config.level = logging.ERROR
    client = hazelcast.HazelcastClient(config)
    try:
        yield client
    finally:
        client.shutdown()


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
