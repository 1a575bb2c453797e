"""The examples and tables of docs/monitoring.md are true."""

import re
import shlex

from jvmwire._cli.top import _counts, _metrics
from jvmwire._cli.top._command import ORDERS, VIEWS
from jvmwire._cli.top._metrics import CallMetrics
from jvmwire._cli.top._rows import ORDERS as COLUMNS_OF_ORDERS
from jvmwire._cli.top._screen import ORDER_HEADINGS, VIEW_KEYS
from jvmwire.capture import View
from jvmwire.capture._growing import GrowingCapture
from kit.captures import NAMENODE
from kit.command import jvmwire
from kit.guide import GUIDE, examples, run_python
from kit.hadoop_protocols import OldPing

PAGE = "monitoring.md"
TEXT = (GUIDE / PAGE).read_text()


class Pings:
    """Service that returns its argument."""

    async def ping(self, message: str) -> str:
        """Return the argument."""
        return message


def test_the_pages_python_runs(monkeypatch):
    monkeypatch.setattr("builtins.PingRPC", OldPing, raising=False)
    monkeypatch.setattr("builtins.Pings", Pings, raising=False)
    run_python(PAGE)


def test_the_pages_commands_that_end_run():
    shown = [
        line.removeprefix("$ jvmwire ")
        for block in examples(PAGE, "console")
        for line in block.text.splitlines()
    ]
    ending = [line for line in shown if "--once" in line]
    assert len(ending) == 2
    for line in ending:
        assert jvmwire(*shlex.split(line.replace("nn.pcap", str(NAMENODE)))).stdout


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
