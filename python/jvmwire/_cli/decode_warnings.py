"""Warnings on standard error about parts of captures that could not be decoded."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmwire._cli.tabular import warn
from jvmwire.errors import NotACapture

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from jvmwire.capture._reading import CaptureSession


_COMPRESSED = {0xFD377A58: "xz", 0x425A6839: "bzip2", 0x04224D18: "lz4", 0x504B0304: "zip"}
"""The compression formats that jvmwire does not decompress, by the first four bytes of a file."""
_SNOOP = 0x736E6F6F


def _hint(magic: int | None) -> str:
    """Return advice about a file that is not a capture, by its first four bytes."""
    if (name := _COMPRESSED.get(magic or 0)) is not None:
        return f"it is compressed with {name}: decompress it first"
    if magic == _SNOOP:
        return "it is a capture of snoop: editcap converts it to pcapng"
    return "a raw dump is read with --protocol and --side"


class DecodeWarnings:
    """Warnings about undecoded parts of captures, by file."""

    def __init__(self) -> None:
        self._sentences: list[str] = []
        self._empty: list[str] = []

    def add(self, files: Sequence[Path | str], reading: CaptureSession) -> None:
        """Add warnings about one capture.

        Args:
            files: Files of the capture.
            reading: Session that has read all of them.
        """
        for number, damage in reading.damages.items():
            sentence = f"{files[number]}: {damage}"
            if isinstance(damage, NotACapture):
                sentence += f"; {_hint(damage.value)}"
            self._sentences.append(sentence)
        names = [str(file) for file in files]
        self._sentences += reading.describe_undecoded(names)
        if reading.is_without_streams and not reading.damages and not reading.undecoded:
            name = names[0] if len(names) == 1 else f"{names[0]} to {names[-1]}"
            self._empty.append(f"{name}: the capture has no packets")

    @property
    def sentences(self) -> list[str]:
        """The warnings; if there are any, the exit status is 1."""
        return self._sentences

    def report(self) -> bool:
        """Print the warnings, and the captures that are empty.

        Returns:
            Whether anything could not be decoded.
        """
        # A query reads a capture as often as it names its tables.
        for sentence in dict.fromkeys(self._sentences + self._empty):
            warn(sentence)
        return bool(self._sentences)
