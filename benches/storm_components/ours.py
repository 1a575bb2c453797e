"""Emits and acks each tuple, and has nothing to emit, by jvmwire."""

from jvmwire.storm import Bolt, Spout, Tuple


class Echo(Bolt):
    """Emits what it gets."""

    outputs = ("word", "number")

    def process(self, tup: Tuple) -> None:
        self.emit(tup.values)


class Idle(Spout):
    """Emits nothing."""

    def next_tuple(self) -> None: ...
