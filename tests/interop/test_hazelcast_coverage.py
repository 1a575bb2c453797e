"""Every request of the protocol that members answer is sent, and its answer decoded."""

import pytest

from jvmwire.hazelcast import HazelcastClient
from jvmwire.hazelcast.errors import UnsupportedOperation
from kit.hazelcast import Member
from kit.hazelcast_coverage import PAGE, SETTINGS, UNKNOWN, answers, page, requests
from kit.hazelcast_requests import Asking, named


def test_every_request_that_members_answer_is_answered(tmp_path, hazelcast_three):
    with Member(tmp_path, settings=SETTINGS) as lone:
        answered = {name for name, _ in answers(lone, hazelcast_three)}
    assert page(answered) == PAGE.read_text()


def test_what_is_not_answered_is_of_the_protocol_and_unknown_to_the_member(hazelcast_member):
    unknown = [request for request in requests() if named(request) in UNKNOWN]
    assert len(unknown) == len(UNKNOWN)
    with HazelcastClient.connect([hazelcast_member.address]) as client:
        asking = Asking(client, hazelcast_member.address)
        for request in unknown:
            with pytest.raises(UnsupportedOperation, match=request["type"]):
                asking.ask(request)
