"""gRPC server of a double's controller, whose calls are executed in the event loop of its store."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import grpc
from google.protobuf import message_factory

from jvmwire.errors import ConnectFailed
from jvmwire.pravega.streams import _controller_pb2 as messages
from jvmwire.pravega.testing._controller_calls import ControllerCalls, NotFound, Unavailable
from jvmwire.pravega.testing._refusals import Hangup, Refusal
from jvmwire.transports import Tcp

if TYPE_CHECKING:
    from collections.abc import Callable

    from jvmwire._faults import Faults
    from jvmwire.pravega.testing._segments import Segments

THREADS = 16
"""Calls that are executed or delayed at a time; others wait."""
MAX_CALLS = 1000
"""Calls that are executed or wait, at most; gRPC refuses others."""

_SERVICE = messages.DESCRIPTOR.services_by_name["ControllerService"]


class ControllerServer:
    """A controller on a port.

    Args:
        segments: The segments of the store.
        faults: The failures that calls have.
        place: Host and port to listen at.
        delegation_token: The token that clients are given.
        now: Returns the time in milliseconds since 1970.
    """

    def __init__(
        self,
        segments: Segments,
        faults: Faults,
        place: tuple[str, int],
        delegation_token: str,
        now: Callable[[], int],
    ) -> None:
        self.calls = ControllerCalls(segments, delegation_token, now)
        self.port = 0
        """The port, once it is started."""
        self._faults = faults
        self._place = place
        self._server: grpc.Server | None = None

    def start(self, loop: asyncio.AbstractEventLoop, store: tuple[str, int]) -> None:
        """Start to serve.

        Args:
            loop: The loop in which calls are executed.
            store: Host and port of the segment store.

        Raises:
            ConnectFailed: the port is in use, or the address is not one of this machine.
        """
        host, port = self._place
        server = grpc.server(
            ThreadPoolExecutor(THREADS, "jvmwire Pravega controller"),
            handlers=[_Handlers(self, loop)],
            options=[("grpc.so_reuseport", 0)],
            maximum_concurrent_rpcs=MAX_CALLS,
        )
        try:
            self.port = server.add_insecure_port(str(Tcp(host, port)) if port else f"{host}:0")
        except RuntimeError as error:
            raise ConnectFailed(f"cannot listen on {host}:{port}: {error}") from error
        self.calls.store, self.calls.address = store, (host, self.port)
        server.start()
        self._server = server

    def stop(self) -> None:
        """Stop to serve."""
        if self._server is not None:
            self._server.stop(None).wait()
            self._server = None

    async def answer(self, method: str, request: Any) -> tuple[Any, grpc.StatusCode, str]:
        """Answer a call.

        Args:
            method: The name of the method.
            request: Its message.

        Returns:
            The message of the reply, or None with the code and the text of an error.
        """
        fault = self._faults.take(method)
        if fault is not None:
            if fault.delay:
                await asyncio.sleep(fault.delay)
            if fault.error is not None:
                return None, grpc.StatusCode.INTERNAL, str(fault.error)
            if fault.is_silent:
                if fault.executes:
                    self._execute(method, request)
                return None, grpc.StatusCode.UNAVAILABLE, "the double is told to be unavailable"
        return self._execute(method, request)

    def _execute(self, method: str, request: Any) -> tuple[Any, grpc.StatusCode, str]:
        try:
            return self.calls.answer(method, request), grpc.StatusCode.OK, ""
        except NotFound as error:
            return None, grpc.StatusCode.NOT_FOUND, str(error)
        except Unavailable as error:
            return None, grpc.StatusCode.UNIMPLEMENTED, str(error)
        except ValueError as error:
            return None, grpc.StatusCode.INVALID_ARGUMENT, str(error)
        except (Refusal, Hangup) as error:
            text = str(error.error()) if isinstance(error, Refusal) else "the segment is a table"
            return None, grpc.StatusCode.INTERNAL, text


class _Handlers(grpc.GenericRpcHandler):
    """The methods of the service, by their paths."""

    def __init__(self, server: ControllerServer, loop: asyncio.AbstractEventLoop) -> None:
        self._server, self._loop = server, loop

    def service(self, handler_call_details: Any) -> Any:
        """Return the handler of a method, or None if the service does not have it."""
        service, _, name = handler_call_details.method.removeprefix("/").partition("/")
        method = _SERVICE.methods_by_name.get(name)
        if method is None or service != _SERVICE.full_name:
            return None

        def handle(request: Any, context: Any) -> Any:
            answering = self._server.answer(name, request)
            future = asyncio.run_coroutine_threadsafe(answering, self._loop)
            answer, code, text = future.result()
            if answer is None:
                context.abort(code, text)
            return answer

        request_class = message_factory.GetMessageClass(method.input_type)
        return grpc.unary_unary_rpc_method_handler(
            handle,
            request_deserializer=request_class.FromString,
            response_serializer=message_factory.GetMessageClass(
                method.output_type
            ).SerializeToString,
        )
