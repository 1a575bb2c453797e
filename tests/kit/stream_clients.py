"""Clients of Pravega's streams in every style, and the objects that they open."""

from typing import Any

from jvmwire.pravega.streams import AsyncStreamClient, StreamClient, StreamOptions

from .client_flavours import Awaited, Style

PATIENT = 60.0
"""Seconds per call: a controller on a busy machine may take many."""


def connect(style: Style, controllers: Any, **options: Any) -> Any:
    """Return the client of a style, with calls that are awaited, as a context manager."""
    told = StreamOptions(timeout=PATIENT, **options)
    return style.connect(StreamClient, AsyncStreamClient, controllers, told)


async def opened(client: Any, method: str, *args: Any) -> Any:
    """Return the object that a client's method opens, with calls that are awaited."""
    found = await getattr(client, method)(*args)
    return Awaited(found, client._pool) if isinstance(client, Awaited) else found
