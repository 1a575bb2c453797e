"""The fields of a message are always JSON, and reading them changes nothing."""

from hypothesis import given
from hypothesis import strategies as st

from jvmwire.capture import DumpDecoder, View
from kit import wire
from kit.rows import Row, decode_dump, explain_dump, parsed
from kit.samples import CLIENT_PIECES, SERVER_PIECES

numbers = st.sampled_from([1, 2, 3, 4, 5, 7, 15, 16, 99, 2**29 - 1])
texts = st.text(max_size=20) | st.sampled_from(["\n/a", "\t", "\0", "/user/alice"])
fixed = st.sampled_from([b"\0" * 8, b"\xff" * 8, b"secrets!"])


def _messages(inner: st.SearchStrategy[bytes]) -> st.SearchStrategy[bytes]:
    field = (
        st.builds(wire.number, numbers, st.integers(0, 2**64 - 1))
        | st.builds(wire.content, numbers, texts | st.binary(max_size=20) | inner)
        | st.builds(lambda number, data: wire.varint(number << 3 | 1) + data, numbers, fixed)
        | st.builds(lambda number, data: wire.varint(number << 3 | 5) + data[:4], numbers, fixed)
    )
    return st.lists(field, max_size=8).map(b"".join)


protobuf = st.recursive(st.just(b""), _messages, max_leaves=6)
framed = st.binary(max_size=20) | protobuf.map(wire.frame)


@given(protobuf, protobuf, protobuf, protobuf)
def test_any_protobuf_in_any_place_gives_json_without_a_key_twice(
    header: bytes, called: bytes, argument: bytes, result: bytes
) -> None:
    call = wire.frame(
        wire.request_header(0, more=header),
        wire.delimited(wire.content(1, "m") + wire.content(2, "P") + called),
        wire.delimited(argument),
    )
    context = wire.frame(wire.request_header(-3, more=header), wire.delimited(called))
    reply = wire.frame(wire.response_header(0, more=header), wire.delimited(result))
    client = wire.connection_header() + context + wire.sasl("client", 1, argument) + call
    server = wire.sasl("server", 1, result) + reply
    # Reading its rows refuses invalid JSON and repeated keys.
    shown = [row["fields"] for row in decode_dump(client, replies=server).messages]
    assert all(isinstance(fields, dict) for fields in shown if fields is not None)
    assert explain_dump(client).count("// ----") == len(decode_dump(client).messages)


@given(
    st.lists(st.sampled_from(CLIENT_PIECES) | framed),
    st.lists(st.sampled_from(SERVER_PIECES) | framed),
)
def test_what_is_decoded_does_not_depend_on_who_looks(
    client: list[bytes], server: list[bytes]
) -> None:
    said = (b"".join(client), b"".join(server))
    columns = [name for name in View("messages").columns if name != "fields"]
    plain = _decoded([View("messages", columns=columns), View("calls")], *said)
    looking = _decoded([View("messages", columns=[*columns, "fields"]), View("calls")], *said)
    assert [{k: v for k, v in row.items() if k != "fields"} for row in looking] == plain
    calls = [row for row in plain if "latency_us" in row]
    assert _decoded([View("calls")], *said) == calls


def _decoded(views: list[View], client: bytes, server: bytes) -> list[Row]:
    decoder = DumpDecoder(views, protocol="hadoop", of="both")
    decoder.feed("client", client)
    decoder.feed("server", server)
    decoder.finish()
    rows: list[Row] = []
    while (batch := decoder.next_batch()) is not None:
        rows += [parsed(line) for line in batch[1].to_jsonl().splitlines()]
    return rows
