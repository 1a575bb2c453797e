"""Controllers by URL, and the choice among them."""

from collections.abc import Generator
from typing import Any

import grpc
import pytest

from jvmwire._runtime.operations import RunExternal, Sleep, Spawn
from jvmwire.errors import ConfigError, ConnectFailed
from jvmwire.options import RetryPolicy
from jvmwire.pravega.streams import _controller_pb2 as messages
from jvmwire.pravega.streams._controller import MAX_CONTROLLERS, Controller
from jvmwire.pravega.streams._controllers import Controllers
from jvmwire.pravega.streams._names import stream_info
from jvmwire.pravega.streams.errors import ControllerError
from jvmwire.transports import Tcp, Tls

A, B, C = (Tcp(host, 9090) for host in "abc")
REQUEST = stream_info("scope/stream")


class Unanswered(grpc.RpcError):
    """Exception that gRPC raises where no server answers."""

    def __init__(self, code: grpc.StatusCode = grpc.StatusCode.UNAVAILABLE) -> None:
        self._code = code

    def code(self) -> grpc.StatusCode:
        return self._code

    def details(self) -> str:
        return "nobody"


def new_controller(controllers: Controllers, attempts: int = 2) -> Controller:
    retry = RetryPolicy(attempts=attempts)
    return Controller(controllers, user="", password="", retry=retry)


def unanswered(controller: Controller) -> Generator[Any]:
    """Leave a call unanswered; yield the controllers that it tries, and its waits."""
    call = controller.call("getDelegationToken", REQUEST)
    instruction = next(call)
    while True:
        waits = isinstance(instruction, Sleep)
        yield Sleep if waits else controller.endpoint
        instruction = call.send(None) if waits else call.throw(Unanswered())


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("a:9090", Controllers((A,))),
        ("tcp://a:9090,b:9090", Controllers((A, B))),
        ("a", Controllers((A,))),
        ("TCP://a:9090, b:9090/", Controllers((A, B))),
        ("pravega://a:9090", Controllers((A,), discover=True)),
        ("tls://a:9090", Controllers((Tcp("a", 9090, tls=Tls()),))),
        ("ssl://[::1]:9090", Controllers((Tcp("::1", 9090, tls=Tls()),))),
        ("pravegas://a:9090", Controllers((Tcp("a", 9090, tls=Tls()),), discover=True)),
    ],
)
def test_urls_are_read_as_java_reads_them(url, expected):
    assert Controllers.parse(url) == expected


@pytest.mark.parametrize(
    "url", ["http://a:9090", "tcp://", "", "tcp://a:9090,,b:9090", "tcp://a:0", "://a:1"]
)
def test_url_that_names_no_controllers_is_refused(url):
    with pytest.raises(ConfigError):
        Controllers.parse(url)


def test_tls_needs_a_scheme_with_tls_and_is_one_for_all():
    assert Controllers.parse("tls://a:1", tls=Tls(server_hostname="b")).tls == Tls(
        server_hostname="b"
    )
    with pytest.raises(ConfigError, match="scheme with TLS"):
        Controllers.parse("tcp://a:1", tls=Tls())
    with pytest.raises(ConfigError, match="in common"):
        Controllers((A, Tcp("b", 9090, tls=Tls())))
    with pytest.raises(ConfigError, match="at least one"):
        Controllers(())


def test_every_controller_is_asked_once_before_the_first_wait():
    controller = new_controller(Controllers((A, B, C)))
    asked: list[Any] = []
    with pytest.raises(ConnectFailed, match=r"any of .*a:9090, .*b:9090, .*c:9090; the last"):
        asked.extend(unanswered(controller))
    assert asked == [A, B, C, Sleep, A]


def test_controller_that_refuses_is_asked_again_and_no_other():
    controller = new_controller(Controllers((A, B)))
    call = controller.call("getDelegationToken", REQUEST)
    next(call)
    assert isinstance(call.throw(Unanswered(grpc.StatusCode.ABORTED)), Sleep)
    assert isinstance(call.send(None), RunExternal)
    assert controller.endpoint == A
    with pytest.raises(ControllerError):
        call.throw(Unanswered(grpc.StatusCode.INTERNAL))


def discover(controller: Controller, *found: tuple[str, int]) -> None:
    """Let a call fetch the list of controllers, and supply the list."""
    call = controller.call("getDelegationToken", REQUEST)
    assert isinstance(next(call), RunExternal)
    nodes = [messages.NodeUri(endpoint=host, port=port) for host, port in found]
    assert isinstance(call.send(messages.ServerResponse(nodeURI=nodes)), Spawn)
    assert isinstance(call.send(None), RunExternal)
    with pytest.raises(StopIteration):
        call.send(messages.DelegationToken())


def test_listed_controllers_take_the_place_of_those_given_until_none_answers():
    controller = new_controller(Controllers((A,), discover=True), attempts=1)
    discover(controller, ("b", 9090), ("c", 9090))
    assert controller.endpoint == B
    call = controller.call("getDelegationToken", REQUEST)  # the list is not fetched again
    next(call)
    call.throw(Unanswered())
    assert controller.endpoint == C
    with pytest.raises(ConnectFailed):
        call.throw(Unanswered())
    assert controller.endpoint == A
    discover(controller, ("c", 9090))
    assert controller.endpoint == C


def test_all_listed_controllers_are_asked_wherever_the_known_one_is_listed():
    controller = new_controller(Controllers((A,), discover=True), attempts=1)
    discover(controller, ("b", 9090), ("a", 9090))
    assert controller.endpoint == A
    asked: list[Any] = []
    with pytest.raises(ConnectFailed):
        asked.extend(unanswered(controller))
    assert asked == [A, B]


def test_list_of_no_controllers_leaves_those_given():
    controller = new_controller(Controllers((A,), discover=True))
    discover(controller)
    assert controller.endpoint == A


@pytest.mark.parametrize("found", [[("b", 0)], [("", 1)], [("b", 1)] * (MAX_CONTROLLERS + 1)])
def test_list_that_cannot_be_is_refused(found):
    controller = new_controller(Controllers((A,), discover=True))
    call = controller.call("getDelegationToken", REQUEST)
    next(call)
    nodes = [messages.NodeUri(endpoint=host, port=port) for host, port in found]
    with pytest.raises(ControllerError, match="controllers"):
        call.send(messages.ServerResponse(nodeURI=nodes))
