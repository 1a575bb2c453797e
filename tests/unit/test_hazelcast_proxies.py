"""Conversion of arguments by the structures of a cluster."""

import math
from dataclasses import is_dataclass
from enum import Enum
from importlib import import_module

import pytest

from jvmwire import hazelcast
from jvmwire.hazelcast._proxies.proxy import MAX_MILLIS, UNSET, milliseconds


@pytest.mark.parametrize(
    ("seconds", "told"),
    [(None, UNSET), (0, 0), (1.5, 1500), (0.0014, 1), (math.inf, MAX_MILLIS)],
)
def test_seconds_are_told_in_milliseconds(seconds, told):
    assert milliseconds(seconds, "ttl") == told


def test_a_time_however_short_is_not_told_as_none_at_all():
    # A time to live of 0 is infinite for members. TimeUtil.timeInMsOrOneIfResultIsZero.
    assert milliseconds(0.0004, "ttl") == milliseconds(5e-324, "ttl") == 1


@pytest.mark.parametrize("module", ["entries", "proxy", "reliable_topic", "ringbuffer", "topic"])
def test_what_callbacks_are_handed_and_calls_are_told_is_in_the_package_itself(module):
    inside = import_module(f"jvmwire.hazelcast._proxies.{module}")
    told = [
        name
        for name, kind in vars(inside).items()
        if isinstance(kind, type)
        and kind.__module__ == inside.__name__
        and not name.startswith("_")
        and (issubclass(kind, Enum) or is_dataclass(kind))
    ]
    assert told
    assert set(told) <= set(hazelcast.__all__)
