"""The Python example of docs/decode.md works as written."""

import os

from kit.captures import NAMENODE
from kit.guide import run_python


def test_the_guides_example_reads_a_capture(capsys, tmp_path):
    [names] = run_python("decode.md", tmp_path, {"namenode.pcap.gz": os.fspath(NAMENODE)})
    assert list(names["calls"].to_pandas().columns) == ["name", "latency_us"]
    assert "ClientProtocol.getFileInfo" in capsys.readouterr().out
