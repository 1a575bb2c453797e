"""Start of gRPC calls in a thread of its own, which no signal handler can interrupt.

gRPC counts the calls of a channel without protection against exceptions of signal handlers: a
`KeyboardInterrupt` while a call starts makes `close` of the channel wait for ever.
Python runs signal handlers in the main thread only.
"""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from jvmwire.errors import ConnectFailed

if TYPE_CHECKING:
    from collections.abc import Callable

    from jvmwire._runtime.operations import ExternalFuture


class CallStarter:
    """Thread that starts calls, in order; it exists from the first call on."""

    def __init__(self) -> None:
        self._executor = ThreadPoolExecutor(1, thread_name_prefix="jvmwire-grpc")

    def start(self, begin: Callable[[], ExternalFuture]) -> ExternalFuture:
        """Start a call in the thread.

        Args:
            begin: The function that starts the call.

        Returns:
            The call, whether it has been started already or not.

        Raises:
            ConnectFailed: the system has no thread left.
        """
        call = _Call()
        try:
            self._executor.submit(call.begin, begin)
        except RuntimeError as error:
            raise ConnectFailed(f"no thread to call a controller: {error}") from error
        return call

    def close(self) -> None:
        """End the thread, and start none of the waiting calls."""
        self._executor.shutdown(cancel_futures=True)


class _Call:
    """Call that another thread starts."""

    def __init__(self) -> None:
        self._ended: Future[ExternalFuture] = Future()
        """It has the call itself as its result once that is done."""
        self._started: ExternalFuture | None = None
        self._is_cancelled = False

    def begin(self, begin: Callable[[], ExternalFuture]) -> None:
        """Start the call, unless it was cancelled."""
        if self._is_cancelled:
            return
        try:
            started = begin()
        except Exception as error:  # it is the result of the call
            self._ended.set_exception(error)
            return
        self._started = started
        started.add_done_callback(self._ended.set_result)
        if self._is_cancelled:  # meanwhile
            started.cancel()

    def add_done_callback(self, callback: Callable[[Any], Any], /) -> None:
        """Call `callback` after the call is done."""
        self._ended.add_done_callback(lambda _: callback(self))

    def result(self) -> Any:
        """Return the result of the call, or raise its error."""
        return self._ended.result().result()

    def cancel(self) -> None:
        """Cancel the call, or its start."""
        self._is_cancelled = True
        if self._started is not None:
            self._started.cancel()
