"""The examples of the guide's page on interfaces run."""

from kit.guide import run_python


def test_the_pages_examples_run() -> None:
    names = run_python("hadoop-rpc.md")
    assert names["PingRPC"].version == 1
