"""Declare, serve and call a Hadoop RPC interface in one process: `python own_rpc_service.py`.

Needs no extra.
"""

from jvmwire.hadoop import rpc


class Adder(rpc.Interface, protocol="adder", version=1):
    """Interface that Java programs may share."""

    def add(self, first: rpc.Int, second: rpc.Int) -> rpc.Int:
        """Return the sum of two numbers."""
        raise NotImplementedError


class AdderImpl:
    """Implementation of the interface."""

    def add(self, first: int, second: int) -> int:
        """Return the sum of two numbers."""
        return first + second


server = rpc.serve({Adder: AdderImpl()})
with server, rpc.connect(Adder, f"127.0.0.1:{server.port}") as adder:
    print("2 + 3 =", adder.add(2, 3))
