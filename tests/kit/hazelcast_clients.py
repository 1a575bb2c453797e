"""Hazelcast's own clients of 3.x: Java's as a peer, and the last for Python."""

import collections
import collections.abc
import logging
import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from .jvm import Program
from .peer import Peer

GONE = ("Hashable", "Iterable", "Mapping", "MutableMapping", "MutableSet", "Sequence", "Set")
"""Names that the Python client imports from `collections`, which last had them in Python 3.9."""


class JavaClient(Peer):
    """Java's client of a cluster."""

    def __init__(self, directory: Path, ports: Sequence[int]) -> None:
        super().__init__(
            Program(
                module="hazelcast",
                main="jvmwire.peers.hazelcast.ClientPeer",
                arguments=(",".join(map(str, ports)),),
                directory=directory,
                properties={"java.net.preferIPv4Stack": "true", "hazelcast.logging.type": "jdk"},
                heap="128m",
            )
        )

    def do(self, command: str) -> str:
        """Have the client execute a command, and return its answer."""
        return self.ask(command, start="ANSWER ").removeprefix("ANSWER ")


@contextmanager
def importable_python_client() -> Iterator[None]:
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


@contextmanager
def python_client(address: str) -> Iterator[Any]:
    """Connect the Python client."""
    with importable_python_client():
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
