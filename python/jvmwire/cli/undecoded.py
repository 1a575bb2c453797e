"""Says on standard error what could not be decoded."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmwire.cli.tables import warn
from jvmwire.errors import NotACapture

if TYPE_CHECKING:
    from jvmwire.capture import Reading


class Undecoded:
    """Collects what readings could not decode, by file."""

    def __init__(self) -> None:
        self._sentences: list[str] = []

    def add(self, name: str, reading: Reading) -> None:
        """Take note of what is missing of `reading`, which has ended."""
        if reading.damage is not None:
            sentence = f"{name}: {reading.damage}"
            if isinstance(reading.damage, NotACapture):
                sentence += "; a raw dump is read with --protocol and --side"
            self._sentences.append(sentence)
        for reason, pieces, size in reading.undecoded:
            if reading.damage is not None and not size:
                continue  # the sentence above says it
            where = "one place" if pieces == 1 else f"{pieces:,} places"
            self._sentences.append(f"{name}: {size:,} bytes in {where}: {reason}")

    def report(self) -> bool:
        """Say it; return whether there was anything to say."""
        for sentence in self._sentences:
            warn(sentence)
        return bool(self._sentences)
