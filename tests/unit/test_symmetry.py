"""A protocol stands in the same places as every other: its name is the map."""

import pytest

from jvmwire.sansio import Session
from kit.environment import ROOT
from kit.sessions import CONVERSATIONS

PLACES = (
    "rust/codec/src/{}/mod.rs",
    "rust/python/src/{}/mod.rs",
    "python/jvmwire/{}/session.py",
    "python/jvmwire/{}/client.py",
    "tests/kit/{}.py",
    "tests/peers/{}/pom.xml",
    "tests/vectors/{}/recordings",
    "tests/unit/test_{}_session.py",
    "tests/interop/test_{}_client.py",
    "tests/faults/test_{}_client_faults.py",
    "benches/test_{}_client.py",
)

PROTOCOLS = [
    protocol
    for protocol in ("hadoop", "hazelcast", "pravega", "storm", "hama")
    if any((ROOT / place.format(protocol)).exists() for place in PLACES)
]
"""Those that are begun."""


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_protocol_stands_in_every_place(protocol):
    assert [place for place in PLACES if not (ROOT / place.format(protocol)).exists()] == []


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_the_laws_of_sessions_are_tried_with_a_protocol(protocol):
    told = {type(conversation.new_session()).__module__ for conversation in CONVERSATIONS}
    assert f"jvmwire.{protocol}.session" in told


def test_every_session_of_the_package_belongs_to_a_protocol():
    kinds = {
        kind.__module__
        for kind in Session.__subclasses__()
        if kind.__module__.startswith("jvmwire.")
    }
    sides = ("session", "server.session", "early.session")
    assert kinds <= {f"jvmwire.{protocol}.{side}" for protocol in PROTOCOLS for side in sides}
