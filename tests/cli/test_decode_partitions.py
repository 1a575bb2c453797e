"""Parquet in folders by values, and captures that are told apart by a column."""

from collections import Counter
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest

from jvmwire._cli import partitions
from jvmwire._cli.partitions import open_partitions
from jvmwire.errors import ConfigError, LimitExceeded
from kit.captures import NAMENODE, SASL, WRITABLE
from kit.command import decode

CALLS = ("--table", "calls")


def read(folder: Path) -> pa.Table:
    return ds.dataset(folder, format="parquet", partitioning="hive").to_table()


def test_each_value_has_a_folder_and_all_rows_are_there(tmp_path: Path) -> None:
    out = tmp_path / "calls"
    decode(*CALLS, "--partition-by", "user,status", "-o", out, NAMENODE)
    whole = tmp_path / "whole.parquet"
    decode(*CALLS, "--format", "parquet", "-o", whole, NAMENODE)
    expected, found = pq.read_table(whole), read(out)
    keys: Any = [("stream", "ascending"), ("request_offset", "ascending")]
    assert found.select(expected.column_names).cast(expected.schema).sort_by(
        keys
    ) == expected.sort_by(keys)
    assert (out / "user=erin" / "status=error" / "part-0.parquet").is_file()
    file = pq.read_table(out / "user=erin" / "status=error" / "part-0.parquet", partitioning=None)
    assert "user" not in file.column_names
    places = list(zip(file["stream"].to_pylist(), file["request_offset"].to_pylist(), strict=True))
    assert places == sorted(places)


def test_several_captures_have_a_column_with_their_file(tmp_path: Path) -> None:
    out = tmp_path / "calls.parquet"
    decode(*CALLS, "--format", "parquet", "-o", out, SASL, WRITABLE)
    counted = Counter(pq.read_table(out)["file"].to_pylist())
    assert counted == {str(SASL): len(decode(*CALLS, SASL).rows), str(WRITABLE): 28}
    decode(*CALLS, "--format", "parquet", "-o", out, SASL)
    assert "file" not in pq.read_table(out).column_names
    decode(*CALLS, "--format", "parquet", "--columns", "id", "-o", out, SASL, WRITABLE)
    assert pq.read_table(out).column_names == ["id"]


def test_the_file_may_name_the_folders(tmp_path: Path) -> None:
    out = tmp_path / "calls"
    decode(*CALLS, "--partition-by", "file", "-o", out, SASL, WRITABLE)
    assert {folder.name for folder in out.iterdir()} == {
        f"file={quote(str(file), safe='')}" for file in (SASL, WRITABLE)
    }


def test_a_folder_that_holds_something_is_left_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "mine").write_text("mine")
    done = decode(*CALLS, "--partition-by", "user", "-o", tmp_path / "out", SASL, status=2)
    assert "exists and is not empty" in done.stderr
    assert (tmp_path / "out" / "mine").read_text() == "mine"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--partition-by", "user"], "the folder that -o names"),
        (["--partition-by", "user", "-o", "x", "--format", "jsonl"], "not with another --format"),
        (["--partition-by", "start", "-o", "x"], "which start is not"),
        (["--partition-by", "user,user", "-o", "x"], "twice"),
        (["--partition-by", "nobody", "-o", "x"], 'there is no column "nobody"'),
        (["--partition-by", "user", "--columns", "user", "-o", "x"], "leaves no column"),
    ],
)
def test_what_does_not_go_with_partitions_is_said(
    arguments: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert said in decode(*CALLS, *arguments, SASL, status=2).stderr
    assert list(tmp_path.iterdir()) == []


FIELDS: Any = [pa.field("key", pa.string()), pa.field("number", pa.int64())]
SCHEMA = pa.schema(FIELDS)


def batch(keys: list[str | None], first: int = 0) -> pa.RecordBatch:
    numbers = range(first, first + len(keys))
    return pa.RecordBatch.from_arrays(
        [pa.array(keys, pa.string()), pa.array(numbers, pa.int64())], schema=SCHEMA
    )


def test_few_files_are_open_and_a_partition_goes_on_in_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(partitions, "MAX_WRITERS", 2)
    monkeypatch.setattr(partitions, "MAX_BUFFERED", 0)
    keys = ["a", "b", "c", "a", None, "é/.. %"]
    with open_partitions(tmp_path / "out", SCHEMA, ["key"]) as writer:
        for place in range(5):
            writer.write(batch(list(keys), place * len(keys)))
            assert len(writer._writers) <= 2
    found = read(tmp_path / "out").sort_by("number")
    assert found["number"].to_pylist() == list(range(30))
    assert found["key"].to_pylist() == keys * 5
    assert len(list((tmp_path / "out" / "key=a").iterdir())) == 5


def test_values_of_one_folder_are_one_partition(tmp_path: Path) -> None:
    keys = [None, "", "a", "__HIVE_DEFAULT_PARTITION__"]
    with open_partitions(tmp_path / "out", SCHEMA, ["key"]) as writer:
        writer.write(batch(list(keys)))
    found = read(tmp_path / "out").sort_by("number")
    assert found["number"].to_pylist() == [0, 1, 2, 3]
    assert found["key"].to_pylist() == [None, None, "a", None]


def test_rows_wait_so_that_groups_are_not_small(tmp_path: Path) -> None:
    with open_partitions(tmp_path / "out", SCHEMA, ["key"]) as writer:
        for place in range(10):
            writer.write(batch(["a", "b"], 2 * place))
    file = pq.ParquetFile(tmp_path / "out" / "key=a" / "part-0.parquet")
    assert (file.num_row_groups, file.metadata.num_rows) == (1, 10)


def test_limits_leave_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(partitions, "MAX_PARTITIONS", 2)
    with (
        pytest.raises(LimitExceeded, match="more than 2 folders"),
        open_partitions(tmp_path / "out", SCHEMA, ["key"]) as writer,
    ):
        writer.write(batch(["a", "b", "c"]))
    with (
        pytest.raises(ConfigError, match="too long for the name of a folder"),
        open_partitions(tmp_path / "out", SCHEMA, ["key"]) as writer,
    ):
        writer.write(batch(["x" * 300]))
    assert list(tmp_path.iterdir()) == []
