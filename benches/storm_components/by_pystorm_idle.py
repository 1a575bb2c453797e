"""Spout that has nothing to emit, with pystorm."""

from pystorm import Spout


class Idle(Spout):  # type: ignore[misc]  # it has no types
    """Emits nothing."""

    def next_tuple(self) -> None: ...


if __name__ == "__main__":
    Idle().run()
