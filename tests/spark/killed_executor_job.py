"""Job that loses an executor while it decodes: run by test_spark_kills.

python killed_executor_job.py MASTER CAPTURE RANGE_SIZE DIRECTORY
"""

import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
from pyspark import TaskContext

import jvmwire.spark

KILLED = 2
"""The part whose first task kills its executor."""


def executor() -> int:
    """Return the process id of the executor that this worker works for."""
    process = os.getppid()
    while b"CoarseGrainedExecutorBackend" not in Path(f"/proc/{process}/cmdline").read_bytes():
        status = Path(f"/proc/{process}/stat").read_text()
        process = int(status.rpartition(")")[2].split()[1])
    return process


def main(master: str, capture: str, range_size: str, directory: Path) -> None:
    # As Arrow stores it, not as the 96 bits of old.
    micros = {"spark.sql.parquet.outputTimestampType": "TIMESTAMP_MICROS"}
    spark = jvmwire.spark.new_session(master, settings=micros)
    jvmwire.spark.register(spark)
    rows = spark.read.format("jvmwire").options(table="calls", range_size=range_size).load(capture)
    tasks = directory / "tasks"
    tasks.mkdir()

    def noted(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        context = TaskContext.get()
        assert context is not None
        part, attempt = context.partitionId(), context.attemptNumber()
        (tasks / f"{part}-{attempt}-{executor()}-{os.getpid()}").touch()
        yield from batches
        # All its rows are on their way.
        if part == KILLED and attempt == 0:
            os.kill(executor(), signal.SIGKILL)

    rows.mapInArrow(noted, rows.schema).write.parquet(str(directory / "calls"))
    spark.stop()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3], Path(sys.argv[4]))
