"""Functions with which a Spark worker calls the echo server."""

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from jvmwire.transports import Tcp

from .echo_client import EchoClient

_kept: dict[Tcp, EchoClient] = {}
"""Clients that this worker keeps from task to task."""


def with_a_new_client(address: tuple[str, int], numbers: Iterable[int]) -> Iterator[int]:
    """Yield each number, echoed."""
    with EchoClient(Tcp(*address)) as client:
        for number in numbers:
            yield int(client.echo(b"%d" % number))


def with_the_kept_client(
    address: tuple[str, int], numbers: Iterable[int]
) -> Iterator[tuple[int, int, int]]:
    """Yield the process, its client and each number, echoed."""
    endpoint = Tcp(*address)
    client = _kept.get(endpoint) or EchoClient(endpoint)
    _kept[endpoint] = client
    for number in numbers:
        yield os.getpid(), id(client), int(client.echo(b"%d" % number))


def in_workers(name: str, address: tuple[str, int]) -> Callable[[Iterable[int]], Iterator[Any]]:
    """Return one of the functions above in a form that a worker can run, with this kit."""
    tests = str(Path(__file__).parents[1])

    def work(numbers: Iterable[int]) -> Iterator[Any]:
        if tests not in sys.path:
            sys.path.append(tests)
        from importlib import import_module

        yield from getattr(import_module("kit.worker_clients"), name)(address, numbers)

    work.__module__ = "__main__"  # so that it is pickled by value
    return work
