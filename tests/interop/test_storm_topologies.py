"""A packed topology in a real Storm, run by the command, without any Java code for it."""

import os
import re
import shutil
import signal
import subprocess
import sys
from collections import Counter
from importlib.metadata import files
from pathlib import Path

import pytest

import jvmwire
from kit import storm_words
from kit.command import command
from kit.storm import eventually

PATIENCE = 60.0


def environment(folder: Path) -> Path:
    """Make a folder of the packages that components need, as an installer does."""
    shutil.copytree(Path(jvmwire.__file__).parent, folder / "jvmwire")
    for package in ("click", "orjson"):
        for file in files(package) or ():
            target = folder / file
            if ".." not in file.parts:
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(file.locate(), target)
    return folder


@pytest.fixture
def interruptible():
    """Make children react to SIGINT, which shells disable for processes in the background."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.timeout(480)  # Maven may have to get Storm first
@pytest.mark.usefixtures("interruptible")
def test_a_packed_topology_runs_with_the_environment_that_goes_along(tmp_path):
    folder = tmp_path / "folder"
    notes = storm_words.write(folder, tmp_path / "notes")
    # Without the packages installed in this environment.
    bare = Path(sys.base_prefix) / "bin" / "python3"
    how = ["--path", folder, "--python", bare]
    how += ["--environment", environment(tmp_path / "packages")]
    with (tmp_path / "log").open("wb") as log:
        running = subprocess.Popen(
            command("storm", "local", "wordy:more", *how),
            stdout=log,
            stderr=log,
            env=os.environ | {"TMPDIR": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "cache")},
        )
    try:
        eventually(
            lambda: (
                running.poll() is not None
                or (len(notes.read("acked")) >= 6 and len(notes.read("refused")) >= 3)
            )
        )
    finally:
        running.send_signal(signal.SIGINT)
        status = running.wait(PATIENCE)
    log = (tmp_path / "log").read_text()
    direct = [f"direct {word}" for word in storm_words.WORDS]
    assert Counter(notes.read("acked")) == Counter([*storm_words.WORDS, *direct]), log
    assert {(word, task) for word, task in notes.read("directed")} == {
        (word, 1) for word in storm_words.WORDS
    }
    # On a slow machine, one may have been replayed.
    sunk = {(word, length) for word, length in notes.read("sunk")}
    assert sunk == {(word, len(word)) for word in storm_words.WORDS}
    assert {word for word, _ in notes.read("counted")} == set(storm_words.WORDS)
    refused = notes.read("refused")
    assert len(refused) >= len(storm_words.WORDS)
    assert all("'counted' is not registered" in told for told in refused)
    counts = re.findall(r":measured\s+words\s+(\d+)", log)
    assert sum(map(int, counts)) >= len(storm_words.WORDS), log
    assert re.search(r':measured\s+last\s+\{"word":', log)
    assert re.search(r":measured\s+third\s+0\.333", log)
    for path in notes.read("modules"):
        assert path.endswith("/resources/wordy.py")
    for path in notes.read("packages"):
        assert path.endswith("/resources/environment/jvmwire/__init__.py")
    assert status == 130
    assert "\tat " not in log
    assert "Exception" not in log
    summary = [line.split() for line in log.splitlines()]
    heading = summary.index(["component", "emitted", "acked", "failed"])
    told = {name: tuple(map(int, counts)) for name, *counts in summary[heading + 1 :]}
    assert told.keys() == {
        *("words", "lengths", "directed", "sink"),
        *("counter", "counted", "measured"),
    }
    assert told["words"][1] >= 6
    assert min(told["lengths"][:2]) >= 3
    assert told["sink"][1] >= 3
    # The data that it kept meanwhile is gone.
    assert not list(tmp_path.glob("jvmwire-storm-*/topology.jar"))
