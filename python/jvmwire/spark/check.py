"""Whether Spark can decode captures here, and with which versions."""

from __future__ import annotations

import platform
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
import pyspark

from jvmwire import __version__
from jvmwire.capture import CaptureWriter, View, read_capture
from jvmwire.errors import ConfigError
from jvmwire.spark.captures import CaptureSource
from jvmwire.spark.session import in_one_sentence, new_session

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pyspark.sql import SparkSession


def check(master: str | None = None, settings: Mapping[str, str] | None = None) -> Iterator[str]:
    """Yield what was found, line by line.

    Raises `ConfigError` with the reason where a capture cannot be decoded on an executor.
    """
    yield f"jvmwire {__version__}, Python {platform.python_version()}"
    yield f"PySpark {pyspark.__version__}, pyarrow {pa.__version__}"
    # What fails once is the answer.
    once = {"spark.task.maxFailures": "1", **(settings or {})}
    spark = new_session(master, name="jvmwire check", settings=once)
    try:
        java = spark.sparkContext._jvm.System.getProperty("java.version")  # type: ignore[union-attr]
        yield f"Spark {spark.version} on {spark.sparkContext.master}, Java {java}"
        _plan(spark)
        executor = _decode(spark)
        if executor["names"] != "ConnectionHeader":
            raise ConfigError(f"an executor decodes wrongly: {executor}")
        if executor["jvmwire"] != __version__:
            raise ConfigError(f"executors have jvmwire {executor['jvmwire']}, not {__version__}")
        where = "host {host}, Python {python}, pyarrow {pyarrow}".format(**executor)
        yield f"An executor ({where}) decodes: all is well."
    finally:
        spark.stop()


def _plan(spark: SparkSession) -> None:
    """Have the driver plan a read."""
    with in_one_sentence("the driver cannot plan a read"):
        spark.dataSource.register(CaptureSource)
        # Any file will do to ask for the columns.
        spark.read.format("jvmwire").load(__file__).schema  # noqa: B018


def _decode(spark: SparkSession) -> dict[str, str]:
    """Have an executor decode a capture that it writes itself: it may see no file of ours."""
    columns = ("names", "host", "python", "pyarrow", "jvmwire")
    with in_one_sentence("an executor cannot decode"):
        rows = spark.range(1).mapInArrow(
            _decode_there, ", ".join(f"{name} string" for name in columns)
        )
        return {name: str(value) for name, value in rows.collect()[0].asDict().items()}


def _decode_there(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    for _ in batches:
        with tempfile.TemporaryDirectory() as directory:
            path = Path(directory) / "check.pcap"
            path.write_bytes(_one_connection())
            names = [
                str(name)
                for _, batch in read_capture(path, [View("messages", columns=["name"])])
                for name in pa.record_batch(batch).column(0).to_pylist()
            ]
        row = {
            "names": " ".join(names),
            "host": platform.node(),
            "python": platform.python_version(),
            "pyarrow": pa.__version__,
            "jvmwire": __version__,
        }
        yield pa.RecordBatch.from_pylist([row])


def _one_connection() -> bytes:
    """Make a capture of a client that says only its connection header."""
    writer = CaptureWriter()
    number, opening = writer.open("127.0.0.1:40000", "127.0.0.1:8020", 0)
    header = writer.data(number, "client", b"hrpc\x09\x00\x00", 1)
    return writer.header() + opening + header + writer.close(number, 2)
