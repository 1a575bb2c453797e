"""One table of captures as a data frame."""

import io
import os
import struct
import warnings
from pathlib import Path

import pyarrow as pa
import pytest

import jvmwire
from kit import wire
from kit.captures import SASL, WRITABLE, cut_short, decoded
from kit.segments import ACK, CLIENT, SERVER, SYN, conversation, pcap, segment

COLUMNS = ["name", "latency_us"]


@pytest.mark.parametrize("source", [str(SASL), SASL, [SASL], os.fsencode(SASL).decode()], ids=type)
def test_arrow_takes_a_frame_as_often_as_it_likes(source) -> None:
    frame = jvmwire.read_capture(source)
    expected = decoded(SASL, "calls")
    for _ in range(2):
        assert pa.table(frame).num_rows == len(expected)
    assert sum(batch.num_rows for batch in frame) == len(expected)
    assert frame.schema == expected.schema == pa.schema(frame)  # type: ignore[arg-type]  # a capsule
    assert pa.RecordBatchReader.from_stream(frame).read_all() == frame.to_arrow()


def test_columns_and_rows_are_chosen() -> None:
    frame = jvmwire.read_capture(SASL, columns=COLUMNS, where="status = 'ok'")
    assert frame.columns == frame.to_arrow().column_names == COLUMNS
    assert frame.to_arrow().num_rows == len(decoded(SASL, "calls", where="status = 'ok'"))
    assert list(frame.to_pandas().columns) == COLUMNS


def test_several_files_number_their_streams_on() -> None:
    both = jvmwire.read_capture([SASL, WRITABLE], "streams").to_arrow()
    streams = both["stream"].to_pylist()
    assert len(set(streams)) == len(streams)
    assert len(both) == len(decoded(SASL, "streams")) + len(decoded(WRITABLE, "streams"))


def test_an_open_file_is_read_from_its_position_and_stays_open() -> None:
    with SASL.open("rb") as file:
        frame = jvmwire.read_capture(file)
        assert frame.to_arrow() == frame.to_arrow() == jvmwire.read_capture(SASL).to_arrow()
        assert not file.closed


def test_a_damaged_file_is_a_warning() -> None:
    frame = jvmwire.read_capture(io.BytesIO(cut_short(SASL)))
    with pytest.warns(UserWarning, match="an open file: the capture is cut short"):
        assert frame.to_arrow().num_rows > 0


def test_what_was_not_decoded_is_a_warning_whatever_table_is_read(tmp_path: Path) -> None:
    packets = conversation()
    rest = [packets[at] for at in range(len(packets)) if at != 9]
    (tmp_path / "one.pcap").write_bytes(pcap(rest))
    lost = len(packets[9]) - 40
    for table in ("calls", "messages", "streams"):
        with pytest.warns(UserWarning, match="not captured") as warned:
            jvmwire.read_capture(tmp_path / "one.pcap", table).to_arrow()
        said = f"{tmp_path / 'one.pcap'}: {lost} bytes in one place: not captured"
        assert [str(each.message) for each in warned] == [said]
    ring = [tmp_path / f"ring.pcap{at}" for at in range(2)]
    whole, cut = pcap(packets), len(pcap(packets[:4]))
    first = bytearray(whole[:cut])
    last = cut - 16 - len(packets[3])
    first[last : last + 4] = struct.pack("<I", 1_700_000_009)
    ring[0].write_bytes(first)
    ring[1].write_bytes(whole[:24] + whole[cut:])
    with pytest.warns(UserWarning, match="ring.pcap0 to .*files overlap in time"):
        jvmwire.read_capture(ring, "streams").to_arrow()


def test_connections_that_are_given_up_to_limit_memory_are_a_warning(tmp_path: Path) -> None:
    # Names of users, which the decoder keeps: 210 MB of them.
    said = wire.connection_header() + wire.context("u" * 10_000_000)
    path = tmp_path / "users.pcap.zst"
    with pa.CompressedOutputStream(path, "zstd") as out:
        out.write(pcap([]))
        for port in range(40_000, 40_022):
            client, size = (CLIENT[0], port), 60_000
            packets = [segment(client, SERVER, (999, 0), SYN)]
            packets += [
                segment(client, SERVER, (1000 + at, 0), ACK, said[at : at + size])
                for at in range(0, len(said), size)
            ]
            out.write(pcap(packets)[len(pcap([])) :])
    with pytest.warns(UserWarning, match="given up") as warned:
        streams = jvmwire.read_capture(path, "streams").to_arrow()
    given_up = streams["ended"].to_pylist().count("evicted")
    assert 1 < given_up < len(streams) == 22
    said_of = f"{path}: {given_up} places: connection given up to stay within the memory limit"
    assert [str(each.message) for each in warned] == [said_of]


def test_a_notebook_shows_the_first_rows_and_no_markup_of_captures() -> None:
    html = jvmwire.read_capture(SASL, columns=COLUMNS)._repr_html_()
    assert html.count("<tr>") <= 11
    assert "<th>latency_us</th>" in html
    assert "&lt;CaptureFrame calls of" in html


def test_what_is_not_there_is_said_at_once(tmp_path: Path) -> None:
    with pytest.raises(jvmwire.ConfigError, match="does not exist"):
        jvmwire.read_capture(tmp_path / "gone.pcap")
    with pytest.raises(jvmwire.ConfigError, match="there is no"):
        jvmwire.read_capture(SASL, columns=["nothing"])
    with warnings.catch_warnings(action="error"):
        jvmwire.read_capture(SASL)
