"""Conversations of a client's session and its peer, to be repeated in tests."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from hypothesis import strategies as st

from jvmwire._runtime.session import Event, Session


@dataclass(frozen=True, slots=True)
class Sends:
    """Step in which the session sends a command."""

    command: Any
    call_id: int = 0


@dataclass(frozen=True, slots=True)
class Writes:
    """Step after which the session has exactly these bytes to write."""

    data: bytes


@dataclass(frozen=True, slots=True)
class Hears:
    """Step in which the session receives these bytes, in any pieces; no bytes mean the end."""

    data: bytes


Step = Sends | Writes | Hears


def itself(event: Event) -> Iterator[Any]:
    """Yield the event."""
    yield event


@dataclass(frozen=True, slots=True)
class Conversation:
    """A recorded conversation, its session, and other commands that the session may send."""

    name: str
    new_session: Callable[[], Session[Any]]
    """Creates equal sessions, with fixed ids where real sessions draw random ones."""
    steps: Sequence[Step]
    commands: st.SearchStrategy[Any]
    """Any command that the session can send once the conversation is over."""
    decode: Callable[[bytes], Any]
    """Decodes the bytes of one command as the peer does."""
    meaning: Callable[[Any], Any]
    """The decoded form that a command should have, in the form that `decode` returns."""
    each: Callable[[Event], Iterable[Any]] = field(default=itself)
    """Splits an event into parts that do not depend on how the bytes were cut."""

    def __str__(self) -> str:
        return self.name
