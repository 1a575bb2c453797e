"""The statements and examples of the guide to Pravega are true."""

import pytest

from kit.guide import run_python


@pytest.mark.timeout(600)  # Spark is among the examples
def test_the_examples_of_the_guide_run(segment_store, pravega, spark, tmp_path):
    names = run_python(
        "pravega.md",
        {
            '"segmentstore", 12345': f'"127.0.0.1", {segment_store.port}',
            '"controller", 9090': f'"127.0.0.1", {pravega.port}',
            '"segmentstore:12345"': f'"127.0.0.1:{segment_store.port}"',
            '"controller:9090"': f'"127.0.0.1:{pravega.port}"',
            '"state/': f'"{tmp_path}/',
        },
    )
    assert names["count"] == 1 + 2 + 1000 + 3 + 1
    assert names["events"][-1].as_py() == b"the next one"
    assert names["resume_at"] == names["offsets"][-1].as_py() + 8 + len(b"the next one")
    assert names["prices"] == {b"apple": b"5", b"pear": b"4"}
    assert names["returned"] == [b"one came back"]
    assert names["found"].data == b"order"
    assert sorted(names["seen"]) == [b"an order of Ann", b"another", b"one of Bob"]
    assert names["rest"] == []
    assert names["later"] == [b"paid", b"shipped"]
    assert names["logged"] == b"any bytes"
    expected = {b"appleEUR": b"5", b"appleGBP": b"2", b"appleUSD": b"4"}
    assert names["apples"] == list(expected.items())
    assert sorted(names["packed"]) == [b"paid", b"shipped"]
    assert names["entries"] == [b"opened"]
    assert names["left"] == {"apples": 2}
    logged = spark.read.parquet(str(tmp_path / "log")).collect()
    assert [bytes(row.event) for row in logged] == [b"the next one"]
    reader = spark.read.format("pravega").option("controller", f"127.0.0.1:{pravega.port}")
    said = reader.option("stream", "shop/shouted").load().collect()
    assert sorted(bytes(row.event) for row in said) == [b"PAID", b"SHIPPED"]
