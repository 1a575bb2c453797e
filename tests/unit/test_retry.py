"""Delays of a client before it tries again."""

import itertools

import pytest

from jvmwire.options import NEVER, RetryPolicy


def test_waits_grow_by_the_factor_up_to_the_longest():
    policy = RetryPolicy(attempts=7, first_wait=0.5, longest_wait=5.0, factor=2.0, jitter=0.0)
    assert list(policy.waits()) == [0.5, 1.0, 2.0, 4.0, 5.0, 5.0]


def test_jitter_is_added_below_the_longest_wait():
    policy = RetryPolicy(attempts=400, first_wait=1.0, longest_wait=1.4, factor=1.0, jitter=0.5)
    waits = list(policy.waits())
    assert all(1.0 <= wait <= 1.4 for wait in waits)
    assert len(set(waits)) > 100
    assert 1.4 in waits


def test_waits_of_endless_attempts_stay_at_the_longest():
    policy = RetryPolicy(attempts=1 << 30, first_wait=0.1, longest_wait=5.0, factor=10.0)
    assert set(itertools.islice(policy.waits(), 10, 5000)) == {5.0}


def test_waits_shrink_where_the_factor_is_below_one():
    policy = RetryPolicy(attempts=4, first_wait=8.0, longest_wait=3.0, factor=0.25, jitter=0.0)
    assert list(policy.waits()) == [3.0, 2.0, 0.5]


def test_one_attempt_waits_never():
    assert list(NEVER.waits()) == []


def test_attempts_below_one_are_refused():
    with pytest.raises(ValueError, match="attempts must be at least 1, got 0"):
        RetryPolicy(attempts=0)
