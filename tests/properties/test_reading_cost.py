"""Sessions do the same work for each piece of a long message, however much of it came before.

The bytes that the decoders below them examine are limited in `rust/codec/src/laws.rs`; here the
lines of Python that run per piece are counted.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import pytest

from kit.transcript import Conversation, Hears, Sends, Writes
from kit.transcripts import CONVERSATIONS

if TYPE_CHECKING:
    from types import FrameType

    from jvmwire._runtime.session import Session

PIECES = 300
LONG = 1 << 20
READ_SEGMENT = (9).to_bytes(4, "big")


def _front(name: str) -> bytes:
    """Return the beginning of a message of 1 MiB; where messages are lines, part of one."""
    if "hazelcast" in name:
        return LONG.to_bytes(4, "little")
    if "segment store" in name or "early" in name:
        return READ_SEGMENT + LONG.to_bytes(4, "big")
    return LONG.to_bytes(4, "big")


def _after(conversation: Conversation) -> Session[Any]:
    """Return the session at the end of the recording."""
    session = conversation.new_session()
    for step in conversation.steps:
        match step:
            case Sends(command, call_id):
                session.send(command, call_id)
            case Writes():
                session.data_to_send(0.0)
            case Hears(data):
                session.receive_data(data)
                list(session.events())
    return session


def _lines(session: Session[Any], piece: bytes) -> int:
    """Feed pieces, and return how many lines of Python ran."""
    lines = 0

    def trace(_frame: FrameType, event: str, _argument: object) -> Any:
        nonlocal lines
        lines += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        for _ in range(PIECES):
            session.receive_data(piece)
            for _event in session.events():
                pass
    finally:
        sys.settrace(before)
    return lines


@pytest.mark.parametrize("size", [1, 1460])
@pytest.mark.parametrize("conversation", CONVERSATIONS, ids=str)
def test_each_piece_of_a_long_message_costs_the_same(conversation: Conversation, size: int) -> None:
    session = _after(conversation)
    session.receive_data(_front(conversation.name))
    list(session.events())
    first, second = (_lines(session, b"a" * size) for _ in range(2))
    assert first > PIECES
    assert second <= first + PIECES
