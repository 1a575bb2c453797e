"""Small streams of Hadoop RPC with a message of each kind."""

from . import wire

_TEXT = wire.writable("java.lang.String", wire.utf8("h\u00e9\U0001f600"))
_NUMBER = wire.writable("int", b"\0\0\0\x07")

CLIENT_PIECES = [
    wire.connection_header(),
    wire.context(),
    wire.context("oozie", "ping"),
    wire.ping(),
    wire.OLD_PING,
    wire.stat(0, "/user/alice"),
    wire.stat(1, "/a", more=wire.content(7, wire.content(1, "job"))),
    wire.call(2, "renewLease", wire.content(2, "x") + wire.number(1, 5) + wire.content(2, "y")),
    wire.invocation(3, "ping", _TEXT, _NUMBER),
    wire.invocation(4, "move", wire.instance("com.example.Point", b"\1\2")),
    wire.sasl("client", 1),
    wire.sasl("client", 5, wire.content(3, b"\xffsealed")),
    wire.frame(wire.request_header(9, kind=7), b"what"),
]
SERVER_PIECES = [
    wire.reply(0, wire.content(1, wire.content(1, b"\0\1"))),
    wire.reply(1),
    wire.failure(2),
    wire.written(3, _TEXT),
    wire.written(4, wire.instance("com.example.Point", b"\1\2")),
    wire.sasl("server", 1),
    wire.sasl("server", 0),
    wire.frame(wire.response_header(5), b"\x05\xff"),
    wire.failure(9, "java.io.IOException", status=wire.FATAL, code=11),
]
CLIENT_STREAM = b"".join(CLIENT_PIECES)
SERVER_STREAM = b"".join(SERVER_PIECES)
