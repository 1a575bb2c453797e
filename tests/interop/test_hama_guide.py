"""The examples of docs/hama.md work as written."""

import subprocess

from kit.guide import examples, run_python


def test_the_guides_example_prints_what_the_guide_says(tmp_path):
    run_python("hama.md", tmp_path)
    session = examples("hama.md", "console")[0]
    shown: list[tuple[str, list[str]]] = []
    for line in session.text.splitlines():
        if line.startswith("$ "):
            shown.append((line[2:], []))
        else:
            shown[-1][1].append(line)
    assert len(shown) == 2
    for command, printed in shown:
        done = subprocess.run(
            command.split(), cwd=tmp_path, capture_output=True, text=True, check=True
        )
        told = (done.stdout + done.stderr).splitlines()
        # The order of the greetings is not certain, and is sorted here.
        assert sorted(told) == sorted(printed)
