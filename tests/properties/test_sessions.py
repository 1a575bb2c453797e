"""Three properties of every session: independence of cuts, errors for garbage, exact bytes."""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jvmwire._runtime.session import NEED_DATA, Closed, Failed, Refused, Session, State
from jvmwire.errors import LocalProtocolError, RemoteProtocolError
from kit.scale import seeded
from kit.transcript import Conversation, Hears, Sends, Step, Writes
from kit.transcripts import CONVERSATIONS

NOW = 0.0
SEEDS = st.integers(0, 2**32)
# Of each received piece, in each example.
DAMAGES = 20
# Numbers of four bytes that are no lengths, or hardly.
LENGTHS = [bytes(4), b"\0\0\0\1", b"\x7f\xff\xff\xff", b"\x80\0\0\0", b"\xff\xff\xff\xff"]


def every_session(test):
    return pytest.mark.parametrize("conversation", CONVERSATIONS, ids=str)(test)


class Player:
    """Player of a conversation that cuts the received bytes at random, and keeps the results."""

    def __init__(self, conversation: Conversation, cutting: Random | None = None) -> None:
        self.session: Session[Any] = conversation.new_session()
        self.events: list[Any] = []
        self._each = conversation.each
        self._cutting = cutting

    def play(self, steps: Sequence[Step]) -> None:
        for step in steps:
            match step:
                case Sends(command, call_id):
                    self.session.send(command, call_id)
                case Writes(data):
                    assert bytes(self.session.data_to_send(NOW)) == data
                case Hears(data):
                    for piece in self._cut(data):
                        self.hear(piece)

    def hear(self, data: bytes) -> None:
        self.session.receive_data(data)
        for event in self.session.events():
            self.events += self._each(event)

    def _cut(self, data: bytes) -> Iterator[bytes]:
        if self._cutting is None or not data:
            yield data
            return
        # Now and then byte by byte, otherwise in pieces of any size.
        most = self._cutting.choice([1, 7, 100, len(data)])
        while data:
            size = self._cutting.randint(1, most)
            yield data[:size]
            data = data[size:]


def said(event: Any) -> Any:
    """Return the comparable part of an event: errors are equal if their messages are."""
    if isinstance(event, Exception):
        return type(event), str(event)
    if isinstance(event, Refused | Failed):
        return type(event), getattr(event, "call_id", None), said(event.error)
    return event


@every_session
@given(seed=SEEDS, then=st.binary(max_size=60))
def test_events_do_not_depend_on_how_the_bytes_are_cut(conversation, seed, then):
    # Any bytes after the recording, and then the end.
    steps = [*conversation.steps, Hears(then), Hears(b"")]
    outcomes = []
    for player in Player(conversation), Player(conversation, seeded(seed)):
        try:
            player.play(steps)
        except RemoteProtocolError as error:
            player.events.append(error)
        events = [said(event) for event in player.events]
        outcomes.append((events, bytes(player.session.data_to_send(NOW))))
    assert outcomes[0] == outcomes[1]


@every_session
@given(seed=SEEDS, garbage=st.binary(max_size=200))
def test_garbage_is_an_event_or_the_peers_fault_and_nothing_else(conversation, seed, garbage):
    random = seeded(seed)
    for place, step in enumerate(conversation.steps):
        if isinstance(step, Hears):
            for heard in [garbage, *(damaged(step.data, random) for _ in range(DAMAGES))]:
                player = Player(conversation)
                player.play(conversation.steps[:place])
                try:
                    player.hear(heard)
                    player.hear(b"")
                except RemoteProtocolError:
                    pass
                assert_over(player.session)


def assert_over(session: Session[Any]) -> None:
    """Check that the session is closed, reports that, and accepts no more bytes."""
    assert session.state is State.CLOSED
    assert session.next_event() in (Closed(), NEED_DATA)
    session.receive_data(b"more")
    assert session.next_event() in (Closed(), NEED_DATA)
    with pytest.raises(LocalProtocolError):
        session.send(object())


def damaged(data: bytes, random: Random) -> bytes:
    """Bytes that a faulty peer may send instead."""
    wrong = bytearray(data)
    for _ in range(random.randrange(1, 4)):
        at = random.randrange(len(wrong) + 1)
        match random.randrange(6):
            case 0:
                wrong[at : at + 1] = random.randbytes(1)
            case 1:
                wrong[at : at + 4] = random.choice(LENGTHS)
            case 2:
                wrong[at:at] = random.randbytes(random.randrange(20))
            case 3:
                wrong[at:at] = wrong[at : at + 30]
            case 4:
                del wrong[at : at + random.randrange(20)]
            case 5:
                del wrong[at:]
    return bytes(wrong)


@every_session
@given(data=st.data())
def test_what_the_peer_decodes_is_what_was_sent(conversation, data):
    player = Player(conversation)
    player.play(conversation.steps)
    session = player.session
    command = data.draw(conversation.commands)
    before = session.pending_bytes
    session.send(command, 1_000_000)
    pending_bytes = session.pending_bytes
    assert pending_bytes > before
    wire = bytes(session.data_to_send(NOW))
    assert len(wire) == pending_bytes
    assert conversation.decode(wire) == conversation.meaning(command)
