"""Duration histograms of calls for Prometheus."""

from __future__ import annotations

from bisect import bisect_left
from itertools import accumulate
from threading import Lock
from typing import TYPE_CHECKING, Final

from jvmwire._extras import import_extra

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from prometheus_client import CollectorRegistry
    from prometheus_client.metrics_core import HistogramMetricFamily, Metric

    from jvmwire.hadoop.server import ServedCall
    from jvmwire.options import CallReport

BUCKETS: Final = (
    *(0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0),
)
"""Upper bounds of the buckets of durations, in seconds (chosen by jvmwire)."""
WAITING: Final = 4096
"""Durations of a series that wait to be put into buckets (chosen by jvmwire)."""
OTHER: Final = "_OTHER"
"""The label of calls of a batch of which some were refused."""


class _Series:
    """The durations of calls with the same labels.

    A call appends its duration, which is atomic; a scrape, or the call after many, puts them into
    buckets.
    """

    __slots__ = ("_counts", "_lock", "_sum", "labels", "waiting")

    def __init__(self, labels: tuple[str, str, str]) -> None:
        self.labels = labels
        self.waiting: list[float] = []
        self._counts = [0] * (len(BUCKETS) + 1)
        self._sum = 0.0
        self._lock = Lock()

    def fold(self) -> tuple[list[int], float]:
        """Put the waiting durations into buckets; return the cumulated counts and the sum."""
        with self._lock:
            taken = self.waiting[:]
            del self.waiting[: len(taken)]  # other threads may have appended since
            for seconds in taken:
                self._counts[bisect_left(BUCKETS, seconds)] += 1
            self._sum += sum(taken)
            return list(accumulate(self._counts)), self._sum


class PrometheusMetrics:
    """Histograms of the durations of calls, by system, method and class of the error.

    `jvmwire_client_call_duration_seconds` counts calls of clients, and
    `jvmwire_server_call_duration_seconds` those that servers executed. Labels are names of methods
    and of Python's classes of errors, so that their number does not depend on peers.

    Args:
        registry: Registry of the metrics. Default: that of the program.

    Raises:
        MissingExtra: the package `prometheus-client` is not installed.
        ValueError: the registry has such metrics already.
    """

    def __init__(self, registry: CollectorRegistry | None = None) -> None:
        prometheus = import_extra(
            "prometheus_client", "PrometheusMetrics needs", '"jvmwire[prometheus]"'
        )
        self._clients: dict[object, _Series] = {}
        self._servers: dict[object, _Series] = {}
        (prometheus.REGISTRY if registry is None else registry).register(self)

    def on_call(self, report: CallReport) -> None:
        """Record a call of a client: the value of its option `on_call`.

        Args:
            report: The call.
        """
        name, seconds, _, error, system, client, _, _ = report
        kind = None if error is None else type(error)
        key = (client, name, kind)
        series = self._clients.get(key)
        if series is None:
            failed = "" if kind is None else kind.__qualname__
            made = _Series((system, f"{client}/{name}", failed))
            series = self._clients.setdefault(key, made)
        waiting = series.waiting
        waiting.append(seconds)
        if len(waiting) >= WAITING:
            series.fold()

    def on_served(self, call: ServedCall) -> None:
        """Record a call that a server executed: the value of its option `on_call`.

        The calls of a batch are recorded with an equal share of its time.

        Args:
            call: The call, or the batch.
        """
        kind = None if call.error is None else type(call.error)
        key = (call.protocol, call.method, kind, call.errors > 0)
        series = self._servers.get(key)
        if series is None:
            failed = kind.__qualname__ if kind is not None else OTHER if call.errors else ""
            made = _Series(("hadoop", f"{call.protocol}/{call.method}", failed))
            series = self._servers.setdefault(key, made)
        series.waiting.extend([call.seconds / call.calls] * call.calls)
        if len(series.waiting) >= WAITING:
            series.fold()

    def describe(self) -> Iterable[Metric]:
        """Return the metrics without values; the client library checks their names.

        Returns:
            The metrics.
        """
        return [metric for metric, _ in self._families()]

    def collect(self) -> Iterator[Metric]:
        """Yield the metrics; the client library calls it for each scrape.

        Yields:
            The histograms of clients and of servers.
        """
        bounds = [*map(str, BUCKETS), "+Inf"]
        for metric, known in self._families():
            for series in list(known.values()):
                counts, total = series.fold()
                metric.add_metric(series.labels, list(zip(bounds, counts, strict=True)), total)
            yield metric

    def _families(self) -> Iterator[tuple[HistogramMetricFamily, dict[object, _Series]]]:
        from prometheus_client.metrics_core import HistogramMetricFamily

        for side, known in (("client", self._clients), ("server", self._servers)):
            metric = HistogramMetricFamily(
                f"jvmwire_{side}_call_duration_seconds",
                f"Seconds of the calls of {side}s.",
                labels=["system", "method", "error"],
            )
            yield metric, known
