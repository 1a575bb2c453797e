"""A program that fails in a real Hama: the job ends, and says why."""

import pytest

from kit.hama import run_job

pytestmark = pytest.mark.timeout(400)

BROKEN = """
from jvmwire.hama import BSP


class Broken(BSP):
    def bsp(self, peer):
        peer.log("so far")
        raise ValueError("on purpose")
"""


def test_an_exception_is_logged_and_ends_the_job_at_once(tmp_path):
    outcome = run_job(tmp_path, "Broken", BROKEN)
    assert not outcome.succeeded
    assert "ValueError: on purpose" in outcome.log
    assert "so far" in outcome.log
