"""Hama's operations, by name and number."""

from __future__ import annotations

import enum
from typing import Final


class Op(enum.Enum):
    """What either side may say (org.apache.hama.pipes.protocol.MessageType)."""

    START = enum.auto()
    SET_BSPJOB_CONF = enum.auto()
    RUN_SETUP = enum.auto()
    RUN_BSP = enum.auto()
    RUN_CLEANUP = enum.auto()
    READ_KEYVALUE = enum.auto()
    WRITE_KEYVALUE = enum.auto()
    GET_MSG = enum.auto()
    GET_MSG_COUNT = enum.auto()
    SEND_MSG = enum.auto()
    SYNC = enum.auto()
    GET_ALL_PEERNAME = enum.auto()
    GET_PEERNAME = enum.auto()
    GET_PEER_INDEX = enum.auto()
    GET_PEER_COUNT = enum.auto()
    GET_SUPERSTEP_COUNT = enum.auto()
    REOPEN_INPUT = enum.auto()
    CLEAR = enum.auto()
    ABORT = enum.auto()
    DONE = enum.auto()
    TASK_DONE = enum.auto()
    LOG = enum.auto()


_SINCE_0_6_2: Final = {
    Op.START: 0,
    Op.SET_BSPJOB_CONF: 1,
    Op.RUN_SETUP: 3,
    Op.RUN_BSP: 4,
    Op.RUN_CLEANUP: 5,
    Op.READ_KEYVALUE: 6,
    Op.WRITE_KEYVALUE: 7,
    Op.GET_MSG: 8,
    Op.GET_MSG_COUNT: 9,
    Op.SEND_MSG: 10,
    Op.SYNC: 11,
    Op.GET_ALL_PEERNAME: 12,
    Op.GET_PEERNAME: 13,
    Op.GET_PEER_INDEX: 14,
    Op.GET_PEER_COUNT: 15,
    Op.GET_SUPERSTEP_COUNT: 16,
    Op.REOPEN_INPUT: 17,
    Op.CLEAR: 18,
    Op.ABORT: 20,
    Op.DONE: 21,
    Op.TASK_DONE: 22,
    Op.LOG: 31,
}

TABLES: Final[dict[str, dict[Op, int]]] = {
    "0.6.2": _SINCE_0_6_2,
    # What the protocol's document has. Later the number opens a sequence file, and ends the task.
    "0.6.0": _SINCE_0_6_2 | {Op.LOG: 25},
}
"""The numbers by the first version of Hama that has them."""

NOTHING: Final = "%%-1%%"
"""Stands for a message, a key or a value where there is none."""


def line_of(number: int) -> bytes:
    """Return the line that names an operation."""
    return b"%%%d%%=\n" % number


def ack_of(number: int) -> bytes:
    """Return the line that says that an operation was carried out."""
    return b"%%ACK_%d%%=\n" % number
