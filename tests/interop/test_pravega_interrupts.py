"""Ctrl-C at random moments of blocking calls, against a real controller and store."""

import itertools
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from typing import Any

import pytest

from jvmwire.errors import ClientClosed
from jvmwire.pravega import SegmentStore, SegmentStoreOptions
from jvmwire.pravega.streams import (
    ReaderGroupConfig,
    ScalingPolicy,
    StreamClient,
    StreamConfiguration,
    StreamOptions,
)
from kit.polling import eventually
from kit.scale import seeded, times
from kit.stream_clients import PATIENT

SCOPE = "interrupted"
SHORT, LONG = 0.003, 0.25
"""Seconds before most interrupts, and before the latest ones."""
CLOSING = 10.0
"""Seconds within which a client is closed, on any machine."""

numbers = itertools.count()
Call = Callable[[Any], object]


@pytest.fixture(autouse=True)
def interruptible() -> Iterator[None]:
    """Make this process react to SIGINT, which shells disable for processes in the background."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def interrupt_during(call: Callable[[], object], delay: float) -> None:
    """Repeat a call until a SIGINT after `delay` seconds ends it by `KeyboardInterrupt`."""

    def interrupt() -> None:
        time.sleep(delay)
        os.kill(os.getpid(), signal.SIGINT)

    def repeat() -> None:
        interrupter.start()
        while True:
            call()

    interrupter = threading.Thread(target=interrupt)
    with pytest.raises(KeyboardInterrupt):
        repeat()
    interrupter.join()


def assert_interruptible(
    connect: Callable[[], Any], calls: list[Call], check: Call, *, rounds: int
) -> None:
    """Interrupt calls at random moments; the client stays usable or is closed, and closes."""
    random = seeded(31)
    threads = set(threading.enumerate())
    usable = 0
    for turn in range(rounds):
        client = connect()
        check(client)
        call = calls[turn % len(calls)]
        delay = random.uniform(0, random.choice([SHORT, SHORT, LONG]))
        interrupt_during(partial(call, client), delay)
        with suppress(ClientClosed):
            check(client)
            usable += 1
        start = time.monotonic()
        client.close()
        assert time.monotonic() - start < CLOSING
        eventually(lambda: set(threading.enumerate()) <= threads)
    assert usable > rounds // 4


def test_segment_calls_are_interrupted_at_random_moments(pravega) -> None:
    def connect() -> SegmentStore:
        return SegmentStore.connect(pravega.store, SegmentStoreOptions(timeout=PATIENT))

    segment, table = f"{SCOPE}/log/0.#epoch.0", f"{SCOPE}/table/0.#epoch.0"
    with connect() as store:
        store.create_segment(segment)
        store.create_table(table)
        with store.appender(segment) as appender:
            appender.write_all([b"event"] * 1000)

    def append(store: SegmentStore) -> None:
        with store.appender(segment) as appender:
            appender.write_all([b"event"] * 10)

    def follow(store: SegmentStore) -> None:
        for _ in store.within(None).read_events(segment, follow=True):
            pass

    calls: list[Call] = [
        lambda store: store.get_segment_info(segment),
        append,
        lambda store: list(store.read_events(segment)),
        follow,
        lambda store: store.update_table(table, {b"key": b"value"}),
        lambda store: list(store.table_entries(table)),
    ]
    rounds = times(60, full=240)
    assert_interruptible(
        connect, calls, lambda store: store.get_segment_info(segment), rounds=rounds
    )


def test_stream_calls_are_interrupted_at_random_moments(pravega) -> None:
    def connect() -> StreamClient:
        return StreamClient(pravega.controller, StreamOptions(timeout=PATIENT))

    name = f"{SCOPE}/stream"
    with connect() as client:
        client.create_scope(SCOPE)
        client.create_stream(name, StreamConfiguration(ScalingPolicy(min_segments=2)))
        client.create_reader_group(name, ReaderGroupConfig({name: None}))
        with client.writer(name) as writer:
            writer.write_all([b"event"] * 1000)

    def write(client: StreamClient) -> None:
        with client.writer(name) as writer:
            writer.write_all([b"event"] * 10)

    def follow(client: StreamClient) -> None:
        for _ in client.within(None).read_events(name, follow=True):
            pass

    def read_in_group(client: StreamClient) -> None:
        with client.group_reader(name, f"reader{next(numbers)}") as reader:
            while reader.read(0.1).events:
                pass

    def transact(client: StreamClient) -> None:
        with client.begin_transaction(name) as transaction:
            transaction.write(b"event", "key")

    calls: list[Call] = [
        lambda client: client.tail(name),
        write,
        lambda client: list(client.read_events(name)),
        follow,
        read_in_group,
        transact,
        lambda client: list(client.scopes()),
    ]
    rounds = times(56, full=210)
    assert_interruptible(connect, calls, lambda client: client.segments(name), rounds=rounds)
