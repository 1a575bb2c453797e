"""Happy Eyeballs (RFC 8305) of asyncio clients."""

import asyncio
import socket

from jvmwire.transports import _happy_eyeballs
from jvmwire.transports._deadline_async import AsyncDeadline
from jvmwire.transports._fork_safety import fork_lock, redirect_to_devnull, register_after_fork
from jvmwire.transports._happy_eyeballs import Candidate, ConnectAttempts, finish


async def run(race: ConnectAttempts, deadline: AsyncDeadline) -> socket.socket:
    """Return the connected socket of the first address that accepts the connection."""
    attempts: dict[asyncio.Task[socket.socket], Candidate] = {}
    try:
        async with deadline.timeout(lambda: race.describe(attempts.values())):
            while race.waiting or attempts:
                if race.waiting:
                    candidate = race.waiting.popleft()
                    attempts[asyncio.create_task(_attempt(race, candidate))] = candidate
                patience = _happy_eyeballs.ATTEMPT_DELAY if race.waiting else None
                done, _ = await asyncio.wait(
                    attempts, timeout=patience, return_when=asyncio.FIRST_COMPLETED
                )
                for task in done:
                    if isinstance(error := task.exception(), OSError):
                        race.record_failure(attempts.pop(task), error)
                    else:
                        del attempts[task]
                        return task.result()
    finally:
        for task in attempts:
            task.cancel()
        for outcome in await asyncio.gather(*attempts, return_exceptions=True):
            if isinstance(outcome, socket.socket):  # an attempt that also succeeded
                outcome.close()
    raise race.error()


async def _attempt(race: ConnectAttempts, candidate: Candidate) -> socket.socket:
    with fork_lock:
        sock = race.open_socket(candidate)
        register_after_fork(sock, redirect_to_devnull)
    try:
        await asyncio.get_running_loop().sock_connect(sock, candidate.address)
        finish(sock)
    except BaseException:
        sock.close()
        raise
    return sock
