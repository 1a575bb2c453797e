"""Query the calls of a capture in DuckDB: `python duckdb_on_a_capture.py namenode.pcap.gz`.

Needs the extra `query`.
"""

import sys

import duckdb
import pyarrow as pa

import jvmwire

calls = pa.table(jvmwire.read_capture(sys.argv[1], columns=["name", "latency_us", "status"]))
slowest = duckdb.sql("""
    SELECT name, count(*) AS calls, quantile_cont(latency_us, 0.99)::int AS p99_us
    FROM calls WHERE status = 'ok' GROUP BY name ORDER BY p99_us DESC LIMIT 5
""")
for name, count, p99_us in slowest.fetchall():
    print(f"{p99_us:8} us {count:6} {name}")
