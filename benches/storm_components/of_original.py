"""Bolt that emits and acks each tuple, with jvmwire under the names of Storm's own module."""

from jvmwire.storm.compat import storm_py as storm


class Echo(storm.BasicBolt):
    """Emits its input, and does not wait for the task ids."""

    def process(self, tup: storm.Tuple) -> None:
        storm.emitBolt(tup.values)


if __name__ == "__main__":
    Echo().run()
