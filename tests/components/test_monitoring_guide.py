"""The examples and tables of docs/monitoring.md are true."""

import re

from jvmwire._cli.top import _counts, _metrics
from jvmwire._cli.top._command import ORDERS, VIEWS
from jvmwire._cli.top._metrics import CallMetrics
from jvmwire._cli.top._rows import ORDERS as COLUMNS_OF_ORDERS
from jvmwire._cli.top._screen import ORDER_HEADINGS, VIEW_KEYS
from jvmwire.capture import View
from jvmwire.capture._growing import GrowingCapture
from kit.captures import NAMENODE
from kit.guide import GUIDE, run_python

PAGE = "monitoring.md"
TEXT = (GUIDE / PAGE).read_text()


def test_the_pages_python_runs(tmp_path):
    run_python("monitoring.md", tmp_path)


def test_each_key_of_a_view_is_named():
    [row] = re.findall(r"^\| (`u`.*?) \|", TEXT, re.MULTILINE)
    assert re.findall(r"`(\w)`", row) == list(VIEW_KEYS)


def test_views_and_orders_of_the_options_are_those_that_are_counted():
    assert VIEWS == _counts.VIEWS
    assert list(ORDERS) == list(COLUMNS_OF_ORDERS) == list(ORDER_HEADINGS)


def test_each_metric_is_named_with_its_labels():
    capture = GrowingCapture(NAMENODE, [View("calls")], lambda _batch: None)
    found = {
        metric.name + ("_total" if metric.type == "counter" else "")
        for metric in CallMetrics(capture).collect()
    }
    section = TEXT.partition("## Captures as metrics")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| (`jvmwire_.*?) \|", section, re.MULTILINE)
    assert {name for row in rows for name in re.findall(r"`(\w+)`", row)} == found


def test_the_limits_are_those_of_the_code():
    assert f"first {_metrics.MAX_USERS} users" in TEXT
    assert f"{_metrics.MAX_METHODS} methods and {_metrics.MAX_ERRORS} classes" in TEXT
    assert f"at most {_metrics.MAX_SERIES:,}" in TEXT
    assert f"longer\nthan {_metrics.MAX_LABEL} characters" in TEXT
    assert f"{_counts.MAX_KEYS:,} keys of each view" in TEXT
