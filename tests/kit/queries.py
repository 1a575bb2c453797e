"""Spark queries that follow growing files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.errors import StreamingQueryException

if TYPE_CHECKING:
    from collections.abc import Callable

    from pyspark.sql.streaming.query import StreamingQuery
    from pyspark.sql.streaming.readwriter import DataStreamWriter


def follow(writer: DataStreamWriter, work: Callable[[StreamingQuery], object]) -> None:
    """Run `work` with the query that `writer` starts.

    The query is started again while it fails on Spark's own limit of ten seconds, within which a
    Python process on the driver must start, however slow the machine is.
    """
    while True:
        query = writer.start()
        try:
            work(query)
        except StreamingQueryException as error:
            if "connect back" not in str(error):
                raise
        else:
            return
        finally:
            query.stop()
