"""Command `jvmwire top`, which shows the calls of a growing capture live."""

from __future__ import annotations

from jvmwire._cli.top._command import top

__all__ = ["top"]
