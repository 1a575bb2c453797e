"""The conversations of every session: input of the property tests of sessions."""

import numpy as np
from hypothesis import strategies as st

from kit.echo_session import (
    Batch,
    Command,
    Echo,
    EchoSession,
    Kind,
    Subscribe,
    commands,
    each,
    frame,
)
from kit.hadoop_both_sides import BETA_SERVER, SERVER, WRITABLE_CLIENT
from kit.hadoop_security import SECURE_CLIENT
from kit.hadoop_transcript import NAMENODE_CLIENT
from kit.hama_transcript import HAMA_CHILD, HAMA_TASK
from kit.hazelcast_transcript import HAZELCAST_CLIENT
from kit.pravega_early_transcript import EARLY_CLIENT, EARLY_SERVER
from kit.pravega_transcript import SEGMENT_STORE, SEGMENT_STORE_CLIENT
from kit.storm_transcript import BOLT, SPOUT
from kit.transcript import Conversation, Hears, Sends, Writes

_PAYLOADS = np.arange(24, dtype=np.uint8).reshape(6, 4)

_ECHOES = st.builds(Echo, st.binary(max_size=40), st.sampled_from([Kind.CALL, Kind.LATE]))
_SUBSCRIPTIONS = st.builds(Subscribe, st.integers(0, 2**32), st.integers(0, 2**32 - 1))
_BATCHES = st.tuples(st.integers(1, 9), st.integers(0, 9), st.randoms()).map(
    lambda drawn: Batch(
        np.frombuffer(drawn[2].randbytes(drawn[0] * drawn[1]), np.uint8).reshape(drawn[:2])
    )
)


def _echo_calls(command: Command) -> list[Command]:
    if isinstance(command, Batch):
        return [Echo(row.tobytes()) for row in command.payloads]
    return [command]


ECHO = Conversation(
    "echo",
    EchoSession,
    [
        Writes(frame(Kind.HELLO, 0)),
        Hears(frame(Kind.HELLO, 0)),
        Sends(Echo(b"late", Kind.LATE), 1),
        Sends(Echo(b"hello"), 2),
        Writes(frame(Kind.LATE, 1, b"late") + frame(Kind.CALL, 2, b"hello")),
        Hears(frame(Kind.CALL, 2, b"hello") + frame(Kind.CALL, 1, b"late")),
        Sends(Subscribe(7, 2), 3),
        Sends(Batch(_PAYLOADS), 4),
        Writes(
            frame(Kind.SUBSCRIBE, 3, b"\0\0\0\0\0\0\0\7\0\0\0\2")
            + b"".join(frame(Kind.CALL, 4 + i, bytes(row)) for i, row in enumerate(_PAYLOADS))
        ),
        Hears(
            b"".join(
                [
                    frame(Kind.CALL, 3),
                    frame(Kind.CALL, 4, bytes(_PAYLOADS[0])),
                    frame(Kind.CALL, 5, bytes(_PAYLOADS[1])),
                    frame(Kind.PUSH, 7, bytes(8)),
                    frame(Kind.CALL, 6, bytes(_PAYLOADS[2])),
                    frame(Kind.HEARTBEAT, 0),
                    frame(Kind.PUSH, 7, b"\0\0\0\0\0\0\0\1"),
                    *(frame(Kind.CALL, 4 + i, bytes(_PAYLOADS[i])) for i in (3, 4, 5)),
                ]
            )
        ),
        Sends(Echo(b"no", Kind.REFUSE), 10),
        Writes(frame(Kind.REFUSE, 10, b"no")),
        Hears(frame(Kind.REFUSE, 10, b"no")),
    ],
    commands=_ECHOES | _SUBSCRIPTIONS | _BATCHES,
    decode=lambda data: [command for _, command in commands(data)],
    meaning=_echo_calls,
    each=each,
)

CONVERSATIONS = [
    ECHO,
    NAMENODE_CLIENT,
    SECURE_CLIENT,
    WRITABLE_CLIENT,
    SERVER,
    BETA_SERVER,
    HAZELCAST_CLIENT,
    SEGMENT_STORE_CLIENT,
    SEGMENT_STORE,
    EARLY_CLIENT,
    EARLY_SERVER,
    BOLT,
    SPOUT,
    HAMA_CHILD,
    HAMA_TASK,
]
