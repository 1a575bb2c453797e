"""Emits and acks each tuple, by Storm's own module for Python, which lies in the folder named."""

import sys

sys.path.insert(0, sys.argv[1])

import storm


class Echo(storm.BasicBolt):  # type: ignore[misc]  # it has no types
    """Emits what it gets, and does not wait for the tasks that it went to."""

    def process(self, tup: storm.Tuple) -> None:
        storm.emitBolt(tup.values)


if __name__ == "__main__":
    Echo().run()
