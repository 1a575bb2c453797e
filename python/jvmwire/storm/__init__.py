"""Components for Apache Storm: spouts and bolts in Python that run on a real cluster."""

from typing import TYPE_CHECKING

from jvmwire._lazy import lazy_exports
from jvmwire.storm._batching import BatchingBolt
from jvmwire.storm._bolt import Bolt
from jvmwire.storm._commands import Level, MetricKind
from jvmwire.storm._component import Component
from jvmwire.storm._context import Context, Grouping
from jvmwire.storm._spout import ReliableSpout, Spout
from jvmwire.storm._tuples import Tuple

if TYPE_CHECKING:
    from jvmwire.storm._aio import AsyncBolt
else:
    # Storm starts a process per task: tasks without asyncio do not wait for its import.
    __getattr__ = lazy_exports(__name__, AsyncBolt="_aio")

__all__ = [
    "AsyncBolt",
    "BatchingBolt",
    "Bolt",
    "Component",
    "Context",
    "Grouping",
    "Level",
    "MetricKind",
    "ReliableSpout",
    "Spout",
    "Tuple",
]
