"""Hypothesis strategies for any command of Pravega, made from the codec's table."""

from typing import Any
from uuid import UUID

from hypothesis import strategies as st

from jvmwire._core import PravegaDialect

# Lone surrogates, NUL and characters beyond the first plane: Java's text has them all.
TEXTS = st.text(st.characters(exclude_categories=()), max_size=12)
BYTES = st.binary(max_size=20)
LONGS = st.integers(-(1 << 63), (1 << 63) - 1)
ANY_VERSION = -(1 << 63)

# An empty key is written without its version, and is read as one of any version.
KEYS = st.one_of(
    st.fixed_dictionaries({"key": st.just(b""), "version": st.just(ANY_VERSION)}),
    st.fixed_dictionaries({"key": st.binary(min_size=1, max_size=9), "version": LONGS}),
)

KINDS: dict[str, st.SearchStrategy[Any]] = {
    "bool": st.booleans(),
    "int8": st.integers(-128, 127),
    "int32": st.integers(-(1 << 31), (1 << 31) - 1),
    "int64": LONGS,
    "uuid": st.integers(0, (1 << 128) - 1).map(lambda number: UUID(int=number)),
    "text": TEXTS,
    "bytes": BYTES,
    "length": st.integers(0, 30),
    "part": st.sampled_from(["Begin", "Middle", "End"]),
}


def values(dialect: PravegaDialect, name: str, left_out: int = 0) -> st.SearchStrategy[Any]:
    """Return strategies for the fields of a command, without the given number of last fields."""
    [fields] = [fields for _, known, _, fields in dialect.commands() if known == name]
    kept = fields[: len(fields) - left_out]
    return st.fixed_dictionaries({field: _value(field, kind) for field, kind, _ in kept})


def optional(dialect: PravegaDialect, name: str) -> int:
    """Return how many fields of a command may be left out."""
    [fields] = [fields for _, known, _, fields in dialect.commands() if known == name]
    return sum(is_optional for _, _, is_optional in fields)


def _value(field: str, kind: Any) -> st.SearchStrategy[Any]:
    if field == "prefix_filter":
        # Java has written none since 0.10, even for values that it read.
        return st.just(b"")
    if field == "error_code":
        # Java reads unknown values as -1.
        return st.sampled_from([-1, 0])
    if isinstance(kind, str):
        return KINDS[kind]
    if kind == ["key"]:
        return st.lists(KEYS, max_size=3)
    if isinstance(kind[0], str):
        return st.lists(KINDS[kind[0]], max_size=3)
    if [name for name, _, _ in kind] == ["key", "value"]:
        pairs = st.tuples(KEYS, BYTES)
        return st.lists(pairs.map(lambda pair: pair[0] | {"value": pair[1]}), max_size=3)
    element = st.fixed_dictionaries({name: _value(name, kind) for name, kind, _ in kind})
    return st.lists(element, max_size=3)
