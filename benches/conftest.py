"""Captures as inputs, made of one recording; and a Spark that reads them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pytest

import jvmwire.spark
from benches.isolated import keep_memory
from benches.scale_capture import MAX_COPIES, Template
from benches.scale_capture import amplify as write_amplified
from kit.environment import PYTHONPATH, ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pyspark.sql import SparkSession

RECORDING = ROOT / "python" / "jvmwire" / "recordings" / "namenode-3.5.0.pcap.gz"


@pytest.fixture(scope="session", autouse=True)
def kept_memory() -> None:
    """Nobody pays by chance for fresh pages."""
    keep_memory()


@dataclass(frozen=True)
class Amplified:
    """Captures of the recording's traffic, again and again."""

    paths: list[Path]
    copies: int
    """In all of them."""

    @property
    def size(self) -> int:
        """Bytes of them all."""
        return sum(path.stat().st_size for path in self.paths)


Amplify = Callable[[int, int, np.random.Generator], Amplified]


@pytest.fixture(scope="session")
def amplify(tmp_path_factory: pytest.TempPathFactory) -> Amplify:
    """Make captures of at least so many bytes, so many files, each of random clients of its own.

    They take the place of those made before of that size and number.
    """
    directory = tmp_path_factory.mktemp("captures")

    def make(size: int, files: int, random: np.random.Generator) -> Amplified:
        folder = directory / f"{size}-{files}"
        folder.mkdir(exist_ok=True)
        made = [folder / f"{number}.pcap" for number in range(files)]
        copies = -(-size // files // Template.of(RECORDING).size)
        first = int(random.integers(MAX_COPIES - files * copies))
        for number, path in enumerate(made):
            with path.open("wb") as out:
                write_amplified(RECORDING, out, copies=copies, first_copy=first + number * copies)
        return Amplified(made, files * copies)

    return make


@pytest.fixture(scope="session")
def spark() -> Iterator[SparkSession]:
    """A local Spark of two cores that knows the format `jvmwire`."""
    session = jvmwire.spark.new_session(
        "local[2]",
        name="benches",
        # Workers import the rival.
        settings={"spark.executorEnv.PYTHONPATH": PYTHONPATH},
    )
    jvmwire.spark.register(session)
    yield session
    session.stop()
