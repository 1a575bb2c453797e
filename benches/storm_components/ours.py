"""Bolt that emits and acks each tuple, and spout that has nothing to emit, with jvmwire."""

from jvmwire.storm import Bolt, Spout, Tuple


class Echo(Bolt):
    """Emits its input."""

    outputs = ("word", "number")

    def process(self, tup: Tuple) -> None:
        self.emit(tup.values)


class Idle(Spout):
    """Emits nothing."""

    def next_tuple(self) -> None: ...
