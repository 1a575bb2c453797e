"""Bolts that process many tuples at once."""

from __future__ import annotations

import abc
import math
from time import monotonic
from typing import TYPE_CHECKING, Any, ClassVar

from jvmwire._runtime.session import Event, Pushed
from jvmwire.storm.bolt import BoltBase, emit_plain
from jvmwire.storm.commands import Emit
from jvmwire.storm.tuples import TICK_STREAM, Tuple

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Sequence


class BatchBolt(BoltBase):
    """Collects tuples and takes them by groups."""

    batch_size: ClassVar[int] = 1000
    """Tuples of one batch."""
    batch_seconds: ClassVar[float] = 1.0
    """Seconds that its first tuple waits."""

    def __init__(self) -> None:
        self._storm_batch: list[Tuple] = []
        self._storm_due = math.inf
        self._storm_current: tuple[str, ...] = ()

    def group_key(self, tup: Tuple) -> Hashable:
        """Return what group `tup` belongs to; all to one by default."""
        del tup
        return None

    @abc.abstractmethod
    def process_batch(self, key: Hashable, tuples: list[Tuple]) -> None:
        """Process the tuples of one group; what this raises fails them all."""

    def _storm_take(self, event: Event) -> None:
        """Collect what came."""
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
        """Return when the batch is complete whatever comes."""
        return self._storm_due

    def _storm_run_due(self) -> None:
        """Process the batch."""
        batch, self._storm_batch, self._storm_due = self._storm_batch, [], math.inf
        groups: dict[Hashable, list[Tuple]] = {}
        for tup in batch:
            try:
                groups.setdefault(self.group_key(tup), []).append(tup)
            except Exception as error:  # it is the component's
                self._storm_failed(error, (tup,))
        for key, tuples in groups.items():
            self._storm_current = tuple(tup.id for tup in tuples)
            try:
                self.process_batch(key, tuples)
            except Exception as error:  # it is the component's
                self._storm_failed(error, tuples)
            else:
                if self.auto_ack:
                    self._storm_ack_all(tuples)
        self._storm_current = ()

    def _storm_tick(self, tup: Tuple) -> None:
        try:
            self.process_tick(tup)
        except Exception as error:  # it is the component's
            self._storm_failed(error, (tup,))
        else:
            self._storm_ack_all((tup,))


class BatchingBolt(BatchBolt):
    """Collects tuples and processes them by groups; all of a group are acked or failed together.

    A batch is complete after `batch_size` tuples, or `batch_seconds` after its first, whichever
    comes first. Keep that well below the topology's `topology.message.timeout.secs`.
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
        """Send a tuple on, anchored to the whole group by default; see `Bolt.emit`."""
        if anchors is not None:
            anchored: Sequence[str] = [tup.id for tup in anchors]
        else:
            anchored = self._storm_current if self.auto_anchor else ()
        if task is None and not need_task_ids:
            emit_plain(self._storm_line, self._storm_writer, values, stream, anchored)
            return None
        return self._storm_emit(Emit(values, stream, anchored, task, None, need_task_ids))
