"""Check of a Spark installation: versions, and whether every executor can decode captures."""

from __future__ import annotations

import platform
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
import pyspark
from pyspark import cloudpickle

from jvmwire import __version__
from jvmwire.capture import CaptureWriter, View, read_tables
from jvmwire.errors import ConfigError
from jvmwire.spark import _executor_probe
from jvmwire.spark._captures import CaptureSource
from jvmwire.spark._session import new_session, summarize_spark_errors

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pyspark.sql import SparkSession


def check(master: str | None = None, settings: Mapping[str, str] | None = None) -> Iterator[str]:
    """Yield the results of the check, line by line.

    Args:
        master: The master of Spark; None (the default) is as in `new_session`.
        settings: Further Spark settings.

    Raises:
        ConfigError: an executor cannot decode; the message names the executor and the reason.
    """
    yield f"jvmwire {__version__}, Python {platform.python_version()}"
    yield f"PySpark {pyspark.__version__}, pyarrow {pa.__version__}"
    # A first failure is the result: no retries.
    once = {"spark.task.maxFailures": "1", **(settings or {})}
    spark = new_session(master, name="jvmwire check", settings=once)
    try:
        java = spark.sparkContext._jvm.System.getProperty("java.version")  # type: ignore[union-attr]
        yield f"Spark {spark.version} on {spark.sparkContext.master}, Java {java}"
        _plan(spark)
        yield from _find_problems(_executors(spark))
    finally:
        spark.stop()


def _plan(spark: SparkSession) -> None:
    """Plan a read on the driver."""
    with summarize_spark_errors("the driver cannot plan a read"):
        spark.dataSource.register(CaptureSource)
        # The schema does not depend on the file.
        spark.read.format("jvmwire").load(__file__).schema  # noqa: B018


def _executors(spark: SparkSession) -> list[dict[str, str]]:
    """Return the findings on each executor, including those that start during the check."""
    context = spark.sparkContext
    cloudpickle.register_pickle_by_value(_executor_probe)  # type: ignore[no-untyped-call]
    try:
        with summarize_spark_errors("an executor cannot run Python"):
            tasks = 2 * context.defaultParallelism
            found = (
                context.parallelize(range(tasks), tasks)
                .mapPartitions(_executor_probe.probe_executor)
                .collect()
            )
    finally:
        cloudpickle.unregister_pickle_by_value(_executor_probe)  # type: ignore[no-untyped-call]
    each = {(one["host"], one["directory"]): one for one in found}
    return [each[key] for key in sorted(each)]


def _find_problems(executors: list[dict[str, str]]) -> Iterator[str]:
    wrong = []
    for one in executors:
        where = "on {host} in {directory}".format(**one)
        if "wrong" in one:
            wrong.append(f"the one {where}: {one['wrong']}")
        elif one["jvmwire"] != __version__:
            wrong.append(f"the one {where} has jvmwire {one['jvmwire']}, not {__version__}")
        else:
            versions = "Python {python}, pyarrow {pyarrow}".format(**one)
            yield f"The executor {where} ({versions}) decodes."
    if wrong:
        which = f"{len(wrong)} of {len(executors)} executors cannot decode"
        raise ConfigError(f"{which}: {'; '.join(wrong)}")
    yield f"All executors that were found ({len(executors)}) decode: all is well."


def decode_here() -> list[str]:
    """Return the names of the messages in a capture that is written and decoded here."""
    # An executor may not share a file system with the driver.
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "check.pcap"
        path.write_bytes(_one_connection())
        return [
            str(name)
            for _, batch in read_tables(path, [View("messages", columns=["name"])])
            for name in pa.record_batch(batch).column(0).to_pylist()
        ]


def _one_connection() -> bytes:
    """Return a capture of one client that sends only its connection header."""
    writer = CaptureWriter()
    number, opening = writer.open("127.0.0.1:40000", "127.0.0.1:8020", 0)
    header = writer.data(number, "client", b"hrpc\x09\x00\x00", 1)
    return writer.header() + opening + header + writer.close(number, 2)
