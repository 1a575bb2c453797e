"""`jvmwire report`, `demo` and `spark` as separate programs."""

import os
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from py4j.protocol import Py4JError  # type: ignore[import-untyped]

from jvmwire.errors import ConfigError
from jvmwire.spark._session import _require_master, summarize_spark_errors
from kit.captures import SASL, WRITABLE
from kit.command import watched

JVMWIRE = Path(sys.executable).with_name("jvmwire")
# Each starts a JVM, on a machine that may be busy.
TIMEOUT = 240.0
pytestmark = pytest.mark.timeout(TIMEOUT + 30)


def jvmwire(*arguments: str | Path, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [JVMWIRE, *arguments],
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        timeout=TIMEOUT,
        check=False,
    )


@pytest.mark.parametrize("engine", [["--master", "local[1]"], []], ids=["spark", "in process"])
def test_report_says_its_findings_and_ends_with_1_for_a_damaged_capture(
    tmp_path: Path, engine: list[str]
) -> None:
    shutil.copy(SASL, tmp_path / "good.pcap")
    (tmp_path / "empty.pcap").touch()
    for number in range(6):
        (tmp_path / f"other{number}.cap").write_bytes(b"GIF89a")
    out = tmp_path / "report"
    done = jvmwire("report", tmp_path, "-o", out, *engine)
    assert done.returncode == 1, done.stderr
    lines = done.stdout.splitlines()
    assert lines[-1] == f"Report: {out / 'index.html'}"
    assert "calls over 6 connections" in lines[0]
    told = done.stderr.splitlines()[-6:]
    assert told[0] == "jvmwire: not decoded: empty.pcap: the capture is empty"
    assert "other0.cap: neither pcap nor pcapng" in told[1]
    assert told[5] == "jvmwire: not decoded for 2 other reasons: the page says which"
    assert "empty.pcap: the capture is empty" in (out / "index.html").read_text()


def test_demo_ends_with_0_and_says_on_a_terminal_what_is_under_way(tmp_path: Path) -> None:
    out = tmp_path / "demo"
    done = watched("demo", "-o", out, "--conf", "spark.master=local[1]", timeout=TIMEOUT)
    assert done.stdout.startswith(b"6,836 calls over 16 connections")
    assert "starting Spark" in done.stderr
    assert "decoding 1 capture in Spark" in done.stderr
    assert (out / "index.html").stat().st_size > 10_000


@pytest.mark.parametrize(
    "command",
    [["demo", "--engine", "spark"], ["report", SASL, "--engine", "spark"], ["spark", "check"]],
    ids=str,
)
def test_no_java_is_one_sentence(tmp_path: Path, command: list[str | Path]) -> None:
    output: list[str | Path] = [] if command[0] == "spark" else ["-o", tmp_path / "out"]
    done = jvmwire(*command, *output, PATH=str(tmp_path), JAVA_HOME="")
    assert done.returncode == 2
    assert done.stderr == (
        "jvmwire: Spark needs Java, which was not found: install a JDK 17, or set JAVA_HOME\n"
    )
    assert not (tmp_path / "out").exists()


def test_a_java_home_without_java_is_one_sentence(tmp_path: Path) -> None:
    done = jvmwire("spark", "check", JAVA_HOME=str(tmp_path))
    assert done.returncode == 2
    assert done.stderr == (
        f"jvmwire: Spark runs on Java, but JAVA_HOME is {tmp_path} and has no bin/java\n"
    )


def test_a_master_that_nobody_answers_at_is_one_sentence() -> None:
    with socket.socket() as taken, socket.create_server(("127.0.0.1", 0)) as open_:
        taken.bind(("127.0.0.1", 0))
        nobody, other, somebody = (
            f"{address[0]}:{address[1]}"
            for address in (taken.getsockname(), ("127.0.0.1", 1), open_.getsockname())
        )
        done = jvmwire("spark", "check", "--master", f"spark://{nobody},{other}")
        _require_master(f"spark://{nobody},{somebody}")
    assert done.returncode == 3
    assert done.stderr == (
        f"jvmwire: no Spark master can be reached at {nobody} (Connection refused), "
        f"{other} (Connection refused)\n"
    )


@pytest.mark.parametrize("master", ["local[2]", "yarn", "spark://host", "spark://[::1]:x"])
def test_a_master_that_is_no_address_is_left_to_spark(master: str) -> None:
    _require_master(master)


def test_what_java_threw_is_the_cause() -> None:
    account = (
        "An error occurred while calling None.org.apache.spark.sql.classic.SparkSession.\n"
        ": java.lang.IllegalStateException: Cannot call methods on a stopped SparkContext.\n"
        "\tat org.apache.spark.SparkContext.assertNotStopped(SparkContext.scala:123)"
    )
    said = "it fails: IllegalStateException: Cannot call methods on a stopped SparkContext."
    with pytest.raises(ConfigError) as told, summarize_spark_errors("it fails"):
        raise Py4JError(account)
    assert str(told.value) == said


@pytest.mark.parametrize("engine", ["in-process", "spark"])
def test_a_capture_that_is_not_there_is_one_sentence(tmp_path: Path, engine: str) -> None:
    done = jvmwire("report", tmp_path / "gone.pcap", "-o", tmp_path / "out", "--engine", engine)
    assert done.returncode == 2
    assert done.stderr == f"jvmwire: {tmp_path / 'gone.pcap'} does not exist\n"


def test_a_setting_without_a_value_is_bad_usage(tmp_path: Path) -> None:
    done = jvmwire("report", WRITABLE, "-o", tmp_path, "--conf", "spark.cores.max")
    assert done.returncode == 2
    assert "looks like spark.NAME=VALUE" in done.stderr


def test_what_is_linked_to_its_sources_cannot_be_shipped(tmp_path: Path) -> None:
    archive = tmp_path / "out.tar.gz"
    done = jvmwire("spark", "ship", archive)
    assert done.returncode == 2
    assert done.stderr.startswith("jvmwire: jvmwire is not installed from a wheel")
    assert not archive.exists()
