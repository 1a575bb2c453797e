"""Emits and acks each tuple, by jvmwire."""

from jvmwire.storm import Bolt, Tuple


class Echo(Bolt):
    """Emits what it gets."""

    outputs = ("word", "number")

    def process(self, tup: Tuple) -> None:
        self.emit(tup.values)
