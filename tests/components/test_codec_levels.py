"""Properties of the codec and results of captures hold with the kernels of every level."""

import os
import subprocess
import sys

import pytest

from jvmwire import codec
from kit.environment import ROOT

# The parts with kernels, and captures, which decode by means of them.
HELD = [
    "tests/properties/test_codec_laws.py",
    "tests/components/test_codec_strings.py",
    "tests/components/test_hadoop_messages.py",
    "tests/components/test_hadoop_seed.py",
    "tests/components/test_streams.py",
]
WITH_KERNELS = "bulk or garbage or text or surrogate or hadoop or streams"


def _run(kernels: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments],
        env=os.environ | {"JVMWIRE_KERNELS": kernels},
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )


def test_the_level_in_use_is_the_highest_unless_the_environment_names_one() -> None:
    assert codec.LEVELS[0] == "portable"
    assert codec.level() == os.environ.get("JVMWIRE_KERNELS", codec.LEVELS[-1])
    for level in codec.LEVELS:
        done = _run(level, "-c", "from jvmwire import codec; print(codec.level())")
        assert done.stdout == f"{level}\n", done.stderr


@pytest.mark.parametrize("kernels", ["avx1024", "", "Portable"])
def test_an_unknown_level_is_refused_with_those_that_there_are(kernels: str) -> None:
    done = _run(kernels, "-c", "from jvmwire import codec")
    known = ", ".join(codec.LEVELS)
    assert f"ValueError: JVMWIRE_KERNELS is '{kernels}', and this processor has {known}" in (
        done.stderr
    )


@pytest.mark.parametrize("level", [level for level in codec.LEVELS if level != codec.level()])
def test_all_levels_obey_the_laws(level: str) -> None:
    done = _run(level, "-m", "pytest", "-q", "-k", WITH_KERNELS, *HELD)
    assert done.returncode == 0, done.stdout + done.stderr
