"""The guide to Pravega says what is so."""

from kit.guide import run_python


def test_the_examples_of_the_guide_run_against_a_segment_store(segment_store, pravega):
    names = run_python(
        "pravega.md",
        {
            '"segmentstore", 12345': f'"127.0.0.1", {segment_store.port}',
            '"controller", 9090': f'"127.0.0.1", {pravega.port}',
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
