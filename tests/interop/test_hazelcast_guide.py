"""The guide's page on Hazelcast is true: its examples run against a member."""

from kit.guide import run_python
from kit.hazelcast import Member


def test_the_examples_of_the_guide_do_what_they_say(tmp_path):
    with Member(tmp_path) as member:
        run_python("hazelcast.md", {"member1:5701": member.address})
