"""Compare the latencies of methods in polars: `python polars_on_a_capture.py namenode.pcap.gz`.

Needs the extra `arrow`, and polars.
"""

import sys

import polars as pl

import jvmwire

calls = pl.DataFrame(jvmwire.read_capture(sys.argv[1], columns=["name", "latency_us"]))
latency = pl.col("latency_us")
methods = calls.group_by("name").agg(
    pl.len().alias("calls"),
    latency.median().alias("median"),
    latency.quantile(0.99).alias("p99"),
)
for name, count, median, p99 in methods.sort("calls", descending=True).head(5).iter_rows():
    print(f"{count:6} calls, median {median:6.0f} us, p99 {p99:6.0f} us: {name}")
