"""The dashboard of Grafana asks for metrics that exist, and metrics of captures are bounded."""

import json
import re
from typing import Any

import pyarrow as pa
import pytest
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.parser import text_string_to_metric_families

from jvmwire import CallReport
from jvmwire._cli.top import _metrics
from jvmwire._cli.top._counts import COLUMNS
from jvmwire._cli.top._metrics import CallMetrics
from jvmwire.capture import View
from jvmwire.capture._growing import GrowingCapture
from jvmwire.hadoop.server import Caller, ServedCall
from jvmwire.telemetry import PrometheusMetrics
from kit.captures import NAMENODE, decoded
from kit.environment import ROOT

DASHBOARDS = sorted((ROOT / "examples" / "grafana").glob("*.json"))
UNITS = {"reqps", "percentunit", "Bps", "s", "short"}
GIVEN_BY_PROMETHEUS = {"instance", "job"}


def scraped(registry: CollectorRegistry) -> dict[str, set[str]]:
    """Return the names of the samples of a scrape, with the names of their labels."""
    families = text_string_to_metric_families(generate_latest(registry).decode())
    return {sample.name: set(sample.labels) for family in families for sample in family.samples}


@pytest.fixture(scope="module")
def calls() -> pa.Table:
    return decoded(NAMENODE, "calls", columns=COLUMNS)


@pytest.fixture(scope="module")
def exposed(calls) -> dict[str, set[str]]:
    registry = CollectorRegistry()
    view = View("calls", columns=list(COLUMNS))
    metrics = CallMetrics(GrowingCapture(NAMENODE, [view], lambda _batch: None))
    metrics.observe(calls)
    registry.register(metrics)
    own = PrometheusMetrics(registry)
    own.on_call(CallReport("get", 0.1, 1, None, "hazelcast", "HazelcastClient"))
    own.on_served(ServedCall("P", "m", Caller("h:1"), 1, 0, 0.0, 0.1, None))
    return scraped(registry)


def panels(dashboard: dict[str, Any]) -> list[dict[str, Any]]:
    return [panel for panel in dashboard["panels"] if panel["type"] != "row"]


def test_there_is_a_dashboard():
    assert DASHBOARDS


@pytest.mark.parametrize("path", DASHBOARDS, ids=lambda path: path.name)
def test_a_dashboard_names_its_data_source_and_its_units(path):
    dashboard = json.loads(path.read_text())
    assert dashboard["title"]
    assert dashboard["uid"]
    kinds = {each["name"]: each["type"] for each in dashboard["templating"]["list"]}
    assert kinds["datasource"] == "datasource"
    numbers = [panel["id"] for panel in dashboard["panels"]]
    assert len(set(numbers)) == len(numbers)
    for panel in panels(dashboard):
        assert panel["title"]
        assert panel["fieldConfig"]["defaults"]["unit"] in UNITS
        for asked in (panel, *panel["targets"]):
            assert asked["datasource"] == {"type": "prometheus", "uid": "${datasource}"}


@pytest.mark.parametrize("path", DASHBOARDS, ids=lambda path: path.name)
def test_a_dashboard_asks_for_metrics_and_labels_that_exist(path, exposed):
    dashboard = json.loads(path.read_text())
    variables = {each["name"] for each in dashboard["templating"]["list"]} | {"__rate_interval"}
    wrong = []
    for panel in panels(dashboard):
        for target in panel["targets"]:
            expression = target["expr"]
            names = re.findall(r"\bjvmwire_\w+", expression)
            assert names, expression
            wrong += [name for name in names if name not in exposed]
            known = set.union(*(exposed.get(name, set()) for name in names)) | GIVEN_BY_PROMETHEUS
            labels = set(re.findall(r"(\w+)\s*(?:=~|!=|!~|=)\s*\"", expression))
            for grouped in re.findall(r"\bby \(([^)]*)\)", expression):
                labels |= {name.strip() for name in grouped.split(",")}
            labels |= set(re.findall(r"\{\{(\w+)\}\}", target["legendFormat"]))
            wrong += sorted(labels - known)
            wrong += sorted(set(re.findall(r"\$(\w+)", expression)) - variables)
            assert expression.count("(") == expression.count(")")
            assert expression.count("{") == expression.count("}")
    assert wrong == []


def test_no_metric_of_a_capture_is_missing_from_the_dashboard(exposed):
    asked = "".join(path.read_text() for path in DASHBOARDS)
    series = {name for name in exposed if not name.endswith(("_sum", "_count", "_created"))}
    assert {name for name in series if name not in asked} == {"jvmwire_capture_undecoded_bytes"}


def samples(metrics: CallMetrics) -> list[Any]:
    return [sample for metric in metrics.collect() for sample in metric.samples]


def test_metrics_count_each_call_of_a_capture(calls):
    metrics = CallMetrics()
    for batch in calls.to_batches(max_chunksize=999):
        metrics.observe(pa.Table.from_batches([batch]))
    found = samples(metrics)
    rows = calls.to_pylist()
    total = sum(each.value for each in found if each.name == "jvmwire_calls_total")
    assert total == len(rows)
    failed = sum(each.value for each in found if each.name == "jvmwire_call_errors_total")
    assert failed == sum(row["status"] != "ok" for row in rows)
    latencies = [row["latency_us"] for row in rows if row["latency_us"] is not None]
    for bound in ("0.001", "0.05", "+Inf"):
        within = sum(
            each.value
            for each in found
            if each.name == "jvmwire_call_duration_seconds_bucket" and each.labels["le"] == bound
        )
        assert within == sum(latency <= float(bound) * 1e6 for latency in latencies)
    seconds = sum(each.value for each in found if each.name == "jvmwire_call_duration_seconds_sum")
    assert seconds == pytest.approx(sum(latencies) / 1e6)


def of_users(calls: pa.Table, users: list[str]) -> pa.Table:
    few = calls.slice(0, len(users))
    return few.set_column(few.column_names.index("user"), "user", pa.array(users))


def test_users_beyond_the_limit_are_others(calls, monkeypatch):
    monkeypatch.setattr(_metrics, "MAX_USERS", 5)
    metrics = CallMetrics()
    for turn in range(4):
        metrics.observe(of_users(calls, [f"user-{turn}-{number}" for number in range(100)]))
    found = [each for each in samples(metrics) if each.name == "jvmwire_calls_total"]
    assert len({each.labels["user"] for each in found}) == 6
    assert sum(each.value for each in found) == 400


def test_series_beyond_the_limit_have_no_user(calls, monkeypatch):
    monkeypatch.setattr(_metrics, "MAX_SERIES", 5)
    metrics = CallMetrics()
    metrics.observe(of_users(calls, [f"user-{number}" for number in range(40)]))
    found = [each for each in samples(metrics) if each.name == "jvmwire_calls_total"]
    assert len({each.labels["user"] for each in found}) <= 6
    assert sum(each.value for each in found) == 40


def test_hostile_names_are_escaped_and_cut(calls):
    metrics = CallMetrics()
    metrics.observe(of_users(calls, ['a"\n\\', "\x1b[2J\u202e", "x" * 100_000]))
    registry = CollectorRegistry()
    registry.register(metrics)
    text = generate_latest(registry).decode()
    assert "\x1b" not in text
    assert "\u202e" not in text
    found = [each for each in samples(metrics) if each.name == "jvmwire_calls_total"]
    assert max(len(each.labels["user"]) for each in found) < 200
    users = {
        sample.labels["user"]
        for family in text_string_to_metric_families(text)
        for sample in family.samples
        if sample.name == "jvmwire_calls_total"
    }
    assert len(users) == 3
