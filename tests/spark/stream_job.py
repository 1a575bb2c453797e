"""A user's query over captures that come in, until it is killed: run by test_spark_streaming.

python stream_job.py DIRECTORY
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import jvmwire.spark

if TYPE_CHECKING:
    from pyspark.sql import SparkSession
    from pyspark.sql.streaming.query import StreamingQuery


def start(spark: SparkSession, directory: Path) -> StreamingQuery:
    """Follow `directory`/captures and write its calls to `directory`/calls."""
    stream = spark.readStream.format("jvmwire").options(
        table="calls", journal=str(directory / "journal"), range_size="50000"
    )
    rows = stream.load(str(directory / "captures"))
    writer = rows.writeStream.format("parquet").option("path", str(directory / "calls"))
    return writer.option("checkpointLocation", str(directory / "checkpoint")).start()


if __name__ == "__main__":
    session = jvmwire.spark.new_session("local[2]", name="stream")
    jvmwire.spark.register(session)
    start(session, Path(sys.argv[1])).awaitTermination()
