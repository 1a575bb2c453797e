"""The examples of docs/storm.md work as written."""

from kit.guide import run_python


def test_the_guides_components_do_what_the_guide_says(tmp_path):
    *_, last = run_python("storm.md", tmp_path)
    flux = last["topology"].flux(interpreter="python3")
    assert [node["id"] for node in flux["spouts"] + flux["bolts"]] == ["words", "lengths"]
    [stream] = flux["streams"]
    assert stream["grouping"] == {"type": "FIELDS", "streamId": "default", "args": ["word"]}
