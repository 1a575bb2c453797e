"""Calls that come again, because their client did not hear what they were answered."""

import threading
from collections.abc import Iterator

import pytest

from jvmwire.hadoop import HadoopOptions, Retriable
from jvmwire.hadoop.interface import Interface, method
from jvmwire.hadoop.proxy import connect
from jvmwire.hadoop.server import RpcServer, RpcServerOptions
from jvmwire.hadoop.writable import Int
from jvmwire.transports import Tcp
from kit import wire
from kit.hadoop_hostile import Heard, ask
from kit.proxy import FaultProxy
from kit.waiting import eventually

PATIENCE = 60.0
OPENED = wire.connection_header() + wire.context("alice", "shop")


class Shop(Interface, protocol="shop", version=1):
    """Where nothing should be bought twice."""

    @method(at_most_once=True)
    def buy(self) -> Int:
        """Return the number of the purchase."""
        raise NotImplementedError

    def look(self) -> Int:
        """Return how much was bought."""
        raise NotImplementedError


class Till:
    """Counts what is bought; some of it takes until it is let go."""

    def __init__(self, *, held: int = 0, failing: int = 0) -> None:
        self.bought = 0
        self.held, self.failing = held, failing
        self.may_end = threading.Event()
        self._counting = threading.Lock()

    def buy(self) -> int:
        """Count."""
        with self._counting:
            self.bought += 1
            number = self.bought
        if number <= self.held:
            assert self.may_end.wait(PATIENCE)
        if number <= self.failing:
            raise Retriable("come again", "org.apache.hadoop.ipc.RetriableException")
        return number

    def look(self) -> int:
        """Say how much it is."""
        return self.bought


def serve(till: Till, options: RpcServerOptions | None = None) -> RpcServer:
    server = RpcServer(options)
    server.add(Shop, till)
    server.start()
    return server


def buy(server: RpcServer, *call_ids: int) -> Heard:
    calls = b"".join(wire.invocation(one, "buy", protocol="shop") for one in call_ids)
    return ask(server.port, OPENED + calls, answers=len(call_ids))


@pytest.fixture
def till() -> Iterator[Till]:
    till = Till()
    yield till
    till.may_end.set()


def test_a_call_that_comes_again_is_answered_as_before_and_carried_out_once(till: Till) -> None:
    with serve(till) as server:
        first, again, other = buy(server, 5), buy(server, 5), buy(server, 6)
        assert first.told[0].kind == "success"
        assert again == first
        assert other.told[0].payload != first.told[0].payload
        assert till.bought == 2
        assert server.metrics.answered_again == 1
        assert server.method_metrics["shop.buy"].calls == 2


def test_a_call_that_comes_again_while_it_lasts_is_answered_with_it(till: Till) -> None:
    till.held = 1
    with serve(till) as server:
        heard: list[Heard] = []
        asking = [threading.Thread(target=lambda: heard.append(buy(server, 5))) for _ in range(3)]
        for one in asking:
            one.start()
        eventually(lambda: server.metrics.answered_again == 2)
        till.may_end.set()
        for one in asking:
            one.join()
        assert heard == [heard[0]] * 3
        assert till.bought == 1
        assert server.metrics.open_calls == 0


def test_the_same_call_of_another_client_is_another_call(till: Till) -> None:
    with serve(till) as server:
        for _ in range(2):
            # Each has a client id of its own, and counts its calls from 0.
            with connect(Shop, Tcp("127.0.0.1", server.port)) as shop:
                shop.buy()
        assert till.bought == 2
        assert server.metrics.answered_again == 0


def test_a_call_that_failed_is_carried_out_when_it_comes_again(till: Till) -> None:
    till.failing = 2
    with serve(till) as server, connect(Shop, Tcp("127.0.0.1", server.port)) as shop:
        assert shop.buy() == 3
        assert server.metrics.answered_again == 0


def test_a_client_whose_connection_is_lost_hears_what_its_call_was_answered(till: Till) -> None:
    till.held = 1
    with serve(till) as server, FaultProxy(("127.0.0.1", server.port)) as proxy:
        bought: list[int] = []
        with connect(Shop, Tcp("127.0.0.1", proxy.port), HadoopOptions(user="alice")) as shop:
            buying = threading.Thread(target=lambda: bought.append(shop.buy()))
            buying.start()
            eventually(lambda: till.bought == 1)
            proxy.links[0].reset()
            eventually(lambda: server.metrics.answered_again == 1)
            till.may_end.set()
            buying.join()
            assert (bought, shop.look()) == ([1], 1)


def test_of_the_answers_the_oldest_are_forgotten(till: Till) -> None:
    with serve(till, RpcServerOptions(remember_calls=3)) as server:
        for call_id in range(4):
            buy(server, call_id)
        buy(server, 3, 2, 1)
        assert till.bought == 4
        assert server.metrics.answered_again == 3
        buy(server, 0)
        assert till.bought == 5


def test_a_call_without_end_does_not_keep_the_answers_of_others(till: Till) -> None:
    till.held = 1
    with serve(till, RpcServerOptions(remember_calls=3)) as server:
        lasting = threading.Thread(target=buy, args=(server, 0))
        lasting.start()
        eventually(lambda: till.bought == 1)
        for call_id in range(1, 5):
            buy(server, call_id)
        buy(server, 1)
        assert till.bought == 6
        assert server.metrics.answered_again == 0
        till.may_end.set()
        lasting.join()


def test_answers_are_forgotten_in_time(till: Till) -> None:
    with serve(till, RpcServerOptions(remember_seconds=0.0)) as server:
        buy(server, 5)
        buy(server, 5)
        assert till.bought == 2
