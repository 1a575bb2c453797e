"""Metrics of a capture's calls for Prometheus, with a bounded number of series."""

from __future__ import annotations

from contextlib import contextmanager
from itertools import accumulate
from threading import Lock
from typing import TYPE_CHECKING, Any, Final

import pyarrow as pa
import pyarrow.compute as pc

from jvmwire._cli.top._counts import UNKNOWN
from jvmwire._escaping import escape, shorten
from jvmwire._extras import import_extra
from jvmwire.capture._aggregates import OTHERS_LABEL
from jvmwire.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from prometheus_client.metrics_core import Metric

    from jvmwire.capture._growing import GrowingCapture

BUCKETS: Final = (
    *(0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0),
)
"""Upper bounds of the buckets of durations, in seconds (chosen by jvmwire)."""
MAX_USERS: Final = 50
"""Users with series of their own; the first ones to call (chosen by jvmwire)."""
MAX_METHODS: Final = 200
"""Methods with series of their own (chosen by jvmwire)."""
MAX_ERRORS: Final = 50
"""Classes of errors with series of their own (chosen by jvmwire)."""
MAX_SERIES: Final = 5000
"""Series of `jvmwire_calls_total`; beyond them the user is `(others)` (chosen by jvmwire)."""
MAX_LABEL: Final = 120
"""Characters of a label (chosen by jvmwire)."""


class _Labels:
    """The values of a label: the first ones, and `(others)` for all that come later."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._known: dict[str | None, str] = {None: UNKNOWN}

    def __getitem__(self, value: str | None) -> str:
        label = self._known.get(value)
        if label is None:
            if len(self._known) > self._limit:
                return OTHERS_LABEL
            label = self._known[value] = escape(shorten(str(value), MAX_LABEL))
        return label


class CallMetrics:
    """Collector of the metrics of calls.

    Args:
        capture: The capture whose calls are counted; None for none.
    """

    def __init__(self, capture: GrowingCapture | None = None) -> None:
        self.capture = capture
        self.is_behind = True
        """Whether the capture has bytes that were not read yet."""
        self.undecoded_bytes = 0
        """Bytes of the capture that were read and not decoded."""
        self._lock = Lock()
        self._users, self._methods = _Labels(MAX_USERS), _Labels(MAX_METHODS)
        self._errors = _Labels(MAX_ERRORS)
        self._calls: dict[tuple[str, ...], int] = {}
        self._failures: dict[tuple[str, ...], int] = {}
        self._bytes: dict[tuple[str, ...], list[int]] = {}
        self._durations: dict[tuple[str, ...], list[int]] = {}
        """Counts by bucket, not cumulative, and the sum in microseconds."""

    def observe(self, calls: pa.Table) -> None:
        """Count calls.

        Args:
            calls: Rows of the table `calls`.
        """
        texts = {name: _encoded(calls, name) for name in ("protocol", "name", "user", "status")}
        error = _encoded(calls, "error_class")
        latency = calls["latency_us"]
        rows = pa.table(
            {
                **texts,
                "error": error,
                "bucket": _buckets(latency),
                "latency": latency,
                "asked": calls["request_bytes"],
                "answered": calls["reply_bytes"],
            }
        )
        # Threads cost more than they save: there are some thousand rows.
        groups = rows.group_by([*texts, "error", "bucket"], use_threads=False).aggregate(
            [([], "count_all"), ("latency", "sum"), ("asked", "sum"), ("answered", "sum")]
        )
        found = groups.sort_by([("count_all", "descending")]).to_pylist()
        with self._lock:
            for row in found:
                self._add(row)

    def _add(self, row: dict[str, Any]) -> None:
        """Add one group of calls."""
        count, status = row["count_all"], row["status"]
        protocol, method = row["protocol"], self._methods[row["name"]]
        key = (protocol, method, self._users[row["user"]], status)
        if key not in self._calls and len(self._calls) >= MAX_SERIES:
            key = (protocol, method, OTHERS_LABEL, status)
        self._calls[key] = self._calls.get(key, 0) + count
        if status != "ok":
            failure = (protocol, self._errors[row["error"] or status])
            self._failures[failure] = self._failures.get(failure, 0) + count
        sizes = self._bytes.setdefault((protocol, method), [0, 0])
        sizes[0] += row["asked_sum"] or 0
        sizes[1] += row["answered_sum"] or 0
        if row["bucket"] is not None:
            durations = self._durations.setdefault((protocol, method), [0] * (len(BUCKETS) + 2))
            durations[row["bucket"]] += count
            durations[-1] += row["latency_sum"]

    def collect(self) -> Iterable[Metric]:
        """Yield the metrics; the client library calls it for each scrape."""
        from prometheus_client.metrics_core import (
            CounterMetricFamily,
            GaugeMetricFamily,
            HistogramMetricFamily,
        )

        calls = CounterMetricFamily(
            "jvmwire_calls",
            "Calls that were captured.",
            labels=["protocol", "method", "user", "status"],
        )
        failures = CounterMetricFamily(
            "jvmwire_call_errors",
            "Calls that failed, by the class of the error.",
            labels=["protocol", "error_class"],
        )
        by_method = ["protocol", "method"]
        requests = CounterMetricFamily(
            "jvmwire_request_bytes", "Bytes of the requests.", labels=by_method
        )
        replies = CounterMetricFamily(
            "jvmwire_reply_bytes", "Bytes of the replies.", labels=by_method
        )
        durations = HistogramMetricFamily(
            "jvmwire_call_duration_seconds",
            "Seconds from a request to its reply.",
            labels=by_method,
        )
        with self._lock:
            for key, count in self._calls.items():
                calls.add_metric(key, count)
            for key, count in self._failures.items():
                failures.add_metric(key, count)
            for key, (asked, answered) in self._bytes.items():
                requests.add_metric(key, asked)
                replies.add_metric(key, answered)
            bounds = [*map(str, BUCKETS), "+Inf"]
            for key, (*counts, microseconds) in self._durations.items():
                buckets = list(zip(bounds, accumulate(counts), strict=True))
                durations.add_metric(key, buckets, sum_value=microseconds / 1e6)
        yield from (calls, failures, requests, replies, durations)
        if self.capture is not None:
            read = self.capture.read_bytes
            yield CounterMetricFamily(
                "jvmwire_capture_read_bytes", "Bytes of captures that were read.", value=read
            )
            yield CounterMetricFamily(
                "jvmwire_capture_damages",
                "Files that were damaged or could not be read.",
                value=self.capture.damages,
            )
            yield GaugeMetricFamily(
                "jvmwire_capture_undecoded_bytes",
                "Bytes that were read and not decoded.",
                value=self.undecoded_bytes,
            )
            yield GaugeMetricFamily(
                "jvmwire_capture_behind",
                "1 while bytes of the capture wait to be read.",
                value=int(self.is_behind),
            )


def _encoded(calls: pa.Table, name: str) -> Any:
    column: Any = calls[name]
    return column.combine_chunks().dictionary_encode()


def _buckets(latency: Any) -> Any:
    """Return the number of each duration's bucket, null for none."""
    found = pc.greater(latency, pa.scalar(round(BUCKETS[0] * 1e6))).cast(pa.int8())
    for bound in BUCKETS[1:]:
        found = pc.add(found, pc.greater(latency, pa.scalar(round(bound * 1e6))).cast(pa.int8()))
    return found


@contextmanager
def serve_metrics(metrics: CallMetrics, host: str, port: int) -> Iterator[int]:
    """Serve metrics over HTTP within the block.

    Args:
        metrics: The metrics.
        host: Address to listen at.
        port: Port to listen at; 0 for a free one.

    Yields:
        The port.

    Raises:
        ConfigError: the address cannot be listened at.
        MissingExtra: the client library of Prometheus is not installed.
    """
    prometheus = import_extra("prometheus_client", "--metrics needs", '"jvmwire[prometheus]"')
    registry = prometheus.CollectorRegistry()
    registry.register(metrics)
    try:
        server, thread = prometheus.start_http_server(port, addr=host, registry=registry)
    except (OSError, UnicodeError) as error:  # a host may be too long for a name
        said = getattr(error, "strerror", None) or error
        raise ConfigError(f"--metrics cannot listen at {host}:{port}: {said}") from error
    try:
        yield server.server_port
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
