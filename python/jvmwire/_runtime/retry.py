"""Retry loop of all clients: attempts of one call, and the waits between them."""

from __future__ import annotations

import abc
import sys
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from jvmwire._runtime.operations import Sleep
from jvmwire.errors import JvmWireError
from jvmwire.options import RetryPolicy

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jvmwire._runtime.operations import Operation

AT_ONCE = sys.maxsize
"""Result of `RetryStrategy.judge` for an attempt that is always repeated without a wait."""
UNLIMITED_ATTEMPTS = 1 << 30
"""Attempts of a policy that the timeout of the call ends."""

T = TypeVar("T")


class RetryStrategy(abc.ABC, Generic[T]):
    """Strategy of one repeated call: its attempt, and the meaning of each failure."""

    errors: ClassVar[tuple[type[Exception], ...]] = (JvmWireError,)
    """Errors of an attempt after which the call may be repeated; all others end it."""

    @abc.abstractmethod
    def attempt(self) -> Operation[T]:
        """Make one attempt."""

    @abc.abstractmethod
    def judge(self, error: Any) -> int:
        """Prepare the next attempt after `error`, or raise the final error of the call.

        Returns:
            The number of attempts that may follow without a wait, while other servers were not
            called yet: 0 if there are no others.
        """

    def final_error(self, error: Any) -> Exception:
        """Return the error of a call whose policy permits no attempt after `error`."""
        return error  # type: ignore[no-any-return]

    def has_progressed(self) -> bool:
        """Return whether the failed attempt achieved something: the waits begin again then."""
        return False


def steady_policy(attempts: int, wait: float) -> RetryPolicy:
    """Return the policy of attempts with the same wait between them."""
    return RetryPolicy(
        attempts=attempts, first_wait=wait, longest_wait=wait, factor=1.0, jitter=0.0
    )


def retry(strategy: RetryStrategy[T], policy: RetryPolicy) -> Operation[T]:
    """Make attempts until one succeeds or the call must not be repeated, and return the result.

    Waits are those of `policy`; an attempt on another server follows without a wait.
    """
    waits: Iterator[float] | None = None
    at_once = 0
    while True:
        try:
            return (yield from strategy.attempt())
        except strategy.errors as error:
            if at_once < strategy.judge(error):
                at_once += 1
                continue
            if waits is None or strategy.has_progressed():
                waits = policy.waits()
            wait = next(waits, None)
            if wait is None:
                final = strategy.final_error(error)
                if final is error:
                    raise
                raise final from error
        yield Sleep(wait)
