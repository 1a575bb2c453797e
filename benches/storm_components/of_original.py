"""Emits and acks each tuple, by jvmwire under the names of Storm's own module for Python."""

from jvmwire.storm.compat import storm_py as storm


class Echo(storm.BasicBolt):
    """Emits what it gets, and does not wait for the tasks that it went to."""

    def process(self, tup: storm.Tuple) -> None:
        storm.emitBolt(tup.values)


if __name__ == "__main__":
    Echo().run()
