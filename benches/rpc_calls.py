"""The seed's call and its reply, as bytes."""

from __future__ import annotations

from kit import wire

OPENED = wire.connection_header() + wire.context("alice", "ping")
CALL = wire.invocation(0)
REPLY = wire.written(0, wire.writable("java.lang.String", wire.utf8("pong")))
