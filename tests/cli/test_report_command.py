"""`jvmwire report` and `jvmwire demo` in this process: no Spark, no JVM."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from kit.captures import NAMENODE, SASL, WRITABLE
from kit.command import TIMEOUT, command, jvmwire, watched
from kit.scale_capture import amplify

RAN = """
import sys
sys.argv = ["jvmwire", "demo", "-o", sys.argv[1]]
from jvmwire.__main__ import main
try:
    main()
finally:
    print(*sorted({"pandas", "py4j", "pyspark"} & set(sys.modules)))
"""


def test_a_report_needs_neither_spark_nor_pandas_nor_java(tmp_path: Path) -> None:
    nothing = {**os.environ, "PATH": str(tmp_path), "JAVA_HOME": ""}
    done = subprocess.run(
        [sys.executable, "-c", RAN, tmp_path / "out"],
        capture_output=True,
        text=True,
        env=nothing,
        timeout=TIMEOUT,
        check=True,
    )
    *findings, page, imported = done.stdout.splitlines()
    assert findings[0].startswith("6,836 calls over 16 connections")
    assert page == f"Report: {tmp_path / 'out' / 'index.html'}"
    assert (imported, done.stderr) == ("", "")


def test_a_bar_says_how_much_was_read_and_goes_when_all_was(tmp_path: Path) -> None:
    drawn = watched("report", SASL, WRITABLE, "-o", tmp_path).stderr
    assert "decoding" in drawn
    size = (SASL.stat().st_size + WRITABLE.stat().st_size) / 1000
    assert f"{size:.1f}/{size:.1f} kB" in drawn
    assert drawn.endswith("\x1b[2K")


def test_the_recording_of_the_demo_is_written_and_replaces_nothing(tmp_path: Path) -> None:
    path = tmp_path / "demo.pcap.gz"
    assert jvmwire("demo", "--capture", "-o", path).stdout == f"{path}\n".encode()
    assert path.read_bytes() == NAMENODE.read_bytes()
    path.write_bytes(b"of somebody")
    said = jvmwire("demo", "--capture", "-o", path, status=2).stderr
    assert f"{path} exists already: name another file by -o, or add --force" in said
    assert path.read_bytes() == b"of somebody"
    jvmwire("demo", "--capture", "--force", "-o", path)
    assert path.read_bytes() == NAMENODE.read_bytes()
    said = jvmwire("demo", "-o", path, status=2).stderr
    assert "' is a file: expected the folder of a report" in said
    said = jvmwire("demo", "--capture", "--engine", "spark", status=2).stderr
    assert "--capture writes a recording: it needs no engine" in said
    missing = tmp_path / "none" / "demo.pcap.gz"
    assert "No such file" in jvmwire("demo", "--capture", "-o", missing, status=2).stderr


def test_a_report_may_keep_no_calls(tmp_path: Path) -> None:
    jvmwire("report", WRITABLE, "-o", tmp_path, "--no-calls")
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "index.html",
        "summary.json",
        "summary.md",
    ]


@pytest.mark.parametrize("option", [["--master", "local[1]"], ["--conf", "spark.cores.max=1"]])
def test_options_of_spark_are_refused_without_spark(tmp_path: Path, option: list[str]) -> None:
    done = jvmwire(
        "report", WRITABLE, "-o", tmp_path / "out", "--engine", "in-process", *option, status=2
    )
    assert "--master and --conf are for --engine spark" in done.stderr
    assert not (tmp_path / "out").exists()


def test_a_url_is_refused_without_its_secrets(tmp_path: Path) -> None:
    done = jvmwire("report", "http://ann:secret@host/a.pcap", "-o", tmp_path / "report", status=2)
    assert "http://host/a.pcap is a URL: a report takes files and folders" in done.stderr
    assert "secret" not in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_an_output_that_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    done = jvmwire("report", WRITABLE, "-o", tmp_path / "file" / "out", status=2)
    [sentence] = done.stderr.splitlines()
    assert sentence.startswith(f"jvmwire: {tmp_path / 'file'}")


@pytest.mark.parametrize("wanted", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_leaves_nothing_and_keeps_an_earlier_report(
    tmp_path: Path, wanted: signal.Signals
) -> None:
    out = tmp_path / "out"
    jvmwire("report", WRITABLE, "-o", out)
    before = {path: path.read_bytes() for path in out.rglob("*") if path.is_file()}
    capture = tmp_path / "large.pcap"
    with capture.open("wb") as file:
        amplify(NAMENODE, file, copies=100)
    process = subprocess.Popen(
        ["env", "--default-signal=INT", *command("report", capture, "-o", out)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    end = time.monotonic() + TIMEOUT
    while not list(out.glob("*unfinished/.part*")) and time.monotonic() < end:
        time.sleep(0.01)
    process.send_signal(wanted)
    said = process.communicate(timeout=TIMEOUT)
    assert (process.returncode, said) == (
        130 if wanted == signal.SIGINT else -wanted,
        (b"", b""),
    )
    assert {path: path.read_bytes() for path in out.rglob("*") if path.is_file()} == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["large.pcap", "out"]
    assert [path.name for path in out.iterdir() if path.name.startswith(".")] == []


def test_an_alarm_is_exit_status_5_if_it_is_asked_for(tmp_path: Path) -> None:
    jvmwire("report", NAMENODE, "-o", tmp_path, "--no-calls", "--fail-on", "alarm", status=5)
    calm = tmp_path / "calm.toml"
    printed = jvmwire("report", "--print-thresholds").stdout.decode()
    calm.write_text(printed.replace("failed_share = 0.05", "failed_share = 1"))
    few = ("--where", "status = 'ok'", "--no-calls", "--fail-on", "alarm")
    jvmwire("report", NAMENODE, "-o", tmp_path, "--thresholds", calm, *few)
    done = jvmwire("report", NAMENODE, "-o", tmp_path, "--where", "usr = 1", status=2)
    assert "did you mean 'user'" in done.stderr


def test_two_recordings_are_compared_and_a_planted_caller_is_named_first(tmp_path: Path) -> None:
    out = tmp_path / "without"
    jvmwire("report", NAMENODE, "-o", out, "--no-calls", "--where", "user <> 'erin'")
    done = jvmwire("compare", out, NAMENODE, "--fail-on", "change", status=5)
    assert done.stdout.startswith(b"erin broken-job (Calls by job, calls) is new: 300 calls, ")
    rows = [
        json.loads(line)
        for line in jvmwire("compare", NAMENODE, NAMENODE, "--json").stdout.splitlines()
    ]
    assert len(rows) > 20
    assert {row["verdict"] for row in rows} == {"noise"}
    same = jvmwire("compare", out, out / "summary.json", "--fail-on", "change").stdout
    assert same.startswith(b"Nothing changed beyond noise")
