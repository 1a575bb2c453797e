"""Ranges of a capture, each decoded separately from the decoder state at its start."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from jvmwire.capture._fingerprint import FileFingerprint

STREAM_BITS = 32
"""Bits of a stream's number within its capture; the number of the capture is above them."""


class RangeEnd(Enum):
    """The boundary at the end of a range."""

    CUT = "cut"
    """A cut within a file."""
    FILE = "file"
    """The end of a file; the capture continues in the next file."""
    CAPTURE = "capture"
    """The end of the capture and of every stream that is still open."""


@dataclass(frozen=True, slots=True)
class CaptureRange:
    """A byte range of a capture file between packet records, with the decoder state before it."""

    path: Path
    start: int
    stop: int
    end: RangeEnd
    state: bytes | None = None
    """The decoder state before the range; None at the beginning of the capture."""
    beginning: FileFingerprint | None = None
    """The fingerprint of the file; None for a capture that is not overwritten."""
