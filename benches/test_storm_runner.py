"""Bolt that emits and acks recorded tuples: jvmwire's runner against pystorm and storm.py.

The measured cost is the CPU time of the component's process; its start, about as long for all, is
part of it.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from functools import partial
from typing import TYPE_CHECKING

import msgpack
import orjson

from benches.harness import Measurement, PreparedRun, Target, compare
from kit.environment import ROOT
from kit.storm_process import original
from kit.storm_transcript import messages, recorded

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    import numpy as np
    from pytest_benchmark.fixture import BenchmarkFixture

TUPLES = 200_000
ROUNDS = 7


def tuples(pid_dir: Path, random: np.random.Generator) -> list[bytes]:
    """Return a handshake and tuples, with the recorded handshake and the recorded words."""
    handshake, first, *_ = messages(recorded("doubler").server)
    shake = orjson.loads(handshake.removesuffix(b"\nend\n"))
    shake["pidDir"] = str(pid_dir)
    shake["context"]["stream->outputfields"] = {"default": ["word", "number"]}
    like = orjson.loads(first.removesuffix(b"\nend\n"))
    said = [orjson.dumps(shake)]
    word = like["tuple"][1]
    for number, tuple_id in enumerate(random.integers(-(2**63), 2**63 - 1, TUPLES).tolist()):
        # Ids of 64 random bits: none occurs twice.
        like |= {"id": str(tuple_id), "tuple": [word, number]}
        said.append(orjson.dumps(like))
    return said


def as_json(said: list[bytes]) -> bytes:
    return b"".join(message + b"\nend\n" for message in said)


def as_msgpack(said: list[bytes]) -> bytes:
    return b"".join(msgpack.packb(orjson.loads(message)) for message in said)


def process(
    directory: Path,
    command: Sequence[str],
    encoded: Callable[[list[bytes]], bytes],
    ack: bytes,
    said: list[bytes],
) -> PreparedRun:
    """Return a component just before it processes all messages, through pipes as Storm has them.

    At their other ends is `cat`, so the feeder of a component takes little of the machine.
    """
    given, made = directory / "given", directory / "made"
    acks: list[int] = []
    given.write_bytes(encoded(said))

    def run() -> Measurement:
        start = time.perf_counter()
        with (
            made.open("wb") as file,
            subprocess.Popen(["cat", given], stdout=subprocess.PIPE) as feeder,
            subprocess.Popen(
                [sys.executable, *command],
                stdin=feeder.stdout,
                stdout=subprocess.PIPE,
                env=os.environ | {"PYTHONPATH": f"{ROOT}"},
            ) as child,
            subprocess.Popen(["cat"], stdin=child.stdout, stdout=file),
        ):
            for pipe in (feeder.stdout, child.stdout):
                assert pipe is not None
                pipe.close()  # it belongs to the children now
            _, _, used = os.wait4(child.pid, 0)
            child.returncode = 0
        taken = Measurement(TUPLES, time.perf_counter() - start, used.ru_utime + used.ru_stime)
        acks.append(made.read_bytes().count(ack))
        return taken

    return PreparedRun(run, acks.pop)


def test_emitting_and_acking(benchmark: BenchmarkFixture, tmp_path: Path) -> None:
    json_ack, packed_ack = b'"ack"', b"\xa3ack"
    ours = ["-m", "jvmwire.storm", "benches.storm_components.ours:Echo"]
    components = ROOT / "benches" / "storm_components"
    pystorm = [str(components / "by_pystorm.py")]
    storm_py = [str(components / "by_storm_py.py"), str(original(tmp_path))]
    compare(
        benchmark,
        {
            "jvmwire": partial(process, tmp_path, ours, as_json, json_ack),
            "jvmwire, as storm.py": partial(
                process, tmp_path, [str(components / "of_original.py")], as_json, json_ack
            ),
            "storm.py": partial(process, tmp_path, storm_py, as_json, json_ack),
            "pystorm, JSON": partial(process, tmp_path, [*pystorm, "json"], as_json, json_ack),
            "pystorm, msgpack": partial(
                process, tmp_path, [*pystorm, "msgpack"], as_msgpack, packed_ack
            ),
        },
        inputs=partial(tuples, tmp_path),
        check=lambda _, acks: acks == TUPLES,
        unit="tuple",
        work=f"emit and ack {TUPLES:,} tuples",
        targets=[
            Target("pystorm, JSON", 8),
            Target("pystorm, msgpack", 4),
            Target("storm.py", 6),
        ],
        rounds=ROUNDS,
    )
