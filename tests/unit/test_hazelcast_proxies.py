"""What structures of a cluster make of their arguments."""

import math

import pytest

from jvmwire.hazelcast.proxies.proxy import FOREVER, UNSET, milliseconds


@pytest.mark.parametrize(
    ("seconds", "told"),
    [(None, UNSET), (0, 0), (1.5, 1500), (0.0014, 1), (-1, -1000), (math.inf, FOREVER)],
)
def test_seconds_are_told_in_milliseconds(seconds, told):
    assert milliseconds(seconds) == told


def test_a_time_however_short_is_not_told_as_none_at_all():
    # To members 0 is for ever, of a time to live. TimeUtil.timeInMsOrOneIfResultIsZero.
    assert milliseconds(0.0004) == milliseconds(5e-324) == 1
