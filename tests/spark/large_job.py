"""Job on two gigabytes of captures in a driver that has little memory: run by test_spark_memory.

python large_job.py SMALL LARGE RESULT
"""

import json
import sys
from pathlib import Path

import jvmwire.spark
from jvmwire.capture import find_captures
from jvmwire.spark._report import run_report
from kit.memory_peaks import forget_peak_of_this, peak_of_this, watched_workers


def main(small: Path, large: Path, result: Path) -> None:
    spark = jvmwire.spark.new_session("local[2]", settings={"spark.driver.memory": "512m"})
    jvmwire.spark.register(spark)

    def calls(captures: Path, report: str) -> list[int]:
        rows = spark.read.format("jvmwire").option("table", "calls").load(str(captures))
        made = run_report(
            spark, find_captures([captures]), result.with_name(report), keep_calls=False
        )
        told = json.loads(made.summary.read_bytes())["findings"][0]["data"]["calls"]
        return [rows.count(), told]

    calls(small, "of a small one")
    forget_peak_of_this()
    before = peak_of_this()
    with watched_workers() as peaks:
        counted = calls(large, "of large ones")
    spark.stop()
    told = {
        "calls": counted,
        "driver": peak_of_this() - before,
        "workers": sorted(peaks.values()),
    }
    result.write_text(json.dumps(told))


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
