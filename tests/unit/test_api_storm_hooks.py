"""Names of the classes that users of Storm subclass: no method of a user can replace a hook."""

import pytest

from jvmwire.storm import AsyncBolt, BatchingBolt, Bolt, ReliableSpout, Spout

FORMER_HOOKS = ("attach", "begin", "listen", "take", "next_due", "do_what_is_due", "settle")


@pytest.mark.parametrize("kind", [Bolt, Spout, AsyncBolt, BatchingBolt, ReliableSpout])
def test_hooks_of_the_runner_have_a_prefix(kind: type):
    for name in (*FORMER_HOOKS, "tell_exception", "run_due", "report_exception"):
        assert not hasattr(kind, name)
    private = [name for name in dir(kind) if name.startswith("_") and not name.startswith("__")]
    assert {name for name in private if not name.startswith(("_storm_", "_abc_"))} == set()
