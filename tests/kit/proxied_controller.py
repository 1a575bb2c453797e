"""Proxy of a controller that reports another address of the store, and other controllers."""

from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from types import TracebackType
from typing import Any, Self

import grpc

from jvmwire.pravega.streams import _controller_pb2 as messages
from jvmwire.transports import Tcp

THREADS = 32
"""Calls that are passed on at once: some wait for a while at the controller."""
WAIT_TIMEOUT = 30.0


class Detour(grpc.GenericRpcHandler):
    """Service that forwards each call to a controller, and places every segment at `store`.

    A controller in one process with its store has no cluster of controllers: with `controllers`
    this one reports a cluster of those.
    """

    def __init__(
        self, controller: Tcp, store: tuple[str, int], controllers: Sequence[tuple[str, int]] = ()
    ) -> None:
        self._store = store
        self._controllers = [
            messages.NodeUri(endpoint=host, port=port) for host, port in controllers
        ]
        self.passed_on: Counter[str] = Counter()
        """Number of calls by method."""
        self._channel = grpc.insecure_channel(f"{controller.host}:{controller.port}")
        self._server = grpc.server(ThreadPoolExecutor(THREADS), handlers=[self])
        self.address = ("127.0.0.1", self._server.add_insecure_port("127.0.0.1:0"))

    def __enter__(self) -> Self:
        self._server.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._server.stop(None).wait()
        self._channel.close()

    def service(self, details: Any) -> Any:
        """Return the handler of a method."""
        return grpc.unary_unary_rpc_method_handler(partial(self._pass_on, details.method))

    def _pass_on(self, method: str, request: bytes, context: Any) -> bytes:
        self.passed_on[method.rpartition("/")[2]] += 1
        if self._controllers and method.endswith("/getControllerServerList"):
            return messages.ServerResponse(nodeURI=self._controllers).SerializeToString()
        try:
            called: Any = self._channel.unary_unary(method)
            answer: bytes = called(request, timeout=WAIT_TIMEOUT)
        except grpc.RpcError as error:
            context.abort(error.code(), error.details())
        if method.endswith("/getURI"):
            host, port = self._store
            answer = messages.NodeUri(endpoint=host, port=port).SerializeToString()
        return answer
