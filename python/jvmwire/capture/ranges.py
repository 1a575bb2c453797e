"""Ranges of a capture, each decoded by itself from what was known where the one before ended."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from jvmwire.capture.beginnings import Beginning


class End(Enum):
    """What ends where a range ends."""

    CUT = "cut"
    """Nothing: the file goes on."""
    FILE = "file"
    """The file; its capture goes on in the next one."""
    CAPTURE = "capture"
    """The capture, and with it every stream that is still open."""


@dataclass(frozen=True, slots=True)
class CaptureRange:
    """Bytes of a capture file from one packet record to another, and what came before them."""

    path: Path
    start: int
    stop: int
    end: End
    state: bytes | None = None
    """What a decoder knew in front of the range; None where nothing came before."""
    beginning: Beginning | None = None
    """By which the file is known again; None where it is not written anew."""
