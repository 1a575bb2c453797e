"""Spans and metrics of clients and servers."""

import sys
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import InMemoryMetricReader
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanKind, StatusCode
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.parser import text_string_to_metric_families

from jvmwire import CallReport
from jvmwire._runtime.client import _reporting
from jvmwire.errors import ConnectFailed, MissingExtra
from jvmwire.hadoop.errors import HadoopError
from jvmwire.hadoop.namenode import NameNode
from jvmwire.hadoop.rpc import connect, connect_async
from jvmwire.hadoop.server import Caller, RpcServer, RpcServerOptions, ServedCall
from jvmwire.hazelcast import AsyncHazelcastClient
from jvmwire.pravega import SegmentStore
from jvmwire.telemetry import OpenTelemetry, PrometheusMetrics, _prometheus
from kit.hadoop_protocols import OldPing

CALLER = Caller("10.0.0.9:4000", user="alice")


class Collected:
    """A tracer and a meter of the SDK, and what they have collected."""

    def __init__(self) -> None:
        self._exporter = InMemorySpanExporter()
        self.tracers = TracerProvider(shutdown_on_exit=False)
        self.tracers.add_span_processor(SimpleSpanProcessor(self._exporter))
        self._reader = InMemoryMetricReader()
        self.meters = MeterProvider([self._reader], shutdown_on_exit=False)
        self.telemetry = OpenTelemetry(tracer_provider=self.tracers, meter_provider=self.meters)

    @property
    def spans(self) -> tuple[ReadableSpan, ...]:
        return self._exporter.get_finished_spans()

    def durations(self) -> dict[str, Any]:
        data = self._reader.get_metrics_data()
        if data is None:
            return {}
        found = [
            metric
            for each in data.resource_metrics
            for scope in each.scope_metrics
            for metric in scope.metrics
        ]
        return {metric.name: metric for metric in found}


@pytest.fixture
def collected() -> Iterator[Collected]:
    found = Collected()
    yield found
    found.tracers.shutdown()
    found.meters.shutdown()


class Pings:
    async def ping(self, message: str) -> str:
        if message == "no":
            raise HadoopError("secret text", "org.example.Refused\x1b[2J")
        return message


@pytest.fixture
def server(collected: Collected) -> Iterator[RpcServer]:
    options = RpcServerOptions(on_call=collected.telemetry.on_served)
    with RpcServer(options) as server:
        server.add(OldPing, Pings())
        server.start("127.0.0.1", 0)
        yield server


def of_kind(collected: Collected, kind: SpanKind) -> list[ReadableSpan]:
    return [span for span in collected.spans if span.kind is kind]


def test_a_call_of_a_blocking_client_is_a_span_of_client_and_server(collected, server):
    begun = time.time_ns()
    tracer = collected.tracers.get_tracer("test")
    with (
        connect(OldPing, f"127.0.0.1:{server.port}", on_call=collected.telemetry.on_call) as client,
        tracer.start_as_current_span("parent") as parent,
    ):
        client.ping("X")
    [span] = [span for span in of_kind(collected, SpanKind.CLIENT) if span.name.endswith("/ping")]
    assert dict(span.attributes or {}) == {
        "rpc.system.name": "hadoop",
        "rpc.method": span.name,
        "server.address": "127.0.0.1",
        "server.port": server.port,
    }
    assert span.parent is not None
    assert span.parent.span_id == parent.get_span_context().span_id
    assert begun <= (span.start_time or 0) <= (span.end_time or 0) <= time.time_ns()
    assert span.status.status_code is StatusCode.UNSET
    server.stop()
    [served] = of_kind(collected, SpanKind.SERVER)
    assert served.parent is None
    assert served.name.endswith("/ping")
    assert dict(served.attributes or {}) == {
        "rpc.system.name": "hadoop",
        "rpc.method": served.name,
        "client.address": "127.0.0.1",
    }


async def calls_ping(port: int, **options: Any) -> None:
    async with connect_async(OldPing, f"127.0.0.1:{port}", **options) as client:
        await client.ping("X")
        with pytest.raises(HadoopError):
            await client.ping("no")


def test_a_call_that_fails_names_the_error_and_no_text_of_it(collected, server):
    import asyncio

    asyncio.run(calls_ping(server.port, on_call=collected.telemetry.on_call))
    good, bad = (
        span for span in of_kind(collected, SpanKind.CLIENT) if span.name.endswith("/ping")
    )
    assert good.status.status_code is StatusCode.UNSET
    assert bad.status.status_code is StatusCode.ERROR
    attributes = dict(bad.attributes or {})
    assert attributes["error.type"] == "HadoopError"
    assert attributes["rpc.response.status_code"] == r"org.example.Refused\x1b[2J"
    assert not bad.events
    assert "secret" not in bad.to_json()


def test_durations_have_the_names_and_buckets_of_the_conventions(collected):
    for seconds in (0.004, 0.004, 20.0):
        collected.telemetry.on_call(report(seconds=seconds))
    metric = collected.durations()["rpc.client.call.duration"]
    [point] = metric.data.data_points
    assert metric.unit == "s"
    assert tuple(point.explicit_bounds) == (
        *(0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10),
    )
    assert (point.count, point.bucket_counts[0], point.bucket_counts[-1]) == (3, 2, 1)


def report(**changes: Any) -> CallReport:
    known = CallReport("get", 0.002, 1, None, "hazelcast", "HazelcastClient", "10.0.0.1", 5701)
    return known._replace(**changes)


def served(**changes: Any) -> ServedCall:
    return ServedCall("ClientProtocol", "getFileInfo", CALLER, 1, 0, 0.0, 0.002, None)._replace(
        **changes
    )


def test_calls_of_a_batch_share_its_time_and_its_span(collected):
    collected.telemetry.on_served(served(calls=4, errors=1, seconds=0.04))
    [point] = collected.durations()["rpc.server.call.duration"].data.data_points
    assert (point.count, round(point.sum, 6)) == (4, 0.04)
    [span] = collected.spans
    assert (span.attributes or {})["error.type"] == "_OTHER"
    assert "alice" not in span.to_json()


def test_each_part_can_be_off(collected):
    only_spans = OpenTelemetry(durations=False, tracer_provider=collected.tracers)
    only_spans.on_call(report())
    assert len(collected.spans) == 1
    assert "rpc.client.call.duration" not in collected.durations()
    OpenTelemetry(spans=False, meter_provider=collected.meters).on_call(report())
    assert len(collected.spans) == 1
    assert "rpc.client.call.duration" in collected.durations()


def test_without_providers_nothing_is_recorded_and_nothing_fails():
    OpenTelemetry().on_call(report())


@pytest.mark.parametrize(
    ("client", "system"),
    [(NameNode, "hadoop"), (AsyncHazelcastClient, "hazelcast"), (SegmentStore, "pravega")],
)
def test_a_report_names_system_and_class_of_the_client(client, system):
    reports: list[CallReport] = []
    reporting = _reporting(reports.append, client)
    assert reporting is not None
    reporting(Ended(), 3.0)  # type: ignore[arg-type]
    assert reports == [
        CallReport("get", 1.0, 2, None, system, client.__name__, "one", 5701),
    ]


class Ended:
    """A task that has ended."""

    name, started, commands, error = "get", 2.0, 2, None

    class endpoint:  # noqa: N801
        host, port = "one", 5701


def scraped(registry: CollectorRegistry) -> dict[str, dict[tuple[str, ...], float]]:
    families = text_string_to_metric_families(generate_latest(registry).decode())
    found: dict[str, dict[tuple[str, ...], float]] = {}
    for family in families:
        for sample in family.samples:
            labels = tuple(value for name, value in sorted(sample.labels.items()))
            found.setdefault(sample.name, {})[labels] = sample.value
    return found


def test_prometheus_counts_calls_by_duration_and_error():
    registry = CollectorRegistry()
    metrics = PrometheusMetrics(registry)
    for seconds in (0.0005, 0.002, 99.0):
        metrics.on_call(report(seconds=seconds))
    metrics.on_call(report(error=ConnectFailed("secret")))
    metrics.on_served(served(calls=3))
    found = scraped(registry)
    method = "HazelcastClient/get"
    counts = found["jvmwire_client_call_duration_seconds_count"]
    assert counts == {("", method, "hazelcast"): 3, ("ConnectFailed", method, "hazelcast"): 1}
    buckets = found["jvmwire_client_call_duration_seconds_bucket"]
    by_bound = {labels[1]: value for labels, value in buckets.items() if labels[0] == ""}
    assert (by_bound["0.0005"], by_bound["0.0025"], by_bound["10.0"], by_bound["+Inf"]) == (
        1,
        2,
        2,
        3,
    )
    sums = found["jvmwire_client_call_duration_seconds_sum"]
    assert sums["", method, "hazelcast"] == pytest.approx(99.0025)
    assert found["jvmwire_server_call_duration_seconds_count"] == {
        ("", "ClientProtocol/getFileInfo", "hadoop"): 3
    }


def test_no_call_of_many_threads_is_lost(monkeypatch):
    monkeypatch.setattr(_prometheus, "WAITING", 7)
    registry = CollectorRegistry()
    metrics = PrometheusMetrics(registry)

    def calls() -> None:
        for _ in range(2000):
            metrics.on_call(report())

    threads = [threading.Thread(target=calls) for _ in range(4)]
    for thread in threads:
        thread.start()
    for _ in range(50):
        generate_latest(registry)
    for thread in threads:
        thread.join()
    assert list(scraped(registry)["jvmwire_client_call_duration_seconds_count"].values()) == [8000]


def test_a_registry_takes_the_metrics_once():
    registry = CollectorRegistry()
    PrometheusMetrics(registry)
    with pytest.raises(ValueError, match="jvmwire_client_call_duration_seconds"):
        PrometheusMetrics(registry)


@pytest.mark.parametrize(
    ("module", "make", "extra"),
    [
        ("opentelemetry.trace", OpenTelemetry, "opentelemetry"),
        ("prometheus_client", PrometheusMetrics, "prometheus"),
    ],
)
def test_a_missing_package_is_named_with_its_extra(monkeypatch, module, make, extra):
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MissingExtra, match=rf"pip install \"jvmwire\[{extra}\]\""):
        make()


def test_an_error_of_the_hook_of_a_server_is_logged_and_the_call_is_answered(caplog):
    def fail(_call: ServedCall) -> None:
        raise ValueError("the hook is wrong")

    with RpcServer(RpcServerOptions(on_call=fail)) as server:
        server.add(OldPing, Pings())
        with connect(OldPing, f"127.0.0.1:{server.start('127.0.0.1', 0)}") as client:
            assert client.ping("X") == "X"
            assert client.ping("Y") == "Y"
    assert "on_call of the server failed" in caplog.text
