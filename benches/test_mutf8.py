"""Modified UTF-8 from Python: long texts, short ones, and many of these into Arrow."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import mutf8
import pyarrow as pa
import pytest

from benches import inputs
from benches.harness import PreparedRun, Target, compare, in_process, run_through
from jvmwire import codec
from reference.cython import mutf8 as compiled
from reference.plain import mutf8 as plain

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from pytest_benchmark.fixture import BenchmarkFixture

SIZE = 4 << 20
"""Bytes of a long text."""
SHORT = 32
MANY = 50_000
"""Number of short texts."""

TEXT = codec.Text("modified-utf-8")


def long(script: str, random: np.random.Generator) -> tuple[str, bytes]:
    text = inputs.text(random, script, SIZE)
    return text, compiled.encode(text)


@pytest.mark.parametrize("script", inputs.SCRIPTS)
def test_decode_long(benchmark: BenchmarkFixture, script: str) -> None:
    def decoded(decode: Callable[[bytes], str]) -> Callable[[Any], PreparedRun]:
        return lambda given: in_process(lambda: decode(given[1]), len(given[1]) / 1e6)

    compare(
        benchmark,
        {
            "jvmwire": decoded(TEXT.decode),
            "mutf8, in C": decoded(mutf8.decode_modified_utf8),
            "Cython": decoded(compiled.decode),
            "Python": decoded(plain.decode),
        },
        inputs=partial(long, script),
        check=lambda given, text: text == given[0],
        unit="MB",
        work=f"A long text to `str`, {script}",
        targets=[Target("mutf8, in C", times=1.2 if script == "ascii" else 0.85)],
    )


@pytest.mark.parametrize("script", inputs.SCRIPTS)
def test_encode_long(benchmark: BenchmarkFixture, script: str) -> None:
    def encoded(encode: Callable[[str], bytes]) -> Callable[[Any], PreparedRun]:
        return lambda given: in_process(lambda: encode(given[0]), len(given[1]) / 1e6)

    compare(
        benchmark,
        {
            "jvmwire": encoded(TEXT.encode),
            "mutf8, in C": encoded(mutf8.encode_modified_utf8),
            "Cython": encoded(compiled.encode),
        },
        inputs=partial(long, script),
        check=lambda given, wire: wire == given[1],
        unit="MB",
        work=f"A long `str` to bytes, {script}",
    )


def short(script: str, random: np.random.Generator) -> tuple[list[str], list[bytes]]:
    texts = inputs.strings(random, script, SHORT, MANY)
    return texts, [compiled.encode(text) for text in texts]


@pytest.mark.parametrize("script", inputs.SCRIPTS)
def test_decode_short(benchmark: BenchmarkFixture, script: str) -> None:
    def decoded(decode: Callable[[bytes], str]) -> Callable[[Any], PreparedRun]:
        return lambda given: in_process(
            lambda: run_through(map(decode, given[1])),
            MANY,
            result=lambda _: [*map(decode, given[1])],
        )

    compare(
        benchmark,
        {
            "jvmwire": decoded(TEXT.decode),
            "mutf8, in C": decoded(mutf8.decode_modified_utf8),
            "Cython": decoded(compiled.decode),
            "Python": decoded(plain.decode),
        },
        inputs=partial(short, script),
        check=lambda given, texts: texts == given[0],
        unit="text",
        work=f"A text of {SHORT} bytes to `str`, {script}",
        targets=[Target("mutf8, in C", times=1.5)],
    )


def behind_lengths(script: str, random: np.random.Generator) -> tuple[list[str], bytes]:
    texts = inputs.strings(random, script, SHORT, MANY)
    return texts, b"".join(map(compiled.encode_utf, texts))


def loop(data: bytes) -> list[str]:
    """Decode texts after their lengths with `mutf8`, as a careful user writes it."""
    decode = mutf8.decode_modified_utf8
    texts = []
    offset = 0
    while offset < len(data):
        start = offset + 2
        offset = start + (data[offset] << 8 | data[offset + 1])
        texts.append(decode(data[start:offset]))
    return texts


@pytest.mark.parametrize("script", inputs.SCRIPTS)
def test_decode_short_to_arrow(benchmark: BenchmarkFixture, script: str) -> None:
    compare(
        benchmark,
        {
            "jvmwire, Arrow": lambda given: in_process(
                lambda: codec.JAVA_UTF.decode_all(given[1]),
                MANY,
                result=lambda made: pa.array(made).to_pylist(),
            ),
            "loop over mutf8, Arrow": lambda given: in_process(
                lambda: pa.array(loop(given[1]), pa.string()),
                MANY,
                result=lambda made: made.to_pylist(),
            ),
            "loop over mutf8, list": lambda given: in_process(lambda: loop(given[1]), MANY),
            "Cython, list": lambda given: in_process(
                lambda: compiled.decode_all_utf(given[1]), MANY
            ),
        },
        inputs=partial(behind_lengths, script),
        check=lambda given, texts: texts == given[0],
        unit="text",
        work=f"Many texts of {SHORT} bytes behind their lengths, {script}",
        targets=[Target("loop over mutf8, Arrow", times=8)],
    )
