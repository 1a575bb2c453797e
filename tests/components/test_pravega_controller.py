"""Calls to a controller are retried where that may help, and not forever."""

import socket
from collections.abc import Generator
from queue import Queue
from typing import Any, cast

import grpc
import pytest

from jvmwire._runtime.operations import Instruction, RunExternal, Sleep
from jvmwire.errors import ConnectFailed
from jvmwire.options import RetryPolicy
from jvmwire.pravega.streams._controller import Controller
from jvmwire.pravega.streams._names import stream_info
from jvmwire.pravega.streams.errors import ControllerError
from jvmwire.transports import Tcp


def ask(controller: Controller) -> Generator[type[Instruction]]:
    """Run a call; yield the type of each of its instructions."""
    call = controller.call("getDelegationToken", stream_info("scope/stream"))
    instruction = next(call)
    while True:
        yield type(instruction)
        if isinstance(instruction, RunExternal):
            future: Any = instruction.begin()
            done: Queue[object] = Queue()
            future.add_done_callback(done.put)
            assert done.get(timeout=60) is future
            with pytest.raises(grpc.RpcError) as refused:
                cast("grpc.Future[Any]", future).result()
            instruction = call.throw(refused.value)
        else:
            instruction = call.send(None)


def test_a_controller_that_says_nothing_is_asked_as_often_as_told_and_then_given_up():
    asked: list[type[Instruction]] = []
    with socket.create_server(("127.0.0.1", 0)) as silent:
        endpoint = Tcp("127.0.0.1", silent.getsockname()[1])
        retry = RetryPolicy(attempts=3)
        controller = Controller(endpoint, user="", password="", retry=retry, timeout=0.1)
        with pytest.raises(ConnectFailed, match="no answer of the controller"):
            asked.extend(ask(controller))
        controller.close()
    assert asked == [RunExternal, Sleep, RunExternal, Sleep, RunExternal]


class Refused(grpc.RpcError):
    """Exception that gRPC raises for an error status."""

    def __init__(self, code: grpc.StatusCode) -> None:
        self._code = code

    def code(self) -> grpc.StatusCode:
        return self._code

    def details(self) -> str:
        return "updateEntry"


def test_an_update_that_another_came_before_is_made_again():
    controller = Controller(Tcp("127.0.0.1", 1), user="", password="", retry=RetryPolicy())
    call = controller.call("pingTransaction", stream_info("scope/stream"))
    assert isinstance(next(call), RunExternal)
    assert isinstance(call.throw(Refused(grpc.StatusCode.FAILED_PRECONDITION)), Sleep)
    assert isinstance(call.send(None), RunExternal)
    with pytest.raises(ControllerError, match="INTERNAL: updateEntry"):
        call.throw(Refused(grpc.StatusCode.INTERNAL))
