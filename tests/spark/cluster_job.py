"""User's job on a cluster whose executors have nothing installed: run by test_cluster.

python cluster_job.py MASTER SETTINGS DIRECTORY RESULT
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
from pyspark import TaskContext

import jvmwire.spark
from jvmwire.capture import find_captures
from jvmwire.spark._aggregation import AGGREGATE_SCHEMA, count_captures
from jvmwire.spark._planning import CapturePart
from jvmwire.spark._report import run_report


def where(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Return where this executor works and found its packages; slow enough for both to get one."""
    import os
    import time

    import pyarrow

    import jvmwire

    for _ in batches:
        time.sleep(2)
        row = {"a": os.getcwd(), "b": jvmwire.__file__, "c": pyarrow.__file__}  # noqa: PTH109
        yield pyarrow.RecordBatch.from_pylist([row])


def main(master: str, settings: str, directory: Path, result: Path) -> None:
    spark = jvmwire.spark.new_session(master, settings=json.loads(settings))
    jvmwire.spark.register(spark)
    spark.range(2, numPartitions=2).count()  # both executors have run
    captures = directory / "captures"
    got: dict[str, object] = {}
    rows = spark.range(2, numPartitions=2).mapInArrow(where, "a string, b string, c string")
    got["executors"] = sorted(list(row) for row in set(rows.collect()))
    got["rows"] = {
        table: spark.read.format("jvmwire").option("table", table).load(str(captures)).count()
        for table in ("messages", "calls", "streams")
    }

    tried = directory / "tried"
    tried.mkdir()
    work = count_captures([CapturePart((str(next(captures.iterdir())),), 0)], tried)

    def fail_once(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        context = TaskContext.get()
        assert context is not None
        (directory / f"attempt-{context.attemptNumber()}").touch()
        yield from work(batches)
        if context.attemptNumber() == 0:
            raise RuntimeError("this executor is lost after all was written")

    spark.range(1).mapInArrow(fail_once, AGGREGATE_SCHEMA).collect()
    got["retried"] = {
        "attempts": sorted(int(path.name[8:]) for path in directory.glob("attempt-*")),
        "files": sorted(path.name for path in tried.iterdir()),
    }

    report = directory / "report"
    made = run_report(spark, find_captures([captures]), report)
    summary = json.loads(made.summary.read_bytes())
    got["report"] = {
        "calls": summary["findings"][0]["data"]["calls"],
        "files": sorted(path.name for path in (report / "calls.parquet").iterdir()),
    }
    spark.stop()
    result.write_text(json.dumps(got))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], Path(sys.argv[3]), Path(sys.argv[4]))
