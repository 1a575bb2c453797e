"""Captures by patterns and URLs."""

import shutil
from pathlib import Path
from zipfile import ZipFile

import pytest

import jvmwire
from jvmwire.errors import ConfigError
from kit.captures import SASL, WRITABLE
from kit.command import decode
from kit.command import jvmwire as run

CALLS = ("--table", "calls")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for place, file in ((9, WRITABLE), (10, SASL)):
        (tmp_path / f"day{place}").mkdir()
        shutil.copy(file, tmp_path / f"day{place}" / "nn.pcap")
    shutil.copy(WRITABLE, tmp_path / "x10.pcap")
    shutil.copy(SASL, tmp_path / "x9.pcap")
    shutil.copy(SASL, tmp_path / ".x1.pcap")
    return tmp_path


def test_a_pattern_is_its_files_in_the_order_of_their_numbers(folder: Path) -> None:
    together = decode(*CALLS, f"{folder}/x*.pcap").stdout
    assert together == decode(*CALLS, folder / "x9.pcap", folder / "x10.pcap").stdout
    assert decode(*CALLS, f"{folder}/**/nn.pcap").rows
    frame = jvmwire.read_capture(f"{folder}/x[0-9].pcap")
    assert frame.to_arrow() == jvmwire.read_capture(SASL).to_arrow()


def test_a_file_whose_name_looks_like_a_pattern_is_that_file(folder: Path) -> None:
    (folder / "x*.pcap").write_bytes(WRITABLE.read_bytes())
    assert decode(f"{folder}/x*.pcap").stdout == decode(WRITABLE).stdout


def test_a_pattern_without_files_is_one_sentence(folder: Path) -> None:
    done = decode(f"{folder}/y*.pcap", status=2)
    assert done.stderr == f"jvmwire: no file matches {folder}/y*.pcap\n"
    with pytest.raises(ConfigError, match="no file matches"):
        jvmwire.read_capture(f"{folder}/y*.pcap")


def test_the_output_may_not_be_among_the_files_of_a_pattern(folder: Path) -> None:
    done = decode(f"{folder}/x*.pcap", "-o", folder / "x9.pcap", status=2)
    assert "is also the input" in done.stderr


def test_a_url_is_read_as_its_file(folder: Path) -> None:
    assert decode(*CALLS, f"file://{SASL}").stdout == decode(*CALLS, SASL).stdout
    both = decode(*CALLS, f"file://{folder}/x*.pcap").stdout
    assert both == decode(*CALLS, folder / "x9.pcap", folder / "x10.pcap").stdout


def test_a_damaged_capture_at_a_url_is_said(folder: Path) -> None:
    (folder / "cut.pcap").write_bytes(SASL.read_bytes()[:-3])
    done = decode(*CALLS, f"file://{folder}/cut.pcap", status=1)
    assert f"file://{folder}/cut.pcap: the capture is cut short" in done.stderr


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("file:///no/such.pcap", "does not exist"),
        ("memory://no/*.pcap", "no file matches memory://no/*.pcap"),
        ("nothing://ann:secret@x/y", "nothing://x/y cannot be looked for: ValueError; fsspec"),
        ("htp://x/y", "knows no protocol 'htp'; did you mean 'http'?"),
        ("hdfs://namenode/a.pcap", "hdfs:// needs Hadoop's libhdfs and a JVM, webhdfs://"),
        ("zip://a.pcap::/no/a.zip", "zip://a.pcap::/no/a.zip cannot be looked for"),
        ("s3://bucket/a.pcap", "s3://bucket/a.pcap: Install s3fs to access S3"),
    ],
)
def test_a_url_that_cannot_be_read_is_one_sentence(url: str, said: str) -> None:
    done = decode(url, status=2)
    [line] = done.stderr.splitlines()
    assert said in line
    assert "secret" not in line


@pytest.mark.parametrize("command", ["decode", "query"])
@pytest.mark.parametrize(
    "url", ["file://{}", "local://{}", "file://{}*", "zip://a.pcap::file://{}", "zip://a.pcap::{}"]
)
def test_the_output_is_not_a_file_that_a_url_reads(command: str, url: str, tmp_path: Path) -> None:
    file = tmp_path / "in[1].pcap"
    if url.startswith("zip"):
        with ZipFile(file, "w") as archive:
            archive.write(WRITABLE, "a.pcap")
    else:
        file.write_bytes(WRITABLE.read_bytes())
    before = file.read_bytes()
    sql = ["select 1"] * (command == "query")
    done = run(command, url.format(file).replace("[1].pcap*", "*"), *sql, "-o", file, status=2)
    assert f"the output {file} is also the input" in done.stderr
    assert file.read_bytes() == before


def test_a_name_with_brackets_is_a_file_before_it_is_a_pattern(tmp_path: Path) -> None:
    (tmp_path / "in[1].pcap").write_bytes(WRITABLE.read_bytes())
    rows = decode(*CALLS, f"file://{tmp_path}/in[1].pcap").rows
    assert rows == decode(*CALLS, WRITABLE).rows


@pytest.mark.parametrize("option", ["--follow", "--protocol=hadoop --side=client"])
def test_dumps_and_followed_files_are_no_urls(option: str) -> None:
    done = decode(*option.split(), "https://ann:secret@host/x", status=2)
    assert "https://host/x is a URL: a dump and --follow take a file" in done.stderr
