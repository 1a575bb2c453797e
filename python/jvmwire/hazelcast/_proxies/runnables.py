"""Adapters for tasks whose Java class is a `Runnable` and not a `Callable`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmwire.hazelcast.serialization import WriteOnly

if TYPE_CHECKING:
    from jvmwire._core import HazelcastDataOutput


class _TaskAdapter(WriteOnly):
    """Adapter from a Runnable to a Callable, whose result is None."""

    def __init__(self, task: object) -> None:
        self.task = task

    def write_data(self, output: HazelcastDataOutput) -> None:
        """Write the task.

        Args:
            output: Output to write to.
        """
        output.write_object(self.task)


class RunnableTask(_TaskAdapter):
    """A task that is a `Runnable` and not a `Callable`, for `Executor` and `DurableExecutor`.

    Args:
        task: Serializable counterpart of a Java `Runnable` of the members.

    Source: `com.hazelcast.executor.impl.RunnableAdapter`.
    """

    factory_id = -13  # FactoryIdHelper.EXECUTOR_DS_FACTORY_ID
    class_id = 2


class ScheduledRunnable(_TaskAdapter):
    """A task that is a `Runnable`, for `ScheduledExecutor`; required for every periodic task.

    Args:
        task: Serializable counterpart of a Java `Runnable` of the members.

    Source: `com.hazelcast.scheduledexecutor.impl.ScheduledRunnableAdapter`.
    """

    factory_id = -39  # FactoryIdHelper.SCHEDULED_EXECUTOR_DS_FACTORY_ID
    class_id = 4
