"""Emits and acks each tuple, by pystorm with the serializer that is named."""

import sys
from typing import Any

from pystorm import Bolt


class Echo(Bolt):  # type: ignore[misc]  # it has no types
    """Emits what it gets."""

    def process(self, tup: Any) -> None:
        self.emit(list(tup.values))


if __name__ == "__main__":
    Echo(serializer=sys.argv[1]).run()
