"""The examples of docs/storm.md work as written."""

import json

from kit.command import jvmwire
from kit.guide import examples, run_python


def test_the_guides_components_do_what_the_guide_says():
    names = run_python("storm.md")
    flux = names["topology"].flux(interpreter="python3")
    assert [node["id"] for node in flux["spouts"] + flux["bolts"]] == ["words", "lengths"]
    [stream] = flux["streams"]
    assert stream["grouping"] == {"type": "FIELDS", "streamId": "default", "args": ["word"]}


def test_the_guides_topology_is_written_by_the_guides_command(tmp_path, monkeypatch):
    bolt, spout, _, topology = (example.text for example in examples("storm.md", "python"))
    (tmp_path / "lengths.py").write_text(bolt + spout + topology)
    lines = [line for block in examples("storm.md", "") for line in block.text.splitlines()]
    [command] = [line.split() for line in lines if line.startswith("jvmwire storm flux ")]
    monkeypatch.chdir(tmp_path)
    jvmwire(*command[1:])
    document = json.loads((tmp_path / "lengths.yaml").read_text())
    [lengths] = document["bolts"]
    assert lengths["constructorArgs"] == [["python3", "-m", "jvmwire.storm", "lengths:Lengths"]]
