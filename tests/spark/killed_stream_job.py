"""Query that follows captures until nothing is new, if not killed: run by test_spark_kills.

python killed_stream_job.py DIRECTORY
"""

import sys
from pathlib import Path

from pyspark.errors import StreamingQueryException

import jvmwire.spark


def main(directory: Path) -> None:
    # As Arrow stores it, not as the 96 bits of old.
    micros = {"spark.sql.parquet.outputTimestampType": "TIMESTAMP_MICROS"}
    spark = jvmwire.spark.new_session("local[2]", settings=micros)
    jvmwire.spark.register(spark)
    stream = spark.readStream.format("jvmwire").options(
        table="calls", journal=str(directory / "journal"), range_size="100000"
    )
    writer = stream.load(str(directory / "captures")).writeStream.format("parquet")
    writer = writer.option("path", str(directory / "calls"))
    writer = writer.option("checkpointLocation", str(directory / "checkpoint"))
    while True:
        query = writer.start()
        try:
            query.processAllAvailable()
        except StreamingQueryException as error:
            # Spark gives a Python process on the driver ten seconds to start.
            if "connect back" not in str(error):
                raise
        else:
            break
        finally:
            query.stop()
    spark.stop()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
