"""`jvmwire decode` of captures that all cores decode: the output of one core, in every format."""

from __future__ import annotations

import gzip
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner, Result

from jvmwire._cli.decode import decode
from jvmwire.capture import _parallel as parallel
from kit.captures import NAMENODE, SASL

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.fixture
def captures(tmp_path: Path) -> list[Path]:
    """Two captures that can be cut, and between them one that is small."""
    whole = gzip.decompress(NAMENODE.read_bytes())
    large = [tmp_path / "a.pcap", tmp_path / "c.pcap"]
    large[0].write_bytes(whole)
    large[1].write_bytes(whole[: len(whole) // 2])
    return [large[0], SASL, large[1]]


@pytest.fixture
def with_cores(monkeypatch: pytest.MonkeyPatch) -> Callable[..., tuple[Result, int]]:
    """Run the command with a number of cores; return also how many captures threads decoded."""

    def run(cores: int, *arguments: str | Path) -> tuple[Result, int]:
        sessions = []

        class Counted(parallel.ParallelSession):
            def __init__(self, *given: object, **options: object) -> None:
                sessions.append(self)
                super().__init__(*given, **options)  # type: ignore[arg-type]

        monkeypatch.setattr(parallel, "ParallelSession", Counted)
        monkeypatch.setattr(parallel, "SMALLEST_RANGE", 300_000)
        monkeypatch.setattr(parallel, "available_cores", lambda: cores)
        result = CliRunner().invoke(decode, list(map(str, arguments)))
        return result, len(sessions)

    return run


@pytest.mark.parametrize(
    "options",
    [
        ["--table", "messages"],
        ["--table", "calls", "--format", "csv"],
        ["--table", "streams", "--format", "table"],
        ["--columns", "name,kind", "--where", "kind = 'reply'"],
    ],
    ids=lambda options: " ".join(options),
)
def test_all_cores_write_what_one_writes(
    with_cores: Callable[..., tuple[Result, int]], captures: list[Path], options: list[str]
) -> None:
    alone, none = with_cores(1, *options, *captures)
    together, two = with_cores(3, *options, *captures)
    assert (none, two) == (0, 2)
    assert alone.exit_code == together.exit_code == 1  # the last one is cut short
    assert "cut short" in alone.stderr
    assert (together.stdout_bytes, together.stderr) == (alone.stdout_bytes, alone.stderr)


@pytest.mark.parametrize("format_", ["arrow", "parquet"])
def test_all_cores_write_the_rows_of_one_as_columns(
    with_cores: Callable[..., tuple[Result, int]],
    captures: list[Path],
    tmp_path: Path,
    format_: str,
) -> None:
    tables = []
    for cores in (1, 3):
        out = tmp_path / str(cores)
        with_cores(cores, "--table", "calls", "--format", format_, "-o", out, *captures)
        if format_ == "parquet":
            tables.append(pq.read_table(out))
        else:
            with pa.OSFile(str(out), "r") as file:
                tables.append(pa.ipc.open_stream(file).read_all())
    assert tables[0].num_rows > 1000
    assert tables[1] == tables[0]


@pytest.mark.parametrize("option", [["--limit", "5"], ["--top", "name"], ["--explain"]])
def test_one_core_decodes_where_rows_are_not_sorted(
    with_cores: Callable[..., tuple[Result, int]], captures: list[Path], option: list[str]
) -> None:
    result, threaded = with_cores(3, *option, captures[0])
    assert (result.exit_code, threaded) == (0, 0)
