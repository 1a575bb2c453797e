"""Data frames of captures: URLs, extras that are not installed, and the preview's bounds."""

import io
import subprocess
import sys
import warnings
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import fsspec
import pyarrow as pa
import pytest

import jvmwire
from jvmwire.capture import _frame
from jvmwire.capture._urls import hide_secrets, is_url
from jvmwire.errors import ConfigError, MissingExtra
from jvmwire.hadoop import NameNode
from jvmwire.hazelcast import ArrowEntries
from jvmwire.hazelcast.serialization import SerializationService
from kit.captures import SASL, WRITABLE, cut_short
from kit.hadoop_scripted import listing, scripted, status

URL = "memory://captures/nn.pcap"


@pytest.fixture
def memory():
    files = fsspec.filesystem("memory")
    files.pipe("/captures/nn.pcap", SASL.read_bytes())
    files.pipe("/captures/cut.pcap", cut_short(SASL))
    yield files
    files.rm("/captures", recursive=True)


@pytest.mark.parametrize("source", [URL, [URL], f"file://{SASL}", f"local://{SASL}"], ids=str)
def test_a_capture_at_a_url_is_read_as_a_file(memory: Any, source: Any):
    frame = jvmwire.read_capture(source, columns=["name", "latency_us"])
    expected = jvmwire.read_capture(SASL, columns=["name", "latency_us"]).to_arrow()
    assert frame.to_arrow() == frame.to_arrow() == expected
    assert pa.table(frame) == expected
    assert frame._repr_html_().count("<tr>") > 1


def test_urls_and_paths_number_their_streams_on(memory: Any):
    both = jvmwire.read_capture([URL, WRITABLE], "streams").to_arrow()["stream"].to_pylist()
    alone = [len(jvmwire.read_capture(one, "streams").to_arrow()) for one in (URL, WRITABLE)]
    assert len(set(both)) == len(both) == sum(alone)


def test_a_pattern_of_urls_is_its_files_in_the_order_of_their_numbers(memory: Any):
    for place, file in ((10, WRITABLE), (9, SASL)):
        memory.pipe(f"/captures/x{place}.pcap", file.read_bytes())
    found = jvmwire.read_capture("memory://captures/x*.pcap", "streams").to_arrow()
    assert found == jvmwire.read_capture([SASL, WRITABLE], "streams").to_arrow()
    with pytest.raises(ConfigError, match=r"no file matches memory://captures/y\[0-9\]\.pcap"):
        jvmwire.read_capture("memory://captures/y[0-9].pcap")


class Broken(io.BytesIO):
    """A file whose second read fails as a library's may."""

    def read(self, size: int | None = -1, /) -> bytes:
        if self.tell():
            raise RuntimeError("https://ann:secret@host/captures")
        return super().read(size)


def test_a_url_is_read_in_chunks_and_its_errors_show_no_secret(
    memory: Any, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(type(memory), "_open", lambda *_, **__: Broken(SASL.read_bytes()))
    with pytest.raises(OSError, match="cannot be read: RuntimeError") as caught:
        jvmwire.read_capture(URL).to_arrow()
    assert "secret" not in str(caught.value)


def test_a_url_takes_options_of_its_file_system(tmp_path: Path):
    frame = jvmwire.read_capture(f"file://{SASL}", storage_options={"auto_mkdir": False})
    assert frame.to_arrow().num_rows > 0
    with pytest.raises(ConfigError, match="cannot be looked for: TypeError"):
        jvmwire.read_capture(URL, storage_options={5: 5})  # type: ignore[dict-item]


def test_a_damaged_capture_at_a_url_is_a_warning_with_its_name(memory: Any):
    frame = jvmwire.read_capture("memory://captures/cut.pcap")
    with pytest.warns(UserWarning, match=r"memory://captures/cut\.pcap: the capture is cut short"):
        assert frame.to_arrow().num_rows > 0


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("memory://captures/gone.pcap", "memory://captures/gone.pcap does not exist"),
        ("memory://captures", "memory://captures does not exist, or is not a file"),
        ("nothing://x/y", "nothing://x/y cannot be looked for: ValueError; fsspec knows no"),
        ("nothing://[x/y", "nothing://[x/y cannot be looked for: "),
    ],
)
def test_a_url_that_is_not_there_is_said_at_once(memory: Any, url: str, said: str):
    with pytest.raises(ConfigError) as caught:
        jvmwire.read_capture(url)
    assert str(caught.value).startswith(said)


def test_secrets_of_a_url_are_not_shown(memory: Any):
    with pytest.raises(ConfigError) as caught:
        jvmwire.read_capture("nothing://ann:secret@host/a.pcap?signature=secret#secret")
    assert str(caught.value) == (
        "nothing://host/a.pcap cannot be looked for: ValueError; fsspec knows no protocol 'nothing'"
    )
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__
    frame = jvmwire.read_capture(f"simplecache::{URL}")
    assert repr(frame) == f"<CaptureFrame calls of simplecache::{URL}>"


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("http://ann:secret@host:80/a.pcap", "http://host:80/a.pcap"),
        ("http://ann:secret@[::1]:80/a.pcap", "http://[::1]:80/a.pcap"),
        ("http://ann:se@cret@host/a.pcap", "http://host/a.pcap"),
        ("http://ann:sec/ret@host/a.pcap", "http://..."),
        ("http://ann:s@sec/ret@host/a.pcap", "http://..."),
        ("http://ann:sec?ret@host/a.pcap", "http://..."),
        ("http://ann:secret@[::1/a.pcap", "http://[::1/a.pcap"),
        ("http://ann:secret@host/a::zip://b", "http://host/a::zip://b"),
        ("zip://a.pcap?key=secret::file:///b.zip", "zip://a.pcap::file:///b.zip"),
        ("filecache::s3://ann:secret@b/c?d", "filecache::s3://b/c"),
        ("http://host:80/a@b.pcap", "http://host:80/a@b.pcap"),
        ("file:///a/b:c/d@e.pcap", "file:///a/b:c/d@e.pcap"),
        ("memory://x[1", "memory://x[1"),
    ],
)
def test_no_part_of_a_chain_shows_a_secret(url: str, shown: str):
    assert hide_secrets(url) == shown


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("s3://bucket/a.pcap", True),
        ("simplecache::s3://bucket/a.pcap", True),
        ("C:\\captures\\a.pcap", False),
        ("C:/captures/a.pcap", False),
        ("captures/a.pcap", False),
        ("captures/http://a.pcap", False),
        ("a:b.pcap", False),
    ],
)
def test_paths_are_not_urls(source: str, expected: bool):
    assert is_url(source) is expected


MISSING = """
import sys
for name in {absent!r}:
    sys.modules[name] = None
import jvmwire
try:
    frame = jvmwire.read_capture({source!r})
    {use}
except jvmwire.MissingExtra as error:
    print(error)
"""


@pytest.mark.parametrize(
    ("absent", "source", "use", "said"),
    [
        (["pandas"], str(SASL), "frame.to_pandas()", "to_pandas needs pandas: pip install pandas"),
        (["polars"], str(SASL), "frame.to_polars()", "to_polars needs polars: pip install polars"),
        (
            ["fsspec", "fsspec.core"],
            URL,
            "pass",
            "captures at URLs need fsspec: pip install 'jvmwire[fsspec]'",
        ),
        (
            ["pyarrow"],
            str(SASL),
            "frame.schema",
            "data frames need pyarrow: pip install 'jvmwire[arrow]'",
        ),
    ],
    ids=["pandas", "polars", "fsspec", "pyarrow"],
)
def test_what_is_not_installed_is_named_with_the_command(absent, source, use, said):
    program = MISSING.format(absent=absent, source=source, use=use)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == (f"{said}\n", "")


def test_a_file_system_whose_package_is_missing_is_named():
    with pytest.raises((MissingExtra, ConfigError)) as caught:
        jvmwire.read_capture("gdrive://bucket/a.pcap")
    assert "gdrive://bucket/a.pcap" in str(caught.value)


class Counted(io.BytesIO):
    """File that counts the bytes read from it."""

    count = 0

    def read(self, size: int | None = -1) -> bytes:
        data = super().read(size)
        self.count += len(data)
        return data


def test_the_preview_reads_a_bounded_part(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(_frame, "PREVIEW_BYTES", 4096)
    file = Counted(SASL.read_bytes())
    assert len(file.getvalue()) > 2 * 4096
    frame = jvmwire.read_capture(file, where="name = 'nothing is called so'")
    with warnings.catch_warnings(action="error"):  # the part is not a damaged capture
        html = frame._repr_html_()
    assert html.count("<tr>") == 1
    assert file.count == 4096
    assert not file.closed
    assert frame.to_arrow().num_rows == 0
    assert file.count == 4096 + len(file.getvalue())


def test_a_pipe_has_no_preview():
    class Pipe(Counted):
        def seekable(self) -> bool:
            return False

    pipe = Pipe(SASL.read_bytes())
    frame = jvmwire.read_capture(pipe)
    assert frame._repr_html_().count("<tr>") == 1
    assert pipe.count == 0
    assert frame.to_arrow().num_rows > 0


def namenode_answers(method: str, request: Mapping[str, Any]) -> Any:
    if method == "getListing":
        return listing(status("a", "IS_FILE", length=3), status("b", "IS_FILE", length=4))
    if method == "getDatanodeReport":
        return {"di": []}
    return {"fs": status(kind="IS_FILE", length=7)} if request["src"] != "/b" else {}


@pytest.mark.parametrize(
    ("ask", "rows"),
    [
        (lambda client: client.list_directory("/d"), 2),
        (lambda client: client.get_file_infos(["/a", "/b"]), 2),
        (lambda client: client.get_file_infos([]), 0),
        (lambda client: client.get_datanode_report(), 0),
    ],
    ids=["listing", "infos", "no infos", "datanodes"],
)
def test_bulk_results_are_arrow_streams(ask: Callable[[NameNode], Any], rows: int):
    with scripted(namenode_answers) as double, NameNode(f"127.0.0.1:{double.port}") as client:
        found = ask(client)
    batch = pa.record_batch(found)
    assert batch.num_rows == rows
    for _ in range(2):
        read = pa.RecordBatchReader.from_stream(found).read_all()
        assert read == pa.table(found) == pa.Table.from_batches([batch])


def test_a_stream_is_cast_to_the_schema_that_is_asked_for():
    with scripted(namenode_answers) as double, NameNode(f"127.0.0.1:{double.port}") as client:
        found = client.list_directory("/d")
    schema = pa.record_batch(found).schema
    at = schema.get_field_index("owner")
    wanted = schema.set(at, pa.field("owner", pa.large_string()))
    assert pa.RecordBatchReader.from_stream(found, schema=wanted).schema == wanted


def test_entries_of_a_map_are_an_arrow_stream():
    service = SerializationService()
    keys, values = (
        service.to_arrow([service.to_data(value) for value in column])
        for column in (["a", "b"], [1, 2])
    )
    entries = ArrowEntries(keys, values)
    for _ in range(2):
        assert pa.table(entries).to_pydict() == {"key": ["a", "b"], "value": [1, 2]}
    first, second = entries
    assert (first, second) == (keys, values)


def test_a_stream_without_pyarrow_is_a_missing_extra(monkeypatch: pytest.MonkeyPatch):
    with scripted(namenode_answers) as double, NameNode(f"127.0.0.1:{double.port}") as client:
        found = client.list_directory("/d")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingExtra, match=r"needs pyarrow: pip install 'jvmwire\[arrow\]'"):
        found.__arrow_c_stream__()
