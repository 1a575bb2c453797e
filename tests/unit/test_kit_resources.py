"""Leaks of a block are found and named, and nothing else is."""

import asyncio
import io
import mmap
import os
import socket
import threading
from pathlib import Path

import pytest

from kit.resources import MIB, steady

AT_ONCE = 0.0


def test_a_block_that_gives_all_back_passes():
    with steady(settling=AT_ONCE):
        thread = threading.Thread(target=list)
        thread.start()
        thread.join()
        with socket.socket(), Path(os.devnull).open():
            pass


def test_a_thread_that_is_left_behind_is_named():
    stop = threading.Event()
    thread = threading.Thread(target=stop.wait, name="straggler")
    with (
        pytest.raises(AssertionError, match="threads: 1 more: straggler"),
        steady(settling=AT_ONCE),
    ):
        thread.start()
    stop.set()
    thread.join()


def test_descriptors_that_are_left_behind_are_named():
    kept: list[socket.socket | io.FileIO] = []
    with pytest.raises(AssertionError) as caught, steady(settling=AT_ONCE):
        kept += [*socket.socketpair(), io.FileIO(os.devnull)]
    for file in kept:
        file.close()
    assert str(caught.value).splitlines() == [
        "left behind:",
        f"descriptors: 1 more: {os.devnull}",
        "descriptors: 2 more: socket",
    ]


def test_what_ends_a_little_later_is_waited_for():
    release = threading.Timer(0.05, lambda: None)
    with steady():
        release.start()


def test_memory_that_is_left_behind_is_weighed():
    def keep() -> mmap.mmap:
        # Memory from malloc may have belonged to the process before.
        memory = mmap.mmap(-1, 32 * MIB)
        memory.write(os.urandom(32 * MIB))
        return memory

    kept = []
    with (
        pytest.raises(AssertionError, match=r"memory: .* after, 8\.0 MiB more are allowed"),
        steady(settling=AT_ONCE),
    ):
        kept.append(keep())
    with steady(growth=64 * MIB, settling=AT_ONCE):
        kept.append(keep())
    for memory in kept:
        memory.close()


def test_tasks_that_are_left_behind_are_named():
    async def forgotten() -> None:
        await asyncio.Event().wait()

    async def run() -> None:
        async with steady(settling=AT_ONCE):
            task = asyncio.create_task(forgotten())
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
        with pytest.raises(AssertionError, match=r"tasks: 1 more: .*forgotten"):
            async with steady(settling=AT_ONCE):
                task = asyncio.create_task(forgotten())
        task.cancel()

    asyncio.run(run())


def test_a_task_that_ends_a_little_later_is_waited_for():
    async def run() -> None:
        async with steady():
            soon = asyncio.create_task(asyncio.sleep(0.05))
        assert soon.done()

    asyncio.run(run())


def test_an_error_of_the_block_is_not_hidden_by_what_it_left_behind():
    def fail() -> None:
        kept.append(socket.socket())
        raise ZeroDivisionError

    kept: list[socket.socket] = []
    with pytest.raises(ZeroDivisionError), steady(settling=AT_ONCE):
        fail()
    kept[0].close()
