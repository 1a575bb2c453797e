"""What a client's session and its peer said to one another, to be said again."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from hypothesis import strategies as st

from jvmwire._runtime.session import Event, Session


@dataclass(frozen=True, slots=True)
class Sends:
    """We send a command."""

    command: Any
    call_id: int = 0


@dataclass(frozen=True, slots=True)
class Writes:
    """What we have to write by now is this."""

    data: bytes


@dataclass(frozen=True, slots=True)
class Hears:
    """The peer says this, in one piece or many; nothing is the end."""

    data: bytes


Step = Sends | Writes | Hears


def itself(event: Event) -> Iterator[Any]:
    """Yield the event."""
    yield event


@dataclass(frozen=True, slots=True)
class Conversation:
    """A recorded conversation, the session that had it, and what else that may say."""

    name: str
    new_session: Callable[[], Session[Any]]
    """Each the same, of ids that are drawn otherwise too."""
    steps: Sequence[Step]
    commands: st.SearchStrategy[Any]
    """Any command that the session can send once the conversation is over."""
    decode: Callable[[bytes], Any]
    """What the peer understands of the bytes of one command."""
    meaning: Callable[[Any], Any]
    """What it should understand by a command, in the form that `decode` gives."""
    each: Callable[[Event], Iterable[Any]] = field(default=itself)
    """What an event says, in parts that do not depend on how the bytes were cut."""

    def __str__(self) -> str:
        return self.name
