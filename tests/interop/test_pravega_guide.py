"""The statements and examples of the guide to Pravega are true."""

import pytest

from kit.guide import run_python


@pytest.mark.timeout(600)  # Spark is among the examples
def test_the_examples_of_the_guide_run(segment_store, pravega, spark, tmp_path):
    run_python(
        "pravega.md",
        tmp_path,
        {
            '"segmentstore:12345"': f'"127.0.0.1:{segment_store.port}"',
            '"controller:9090"': f'"127.0.0.1:{pravega.port}"',
            '"state/': f'"{tmp_path}/',
        },
    )
    logged = spark.read.parquet(str(tmp_path / "log")).collect()
    assert [bytes(row.event) for row in logged] == [b"the next one"]
    reader = spark.read.format("pravega").option("controller", f"127.0.0.1:{pravega.port}")
    said = reader.option("stream", "shop/shouted").load().collect()
    assert sorted(bytes(row.event) for row in said) == [b"PAID", b"SHIPPED"]
