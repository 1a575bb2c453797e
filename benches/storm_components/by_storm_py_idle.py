"""Spout that has nothing to emit, with Storm's own module for Python from the folder given."""

import sys

sys.path.insert(0, sys.argv[1])

import storm


class Idle(storm.Spout):  # type: ignore[misc]  # it has no types
    """Emits nothing."""


if __name__ == "__main__":
    Idle().run()
