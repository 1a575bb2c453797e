"""Components for Apache Storm: spouts and bolts in Python that run on a real cluster."""

from typing import TYPE_CHECKING

from jvmwire._lazy import lazy_exports
from jvmwire.storm.batching import BatchingBolt
from jvmwire.storm.bolt import Bolt
from jvmwire.storm.commands import Level
from jvmwire.storm.component import Component
from jvmwire.storm.context import Context, Grouping
from jvmwire.storm.errors import NotDeclared, NotJsonSerializable, NotPending
from jvmwire.storm.spout import ReliableSpout, Spout
from jvmwire.storm.tuples import Tuple

if TYPE_CHECKING:
    from jvmwire.storm.aio import AsyncBolt
else:
    # Storm starts a process per task: tasks without asyncio do not wait for its import.
    __getattr__ = lazy_exports(__name__, AsyncBolt="aio")

__all__ = [
    "AsyncBolt",
    "BatchingBolt",
    "Bolt",
    "Component",
    "Context",
    "Grouping",
    "Level",
    "NotDeclared",
    "NotJsonSerializable",
    "NotPending",
    "ReliableSpout",
    "Spout",
    "Tuple",
]
