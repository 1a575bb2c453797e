"""The examples of the guide's page on Hazelcast run against a member."""

import pytest

from kit.guide import run_python
from kit.hazelcast import Member


@pytest.mark.timeout(300)
def test_the_examples_of_the_guide_do_what_they_say(tmp_path, spark):  # Spark is one of them
    with Member(tmp_path) as member:
        run_python("hazelcast.md", tmp_path, {"member1:5701": member.address})
