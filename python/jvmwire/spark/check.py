"""Whether Spark can decode captures here, and with which versions."""

from __future__ import annotations

import platform
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
import pyspark
from pyspark.errors import PySparkException

from jvmwire import __version__
from jvmwire.capture import CaptureWriter
from jvmwire.errors import ConfigError
from jvmwire.spark.captures import CaptureSource
from jvmwire.spark.session import new_session

if TYPE_CHECKING:
    from collections.abc import Iterator


def check(master: str | None = None) -> Iterator[str]:
    """Yield what was found, line by line.

    Raises `ConfigError` with the reason where a capture cannot be decoded on an executor.
    """
    yield f"jvmwire {__version__}, Python {platform.python_version()}"
    yield f"PySpark {pyspark.__version__}, pyarrow {pa.__version__}"
    spark = new_session(master, name="jvmwire check")
    try:
        java = spark.sparkContext._jvm.System.getProperty("java.version")  # type: ignore[union-attr]
        yield f"Spark {spark.version} on {spark.sparkContext.master}, Java {java}"
        spark.dataSource.register(CaptureSource)
        with tempfile.TemporaryDirectory() as directory:
            path = Path(directory) / "check.pcap"
            path.write_bytes(_one_connection())
            try:
                rows = spark.read.format("jvmwire").load(str(path)).collect()
            except PySparkException as error:
                raise ConfigError(f"an executor cannot decode: {error}") from error
        if [row["name"] for row in rows] != ["ConnectionHeader"]:
            raise ConfigError(f"an executor decodes wrongly: {rows}")
        yield "A capture was decoded on an executor: all is well."
    finally:
        spark.stop()


def _one_connection() -> bytes:
    """Make a capture of a client that says only its connection header."""
    writer = CaptureWriter()
    number, opening = writer.open("127.0.0.1:40000", "127.0.0.1:8020", 0)
    header = writer.data(number, "client", b"hrpc\x09\x00\x00", 1)
    return writer.header() + opening + header + writer.close(number, 2)
