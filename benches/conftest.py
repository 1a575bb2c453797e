"""Captures as inputs, made from one recording; and a Spark that reads them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pytest

import jvmwire.spark
from benches.isolated import keep_memory
from kit.environment import PYTHONPATH, ROOT
from kit.scale_capture import MAX_COPIES, Template
from kit.scale_capture import amplify as write_amplified

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pyspark.sql import SparkSession

RECORDING = ROOT / "python" / "jvmwire" / "recordings" / "namenode-3.5.0.pcap.gz"


@pytest.fixture(scope="session", autouse=True)
def kept_memory() -> None:
    """Make glibc keep freed memory, so that no contender pays by chance for fresh pages."""
    keep_memory()


@dataclass(frozen=True)
class Amplified:
    """Captures of the recording's traffic, many times over."""

    paths: list[Path]
    copies: int
    """Number of copies in all captures together."""

    @property
    def size(self) -> int:
        """Bytes of all captures together."""
        return sum(path.stat().st_size for path in self.paths)


Amplify = Callable[[int, int, np.random.Generator], Amplified]


@pytest.fixture(scope="session")
def amplify(tmp_path_factory: pytest.TempPathFactory) -> Amplify:
    """Make captures of at least so many bytes in so many files, each with its own random clients.

    They replace earlier ones of the same size and number.
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
    """A local Spark session with two cores, in which the data source `jvmwire` is registered."""
    session = jvmwire.spark.new_session(
        "local[2]",
        name="benches",
        # Workers import the rival.
        settings={"spark.executorEnv.PYTHONPATH": PYTHONPATH},
    )
    jvmwire.spark.register(session)
    yield session
    session.stop()
