"""Bolt that emits and acks each tuple, with pystorm and the serializer named as argument."""

import sys
from typing import Any

from pystorm import Bolt


class Echo(Bolt):  # type: ignore[misc]  # it has no types
    """Emits its input."""

    def process(self, tup: Any) -> None:
        self.emit(list(tup.values))


if __name__ == "__main__":
    Echo(serializer=sys.argv[1]).run()
