"""What executors of members are given to do: Java's classes, and those that have only `run`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmwire.hazelcast.serialization import SentOnly

if TYPE_CHECKING:
    from jvmwire._core import HazelcastDataOutput


class _Adapter(SentOnly):
    """Makes a Callable of a Runnable, whose result is None."""

    def __init__(self, task: object) -> None:
        self.task = task

    def write_data(self, output: HazelcastDataOutput) -> None:
        """Write the task."""
        output.write_object(self.task)


class RunnableTask(_Adapter):
    """A task that is a `Runnable` and no `Callable`, for `Executor` and `DurableExecutor`.

    `com.hazelcast.executor.impl.RunnableAdapter`.
    """

    factory_id = -13  # FactoryIdHelper.EXECUTOR_DS_FACTORY_ID
    class_id = 2


class ScheduledRunnable(_Adapter):
    """A task that is a `Runnable`, for `ScheduledExecutor`; all that is done again and again is.

    `com.hazelcast.scheduledexecutor.impl.ScheduledRunnableAdapter`.
    """

    factory_id = -39  # FactoryIdHelper.SCHEDULED_EXECUTOR_DS_FACTORY_ID
    class_id = 4
