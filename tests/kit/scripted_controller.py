"""Controller of Pravega that answers each method with a scripted message."""

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from types import TracebackType
from typing import Any, Self

import grpc


class ScriptedController(grpc.GenericRpcHandler):
    """Controller with one answer per method; other methods are not implemented.

    Args:
        answers: The message that answers each method, by its name.
    """

    def __init__(self, answers: Mapping[str, Any]) -> None:
        self._answers = answers
        self.asked: list[str] = []
        """The names of the methods that were called, in order."""
        self._server = grpc.server(ThreadPoolExecutor(1), handlers=[self])
        self.port = self._server.add_insecure_port("127.0.0.1:0")

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

    def service(self, details: Any) -> Any:
        """Return the handler of a method, or None if there is no answer to it."""
        name = details.method.rpartition("/")[2]
        self.asked.append(name)
        if name not in self._answers:
            return None
        answer = self._answers[name].SerializeToString()
        return grpc.unary_unary_rpc_method_handler(lambda *_: answer)
