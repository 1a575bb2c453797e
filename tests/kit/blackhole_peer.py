"""Program with a connection whose peer goes dark, to be run in its own network namespace.

The peer vanishes while something is sent to it; the program prints the fate of the connection.
"""

import select
import socket

from jvmwire.errors import TransportError
from jvmwire.transports import Tcp, _tcp_attempts
from kit.namespace import set_loopback
from kit.transport_adapters import SOON


def main() -> None:
    """Send to a peer that goes dark, and wait until the connection reports it."""
    _tcp_attempts.KEEP_ALIVE_INTERVAL = _tcp_attempts.KEEP_ALIVE_PROBES = 1
    with socket.create_server(("127.0.0.1", 0)) as listener:
        endpoint = Tcp("127.0.0.1", listener.getsockname()[1], keep_alive=1.0)
        transport = endpoint.connect(timeout=SOON)
        peer, _ = listener.accept()
        with peer:
            set_loopback(up=False)
            transport.send(b"are you there?")
            select.select([transport.read_fd], [], [], SOON)
            try:
                became = f"received {transport.recv()!r}"
            except TransportError as error:
                became = repr(error)
            transport.close()
    print(became)  # noqa: T201 - who started it reads it


if __name__ == "__main__":
    main()
