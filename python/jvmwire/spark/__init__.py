"""Spark data sources for captured traffic and live systems, by the Python Data Source API.

import jvmwire.spark
jvmwire.spark.register(spark)
spark.read.format("jvmwire").option("table", "calls").load("captures/")

The report is a job in `jvmwire.spark._report`, and needs the extra of that name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmwire.errors import MissingExtra

try:
    import pyarrow  # noqa: F401
    import pyspark  # noqa: F401
except ModuleNotFoundError as missing:
    raise MissingExtra(
        f"the Spark layer needs {missing.name}: pip install 'jvmwire[spark]'", name=missing.name
    ) from missing

from jvmwire.spark._captures import CaptureSource
from jvmwire.spark._packaging import ship
from jvmwire.spark._session import new_session

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

__all__ = ["CaptureSource", "new_session", "register", "ship"]


def register(spark: SparkSession) -> None:
    """Register the formats `jvmwire` (captures), `hazelcast`, `hdfs` and `pravega` (live systems).

    Args:
        spark: The session to register the formats with.
    """
    # Imported here: tasks that decode captures import this package without any client.
    from jvmwire.spark.connectors._hazelcast import MapSource
    from jvmwire.spark.connectors._hdfs import ListingSource
    from jvmwire.spark.connectors._pravega import PravegaSource

    for source in (CaptureSource, MapSource, ListingSource, PravegaSource):
        spark.dataSource.register(source)
