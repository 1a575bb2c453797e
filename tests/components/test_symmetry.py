"""Every protocol has the same modules in the same places."""

import importlib
import pkgutil
from inspect import isabstract
from typing import Any

import pytest

import jvmwire
from jvmwire._runtime.session import Session
from jvmwire.capture import DumpDecoder
from kit.environment import ROOT
from kit.rows import all_views
from kit.transcripts import CONVERSATIONS

# Modules of the client, and modules that run jvmwire's components where the server starts them.
ROLES = {"storm": "runner", "hama": "runner"}
WITHOUT_HYPOTHESIS = {"pravega", "hama"}
"""Protocols whose tests of the session need no package but pytest."""
PLACES = (
    "rust/codec/src/{protocol}/mod.rs",
    "rust/python/src/{protocol}/mod.rs",
    "python/jvmwire/{protocol}/_session.py",
    "python/jvmwire/{protocol}/_{role}.py",
    "tests/kit/{protocol}.py",
    "tests/peers/{protocol}/pom.xml",
    "tests/vectors/{protocol}/recordings",
    "tests/{sessions}/test_{protocol}_session.py",
    "tests/interop/test_{protocol}_{role}.py",
    "tests/faults/test_{protocol}_{role}_faults.py",
    "benches/test_{protocol}_{role}.py",
)


def places(protocol: str) -> list[str]:
    role = ROLES.get(protocol, "client")
    sessions = "unit" if protocol in WITHOUT_HYPOTHESIS else "components"
    return [place.format(protocol=protocol, role=role, sessions=sessions) for place in PLACES]


PROTOCOLS = [
    protocol
    for protocol in ("hadoop", "hazelcast", "pravega", "storm", "hama")
    if any((ROOT / place).exists() for place in places(protocol))
]
"""The protocols that exist so far."""


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_protocol_stands_in_every_place(protocol):
    assert [place for place in places(protocol) if not (ROOT / place).exists()] == []


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_the_laws_of_sessions_are_tried_with_a_protocol(protocol):
    told = {type(conversation.new_session()).__module__ for conversation in CONVERSATIONS}
    assert f"jvmwire.{protocol}._session" in told


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_protocol_is_decoded_and_stands_in_the_table_of_the_readme(protocol):
    DumpDecoder(all_views(), protocol=protocol, of="client").finish()
    rows = [line for line in (ROOT / "README.md").read_text().splitlines() if line[:2] == "| "]
    assert any(row[2:].lower().startswith(protocol) for row in rows)


def kinds_of(base: type[Any]) -> set[type[Any]]:
    return {base} | {kind for below in base.__subclasses__() for kind in kinds_of(below)}


def test_every_session_of_the_package_belongs_to_a_protocol():
    for module in pkgutil.walk_packages(jvmwire.__path__, "jvmwire."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    kinds = {kind.__module__ for kind in kinds_of(Session) if not isabstract(kind)}
    kinds = {kind for kind in kinds if kind.startswith("jvmwire.")}
    assert "jvmwire.hadoop.server._session" in kinds
    sides = ("_session", "server._session", "early._session", "testing._session")
    assert kinds <= {f"jvmwire.{protocol}.{side}" for protocol in PROTOCOLS for side in sides}
