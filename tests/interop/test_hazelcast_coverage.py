"""Every request of the protocol that a lone member answers is sent, and its answer decoded."""

from jvmwire.hazelcast import HazelcastClient, HazelcastOptions
from kit.hazelcast import Member
from kit.hazelcast_coverage import EXCEPTIONS, FAMILIES, PAGE, answers, named, page, requests


def test_every_request_that_a_lone_member_answers_is_answered(tmp_path):
    options = HazelcastOptions(timeout=60.0)
    with (
        Member(tmp_path) as member,
        HazelcastClient.connect([member.address], options) as client,
    ):
        answered = {name for name, _ in answers(client, member.address)}
    assert page(answered) == PAGE.read_text()


def test_what_is_not_answered_is_of_the_protocol():
    names = {named(request) for request in requests()}
    assert names >= set(EXCEPTIONS)
    assert {name.partition(".")[0] for name in names} >= set(FAMILIES)
