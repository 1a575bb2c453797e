"""The inputs: made at run time of one recording, the same for the same version of it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import jvmwire.spark
from benches.amplify import Template, amplify

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pyspark.sql import SparkSession

ROOT = Path(__file__).parents[1]
RECORDING = ROOT / "python" / "jvmwire" / "recordings" / "namenode-3.5.0.pcap.gz"


@pytest.fixture(scope="session")
def amplified(tmp_path_factory: pytest.TempPathFactory) -> Callable[[int, int], list[Path]]:
    """Make `files` captures of at least `size` bytes together, each of its own clients."""
    directory = tmp_path_factory.mktemp("captures")

    def make(size: int, files: int) -> list[Path]:
        folder = directory / f"{size}-{files}"
        made = [folder / f"{number}.pcap" for number in range(files)]
        if not folder.exists():
            folder.mkdir()
            copies = -(-size // files // Template.of(RECORDING).size)
            for number, path in enumerate(made):
                with path.open("wb") as out:
                    amplify(RECORDING, out, copies=copies, first_copy=number * copies)
        return made

    return make


@pytest.fixture(scope="session")
def spark() -> Iterator[SparkSession]:
    """A local Spark of two cores that knows the format `jvmwire`."""
    session = jvmwire.spark.new_session(
        "local[2]",
        name="benches",
        # Workers import the rival.
        settings={"spark.executorEnv.PYTHONPATH": str(ROOT)},
    )
    jvmwire.spark.register(session)
    yield session
    session.stop()
