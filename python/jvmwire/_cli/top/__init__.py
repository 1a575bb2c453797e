"""Command `jvmwire top`, which shows live who calls what in a capture that grows."""

from __future__ import annotations

from jvmwire._cli.top._command import top

__all__ = ["top"]
