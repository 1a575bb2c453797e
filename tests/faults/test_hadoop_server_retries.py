"""Calls that are repeated because their client did not receive the reply."""

import socket
import threading
from collections.abc import Iterator

import pytest

from jvmwire.errors import OutcomeUnknown
from jvmwire.hadoop import HadoopError, HadoopOptions
from jvmwire.hadoop.errors import RETRY_UNKNOWN, Retriable, RetryUnknown
from jvmwire.hadoop.rpc._interface import Interface, Method, method
from jvmwire.hadoop.rpc._proxy import connect
from jvmwire.hadoop.rpc._writable import Int
from jvmwire.hadoop.server import Caller, RpcServer, RpcServerOptions
from jvmwire.hadoop.server._retry_cache import RetryCache
from jvmwire.options import RetryPolicy
from jvmwire.transports import Tcp
from kit import wire
from kit.hadoop_adversarial_inputs import Heard, ask
from kit.polling import eventually
from kit.proxy import FaultProxy

PATIENCE = 60.0
OPENED = wire.connection_header() + wire.context("alice", "shop")


class Shop(Interface, protocol="shop", version=1):
    """Protocol whose purchases must not be repeated."""

    @method(at_most_once=True)
    def buy(self) -> Int:
        """Return the number of the purchase."""
        raise NotImplementedError

    def look(self) -> Int:
        """Return the number of purchases."""
        raise NotImplementedError


class Store(Interface, protocol="store", version=1, engine="protobuf"):
    """Protocol of the Protobuf engine whose calls must not be repeated."""

    @method(at_most_once=True)
    def put(self, request: bytes) -> bytes:
        """Return the request."""
        raise NotImplementedError


class Till:
    """Service that counts purchases; some of them last until they are released."""

    def __init__(self, *, held: int = 0, failing: int = 0) -> None:
        self.bought = 0
        self.held, self.failing = held, failing
        self.may_end = threading.Event()
        self._counting = threading.Lock()

    def buy(self) -> int:
        """Count the purchase."""
        with self._counting:
            self.bought += 1
            number = self.bought
        if number <= self.held:
            assert self.may_end.wait(PATIENCE)
        if number <= self.failing:
            raise Retriable("come again", "org.apache.hadoop.ipc.RetriableException")
        return number

    def look(self) -> int:
        """Return the count."""
        return self.bought


def serve(till: Till, options: RpcServerOptions | None = None) -> RpcServer:
    server = RpcServer(options)
    server.add(Shop, till)
    server.start()
    return server


def buy(server: RpcServer, *call_ids: int, retry: int = 0) -> Heard:
    calls = b"".join(wire.invocation(one, "buy", protocol="shop", retry=retry) for one in call_ids)
    return ask(server.port, OPENED + calls, answers=len(call_ids))


def refusal(heard: Heard) -> str:
    [told] = heard.told
    return told.java_class


@pytest.fixture
def till() -> Iterator[Till]:
    till = Till()
    yield till
    till.may_end.set()


def start_buying(shop: Shop, errors: list[Exception]) -> threading.Thread:
    """Buy in a separate thread; an unknown outcome is added to `errors`."""

    def buy() -> None:
        try:
            shop.buy()
        except OutcomeUnknown as error:
            errors.append(error)

    buying = threading.Thread(target=buy)
    buying.start()
    return buying


def test_a_call_that_comes_again_is_answered_as_before_and_carried_out_once(till: Till) -> None:
    with serve(till) as server:
        first, again, other = buy(server, 5), buy(server, 5), buy(server, 6)
        assert first.told[0].kind == "success"
        assert again == first
        assert other.told[0].payload != first.told[0].payload
        assert till.bought == 2
        assert server.metrics.retry_cache_hits == 1
        assert server.method_metrics["shop.buy"].calls == 2


def test_a_call_that_comes_again_while_it_lasts_is_answered_with_it(till: Till) -> None:
    till.held = 1
    with serve(till) as server:
        heard: list[Heard] = []
        asking = [threading.Thread(target=lambda: heard.append(buy(server, 5))) for _ in range(3)]
        for one in asking:
            one.start()
        eventually(lambda: server.metrics.retry_cache_hits == 2)
        till.may_end.set()
        for one in asking:
            one.join()
        assert heard == [heard[0]] * 3
        assert till.bought == 1
        assert server.metrics.open_calls == 0


def test_the_same_call_of_another_client_is_another_call(till: Till) -> None:
    with serve(till) as server:
        for _ in range(2):
            # Each has its own client id, and counts its calls from 0.
            with connect(Shop, Tcp("127.0.0.1", server.port)) as shop:
                shop.buy()
        assert till.bought == 2
        assert server.metrics.retry_cache_hits == 0


def test_a_call_that_failed_is_carried_out_when_it_comes_again(till: Till) -> None:
    till.failing = 2
    with serve(till) as server, connect(Shop, Tcp("127.0.0.1", server.port)) as shop:
        assert shop.buy() == 3
        assert server.metrics.retry_cache_hits == 0


def test_a_client_whose_connection_is_lost_hears_what_its_call_was_answered(till: Till) -> None:
    till.held = 1
    with serve(till) as server, FaultProxy(("127.0.0.1", server.port)) as proxy:
        bought: list[int] = []
        with connect(Shop, Tcp("127.0.0.1", proxy.port), HadoopOptions(user="alice")) as shop:
            buying = threading.Thread(target=lambda: bought.append(shop.buy()))
            buying.start()
            eventually(lambda: till.bought == 1)
            proxy.links[0].reset()
            eventually(lambda: server.metrics.retry_cache_hits == 1)
            till.may_end.set()
            buying.join()
            assert (bought, shop.look()) == ([1], 1)


def test_of_the_answers_the_oldest_are_forgotten(till: Till) -> None:
    with serve(till, RpcServerOptions(remember_calls=3)) as server:
        for call_id in range(4):
            buy(server, call_id)
        buy(server, 3, 2, 1)
        assert till.bought == 4
        assert server.metrics.retry_cache_hits == 3
        # A call that was answered and evicted is not executed again, for any retry count.
        for retry in (0, 1):
            assert refusal(buy(server, 0, retry=retry)) == RETRY_UNKNOWN
        assert till.bought == 4


def test_a_call_without_end_does_not_keep_the_answers_of_others(till: Till) -> None:
    till.held = 1
    with serve(till, RpcServerOptions(remember_calls=3)) as server:
        lasting = threading.Thread(target=buy, args=(server, 0))
        lasting.start()
        eventually(lambda: till.bought == 1)
        for call_id in range(1, 5):
            buy(server, call_id)
        buy(server, 1)
        assert till.bought == 5
        assert server.metrics.retry_cache_hits == 0
        till.may_end.set()
        lasting.join()


def test_answers_are_forgotten_in_time(till: Till) -> None:
    with serve(till, RpcServerOptions(remember_seconds=0.0)) as server:
        buy(server, 5)
        assert refusal(buy(server, 5)) == RETRY_UNKNOWN
        assert till.bought == 1
        assert buy(server, 6).told[0].kind == "success"


def buy_as(server: RpcServer, client_id: bytes, call_id: int, *, retry: int = 0) -> bytes:
    """Buy as another client; return the server's reply."""
    call = wire.invocation(call_id, "buy", protocol="shop", retry=retry, client_id=client_id)
    with socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) as conversation:
        conversation.sendall(OPENED + call)
        return conversation.recv(1 << 16)


def test_retry_of_a_dropped_answer_is_refused_and_not_carried_out(till: Till) -> None:
    with serve(till, RpcServerOptions(remember_calls=1)) as server:
        buy(server, 5)
        buy(server, 6)
        assert refusal(buy(server, 5, retry=1)) == RETRY_UNKNOWN
        assert till.bought == 2
        assert buy(server, 6, retry=1).told[0].kind == "success"


def test_retry_that_another_server_may_have_carried_out_is_refused(till: Till) -> None:
    with serve(till) as server:
        assert refusal(buy(server, 5, retry=1)) == RETRY_UNKNOWN
        assert RETRY_UNKNOWN.encode() in buy_as(server, b"", 5, retry=1)
        assert till.bought == 0
    with serve(till, RpcServerOptions(trust_retries=True)) as server:
        assert buy(server, 5, retry=1).told[0].kind == "success"


def test_client_id_longer_than_hadoops_is_refused(till: Till) -> None:
    with serve(till) as server:
        assert b"expected at most 16 bytes, got 17" in buy_as(server, bytes(17), 5)
        assert till.bought == 0


def test_retry_of_a_call_that_was_refused_at_first_is_carried_out(till: Till) -> None:
    options = RpcServerOptions(threads=1, call_queue=1)
    till.held = 1
    with serve(till, options) as server:
        first = threading.Thread(target=buy, args=(server, 0))
        first.start()
        eventually(lambda: till.bought == 1)
        assert refusal(buy(server, 1)) == "org.apache.hadoop.ipc.RetriableException"
        till.may_end.set()
        first.join()
        assert buy(server, 1, retry=1).told[0].kind == "success"
        assert till.bought == 2


def test_answer_dropped_while_the_client_is_away_is_an_unknown_outcome(till: Till) -> None:
    retry = RetryPolicy(attempts=1000, first_wait=0.01, longest_wait=0.05)
    with (
        serve(till, RpcServerOptions(remember_calls=1)) as server,
        FaultProxy(("127.0.0.1", server.port)) as proxy,
        connect(Shop, Tcp("127.0.0.1", proxy.port), HadoopOptions(retry=retry)) as shop,
    ):
        till.held = 1
        errors: list[Exception] = []
        buying = start_buying(shop, errors)
        eventually(lambda: till.bought == 1)
        proxy.refuse()
        proxy.links[0].reset()
        proxy.wait_until(lambda: proxy.links[0].ending is not None)
        till.may_end.set()
        eventually(lambda: "shop.buy" in server.method_metrics)
        for call_id in range(3):
            buy(server, call_id)
        proxy.accept()
        buying.join(PATIENCE)
        assert till.bought == 4
        [error] = errors
        assert isinstance(error.__cause__, RetryUnknown)


def test_dropped_answers_of_others_do_not_stop_a_retry_that_never_arrived(till: Till) -> None:
    with (
        serve(till, RpcServerOptions(remember_calls=2)) as server,
        FaultProxy(("127.0.0.1", server.port)) as proxy,
    ):
        for number in range(1, 9):
            buy_as(server, bytes([number]) * 16, number)
        options = HadoopOptions(retry=RetryPolicy(first_wait=0.01))
        with connect(Shop, Tcp("127.0.0.1", proxy.port), options) as shop:
            first = shop.buy()
            # The next request is lost on its way to the server.
            proxy.links[0].reset()
            proxy.wait_until(lambda: proxy.links[0].ending is not None)
            assert shop.buy() == first + 1


def test_kept_answers_have_a_limit_of_bytes() -> None:
    kept = RetryCache(limit=10_000)

    class Called:
        client_id, protocol, method, retry_count = wire.CLIENT_ID, "shop", "buy", 0
        call_id = 0

    for Called.call_id in range(1000):
        entry = kept.begin(Called(), 0.0, lambda *_: None, same_instance=True)  # type: ignore[arg-type]
        assert entry is not None
        kept.end(entry, b"x" * 1000, None, 0.0, size=1000)
        assert kept.size <= 10_000
        assert len(kept) <= 10
    # A reply larger than the whole cache is not kept at all.
    Called.call_id = 1000
    entry = kept.begin(Called(), 0.0, lambda *_: None, same_instance=True)  # type: ignore[arg-type]
    assert entry is not None
    kept.end(entry, b"", None, 0.0, size=10_000)
    assert (len(kept), kept.size) == (0, 0)
    Called.retry_count = 1
    with pytest.raises(HadoopError, match="does not know"):
        kept.begin(Called(), 0.0, lambda *_: None, same_instance=True)  # type: ignore[arg-type]


def test_protobuf_client_asks_for_the_instance_and_is_answered_again() -> None:
    calls: list[bytes] = []

    class Impl:
        def put(self, request: bytes) -> bytes:
            calls.append(request)
            if len(calls) == 1:
                proxy.links[0].reset()
            return request

    with RpcServer() as server:
        server.add(Store, Impl())
        server.start()
        with (
            FaultProxy(("127.0.0.1", server.port)) as proxy,
            connect(Store, Tcp("127.0.0.1", proxy.port)) as store,
        ):
            assert store.put(b"") == b""
            assert len(calls) == 1
            assert server.metrics.retry_cache_hits <= 1


def test_call_ids_that_go_round_are_not_taken_for_forgotten_calls(till: Till) -> None:
    with serve(till, RpcServerOptions(remember_calls=1)) as server:
        last = (1 << 31) - 1
        for call_id in (last - 1, last, 0, 1):
            assert buy(server, call_id).told[0].kind == "success"
        for call_id in (last - 1, last, 0):
            assert refusal(buy(server, call_id, retry=1)) == RETRY_UNKNOWN
        assert till.bought == 4


def test_who_may_no_longer_call_is_not_told_that_an_unanswered_call_was_refused(
    till: Till,
) -> None:
    allowed = [True]

    def authorize(_: Caller, asked: Method) -> None:
        if asked.name == "buy" and not allowed[0]:
            raise PermissionError("not any more")

    with serve(till, RpcServerOptions(authorize=authorize)) as server:
        buy(server, 5)
        allowed[0] = False
        assert refusal(buy(server, 5, retry=1)) == RETRY_UNKNOWN
        assert refusal(buy(server, 6)) == "org.apache.hadoop.security.AccessControlException"


def test_who_is_turned_away_after_a_lost_answer_does_not_know_the_outcome(till: Till) -> None:
    admitted = [True]

    def admit(_: Caller) -> None:
        if not admitted[0]:
            raise PermissionError("not any more")

    till.held = 1
    errors: list[Exception] = []
    with (
        serve(till, RpcServerOptions(on_connect=admit)) as server,
        FaultProxy(("127.0.0.1", server.port)) as proxy,
        connect(Shop, Tcp("127.0.0.1", proxy.port)) as shop,
    ):

        def shopping() -> None:
            try:
                shop.buy()
            except Exception as error:  # the check follows below
                errors.append(error)

        buying = threading.Thread(target=shopping)
        buying.start()
        eventually(lambda: till.bought == 1)
        admitted[0] = False
        proxy.links[0].reset()
        buying.join(PATIENCE)
        till.may_end.set()
    [error] = errors
    assert isinstance(error, OutcomeUnknown)
    assert till.bought == 1


def test_call_lost_at_one_server_is_not_sent_to_the_one_that_stands_in(till: Till) -> None:
    till.held = 1
    other = Till()
    errors: list[Exception] = []
    with (
        serve(till) as first,
        serve(other) as second,
        FaultProxy(("127.0.0.1", first.port)) as proxy,
        connect(Shop, [Tcp("127.0.0.1", proxy.port), Tcp("127.0.0.1", second.port)]) as shop,
    ):
        buying = start_buying(shop, errors)
        eventually(lambda: till.bought == 1)
        proxy.refuse()
        proxy.links[0].reset()
        buying.join(PATIENCE)
        till.may_end.set()
        assert (till.bought, other.bought, len(errors)) == (1, 0, 1)
        # A call that no server received goes to any server there is.
        assert shop.buy() == 1
        assert other.bought == 1
