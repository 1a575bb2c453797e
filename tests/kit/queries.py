"""Queries of Spark that follow what grows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.errors import StreamingQueryException

if TYPE_CHECKING:
    from collections.abc import Callable

    from pyspark.sql.streaming.query import StreamingQuery
    from pyspark.sql.streaming.readwriter import DataStreamWriter


def follow(writer: DataStreamWriter, work: Callable[[StreamingQuery], object]) -> None:
    """Do `work` with the query that `writer` starts.

    It is started again while Spark's own ten seconds are too few for it: they are what it gives a
    Python process on the driver to start in, on whatever machine.
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
