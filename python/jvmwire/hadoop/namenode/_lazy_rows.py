"""Lazily decoded lists of a NameNode's answers, with export to Arrow."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeVar, overload

from jvmwire._arrow_stream import ArrowStream

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jvmwire._core import HadoopList

T = TypeVar("T")

Column = tuple[str, str, str]
"""The name of the column, the field of the message, and the conversion: see `Plan` of the
binding."""


class Rows(ArrowStream, Sequence[T]):
    """Entries of one or more answers, which are decoded on first access.

    Arrow imports all of them as one record batch, or as a stream of it, without a Python object
    per row.

    Args:
        answers: A text for each answer (the path that its entries belong to) and the encoded
            message.
        of: Field of the message that lists the entries.
        decode: Function that decodes the entries of all answers.
        columns: Columns of the record batch.
        length: Number of entries. Default: counted in the answers.
    """

    def __init__(
        self,
        answers: Sequence[tuple[str, bytes]],
        of: HadoopList,
        decode: Callable[[Sequence[tuple[str, bytes]]], list[T]],
        columns: Sequence[Column],
        length: int | None = None,
    ) -> None:
        """Keep the answers; without `length`, count their entries."""
        self._answers = answers
        self._of = of
        self._decode = decode
        self._columns = columns
        if length is None:
            length = sum(of.measure(payload)[0] for _, payload in answers)
        self._length = length
        self._decoded: list[T] | None = None

    def _entries(self) -> list[T]:
        if self._decoded is None:
            self._decoded = self._decode(self._answers)
        return self._decoded

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> list[T]: ...
    def __getitem__(self, index: int | slice) -> T | list[T]:
        return self._entries()[index]

    def __iter__(self) -> Iterator[T]:
        return iter(self._entries())

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {len(self)} entries>"

    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]:
        """Export the columns by Arrow's PyCapsule interface."""
        return self._of.columns(self._answers, self._columns).__arrow_c_array__(requested_schema)
