"""Bolt that emits and acks each tuple, with Storm's own module for Python from the folder given."""

import sys

sys.path.insert(0, sys.argv[1])

import storm


class Echo(storm.BasicBolt):  # type: ignore[misc]  # it has no types
    """Emits its input, and does not wait for the task ids."""

    def process(self, tup: storm.Tuple) -> None:
        storm.emitBolt(tup.values)


if __name__ == "__main__":
    Echo().run()
