"""Bolts that process tuples in batches."""

from __future__ import annotations

import abc
import math
from time import monotonic
from typing import TYPE_CHECKING, Any, ClassVar

from jvmwire._runtime.session import Event, Pushed
from jvmwire.storm._bolt import BoltBase, emit_plain
from jvmwire.storm._commands import Emit
from jvmwire.storm._tuples import TICK_STREAM, Tuple

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Sequence


class BatchBolt(BoltBase):
    """Base class of bolts that collect tuples and process them by group."""

    batch_size: ClassVar[int] = 1000
    """The number of tuples per batch."""
    batch_seconds: ClassVar[float] = 1.0
    """Seconds that the first tuple of a batch waits, at most."""

    def __init__(self) -> None:
        self._storm_batch: list[Tuple] = []
        self._storm_due = math.inf
        self._storm_current: tuple[str, ...] = ()

    def group_key(self, tup: Tuple) -> Hashable:
        """Return the group of a tuple; by default all tuples are in one group.

        Args:
            tup: The tuple.

        Returns:
            The key of the group.
        """
        del tup
        return None

    @abc.abstractmethod
    def process_batch(self, key: Hashable, tuples: list[Tuple]) -> None:
        """Process the tuples of one group; an exception fails all of them.

        Args:
            key: The key of the group.
            tuples: The tuples, in order.
        """

    def _storm_take(self, event: Event) -> None:
        """Collect received tuples."""
        if not isinstance(event, Pushed):
            return
        for tup in event.message:
            if tup.stream == TICK_STREAM:
                self._storm_tick(tup)
                continue
            if not self._storm_batch:
                self._storm_due = monotonic() + self.batch_seconds
            self._storm_batch.append(tup)
            if len(self._storm_batch) >= self.batch_size:
                self._storm_run_due()
                if self._storm_line.mark_progress():
                    self._storm_line.flush()

    def _storm_next_due(self) -> float:
        """Return the time at which the batch is processed even if it is not full."""
        return self._storm_due

    def _storm_run_due(self) -> None:
        """Process the batch."""
        batch, self._storm_batch, self._storm_due = self._storm_batch, [], math.inf
        groups: dict[Hashable, list[Tuple]] = {}
        for tup in batch:
            try:
                groups.setdefault(self.group_key(tup), []).append(tup)
            except Exception as error:  # the exception of the component
                self._storm_failed(error, (tup,))
        for key, tuples in groups.items():
            self._storm_current = tuple(tup.id for tup in tuples)
            try:
                self.process_batch(key, tuples)
            except Exception as error:  # the exception of the component
                self._storm_failed(error, tuples)
            else:
                if self.auto_ack:
                    self._storm_ack_all(tuples)
        self._storm_current = ()

    def _storm_tick(self, tup: Tuple) -> None:
        try:
            self.process_tick(tup)
        except Exception as error:  # the exception of the component
            self._storm_failed(error, (tup,))
        else:
            self._storm_ack_all((tup,))


class BatchingBolt(BatchBolt):
    """Base class of a bolt that processes tuples by group; a group is acked or failed as a whole.

    A batch is processed after `batch_size` tuples, or `batch_seconds` after its first one,
    whichever comes first. Keep `batch_seconds` well below the topology's
    `topology.message.timeout.secs`.

    Attributes:
        batch_size: The number of tuples per batch; default 1000.
        batch_seconds: Seconds that the first tuple of a batch waits, at most; default 1.
    """

    def emit(
        self,
        values: Sequence[Any],
        *,
        stream: str | None = None,
        anchors: Iterable[Tuple] | None = None,
        task: int | None = None,
        need_task_ids: bool = False,
    ) -> list[int] | None:
        """Emit a tuple.

        Args:
            values: The values, one per field of the stream.
            stream: The stream; by default "default".
            anchors: The tuples that fail if the emitted one fails; by default all tuples of the
                group.
            task: The task that receives the tuple, on a direct stream.
            need_task_ids: Wait for Storm's reply with the receiving tasks.

        Returns:
            The numbers of the tasks that receive the tuple if `need_task_ids` is set, else None.

        Raises:
            NotPending: an anchor was acked or failed before.
            NotDeclared: the topology has no such stream, or it has another number of fields.
            NotJsonSerializable: a value cannot be sent as JSON.
        """
        if anchors is not None:
            anchored: Sequence[str] = [tup.id for tup in anchors]
        else:
            anchored = self._storm_current if self.auto_anchor else ()
        if task is None and not need_task_ids:
            emit_plain(self._storm_line, self._storm_writer, values, stream, anchored)
            return None
        return self._storm_emit(Emit(values, stream, anchored, task, None, need_task_ids))
