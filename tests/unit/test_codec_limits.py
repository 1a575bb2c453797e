"""Sizes that a peer claims are checked before memory is reserved for them."""

from collections.abc import Callable
from typing import Any

import pytest

from jvmwire import DecodeError, codec
from kit.memory import in_a_process_of_its_own

LIMIT = 100
INT_MAX = 2**31 - 1
CLAIMS = [-1, 0, LIMIT, LIMIT + 1, INT_MAX]


Claim = Callable[[int], bytes]
Ways = list[Callable[[bytes], Any]]


def _big(value: int) -> bytes:
    return value.to_bytes(4, "big", signed=True)


def _little(value: int) -> bytes:
    return value.to_bytes(4, "little", signed=True)


def _ways(form: Any) -> list[Callable[[bytes], Any]]:
    def in_pieces(data: bytes) -> None:
        decoder = form.decoder()
        for at in range(len(data)):
            decoder.feed(data[at : at + 1])
            if hasattr(decoder, "next_frame"):
                decoder.next_frame()

    def in_batches(data: bytes) -> None:
        decoder = form.decoder()
        decoder.feed(data)
        if hasattr(decoder, "next_batch"):
            decoder.next_batch()

    return [form.decode, form.decode_all, in_pieces, in_batches]


# All parts that read a length: how a peer claims one, and all ways to read it.
DECODERS: dict[str, tuple[Claim, Ways]] = {
    "frames": (_big, _ways(codec.Framing.length(limit=LIMIT))),
    "little frames": (_little, _ways(codec.Framing.length(byte_order="little", limit=LIMIT))),
    "frames that count themselves": (
        lambda it: _big(it + 4 if 0 <= it < INT_MAX else it),
        _ways(codec.Framing.length(includes_itself=True, limit=LIMIT)),
    ),
    "typed frames": (lambda it: b"\0\0\0\7" + _big(it), _ways(codec.TypedFraming(limit=LIMIT))),
    "strings": (_big, _ways(codec.StringFormat("utf-8", "int32", limit=LIMIT))),
    "little strings": (
        _little,
        _ways(codec.StringFormat("utf-8", "int32", byte_order="little", limit=LIMIT)),
    ),
    "vint strings": (codec.VINT.encode, _ways(codec.StringFormat("utf-8", "vint", limit=LIMIT))),
    "utf16 units": (_big, _ways(codec.StringFormat("cesu-8", "utf16-units", limit=LIMIT))),
}


@pytest.mark.parametrize("name", DECODERS)
@pytest.mark.parametrize("claim", CLAIMS)
def test_a_claim_is_refused_unless_it_is_between_nothing_and_the_limit(
    name: str, claim: int
) -> None:
    wire, ways = DECODERS[name]
    claimed = wire(claim)
    for decode in ways:
        if 0 <= claim <= LIMIT:
            decode(claimed + b"x" * claim)
            continue
        with pytest.raises(DecodeError, match=r"is negative|is over the limit") as caught:
            decode(claimed)
        # A length that includes its header was claimed with it, and so was its limit.
        assert caught.value.value in {claim, claim + 4, claim % 2**32}


@pytest.mark.parametrize("claim", [0, 1, 2, 3])
def test_a_length_that_counts_its_header_is_never_less(claim: int) -> None:
    framing = codec.Framing.length(includes_itself=True)
    with pytest.raises(DecodeError, match="is not a length that counts its own header"):
        framing.decode(_big(claim))


@pytest.mark.parametrize("form", ["lines", "end_messages"])
def test_what_does_not_end_within_the_limit_is_refused(form: str) -> None:
    framing: codec.Framing = getattr(codec.Framing, form)(limit=LIMIT)
    assert framing.decode(framing.encode(b"x" * LIMIT)) is not None
    for decode in _ways(framing):
        with pytest.raises(DecodeError, match=f"is over the limit of {LIMIT}"):
            decode(b"x" * (LIMIT + 1))


@pytest.mark.parametrize("limit", [0, 1, LIMIT, INT_MAX])
def test_a_limit_may_be_anything_that_java_can_say(limit: int) -> None:
    assert codec.Framing.length(limit=limit).limit == limit
    assert codec.StringFormat("utf-8", "vint", limit=limit).limit == limit
    assert codec.Framing.length(limit=limit).decode(b"\0\0\0\0") == (b"", 4)


@pytest.mark.parametrize("limit", [-1, INT_MAX + 1, 2**70])
@pytest.mark.parametrize(
    "form",
    [
        codec.Framing.length,
        codec.Framing.lines,
        codec.Framing.end_messages,
        codec.TypedFraming,
        codec.StreamAssembler,
        codec.KeyedAssembler,
        lambda limit: codec.KeyedAssembler(total_limit=limit),
        lambda limit: codec.KeyedAssembler(open_limit=limit),
        lambda limit: codec.StringFormat("utf-8", "vint", limit=limit),
    ],
)
def test_a_limit_that_java_cannot_say_is_a_value_error(form: Any, limit: int) -> None:
    with pytest.raises(ValueError, match="limit"):
        form(limit=limit)


def test_fragments_of_one_stream_are_limited() -> None:
    assembler = codec.StreamAssembler(limit=LIMIT)
    assembler.push(0, bytes(LIMIT - 1))
    assert assembler.push(2, b"x") == bytes(LIMIT - 1) + b"x"
    assembler.push(0, bytes(LIMIT))
    with pytest.raises(DecodeError, match="bytes of a fragmented message") as caught:
        assembler.push(1, b"x")
    assert caught.value.value == LIMIT + 1


def test_open_messages_are_limited_one_by_one_in_all_and_in_number() -> None:
    assembler = codec.KeyedAssembler(limit=LIMIT, total_limit=150, open_limit=3)
    with pytest.raises(DecodeError, match="bytes of a fragmented message"):
        assembler.push(1, 0x80, bytes(LIMIT + 1))
    assembler.push(1, 0x80, bytes(LIMIT))
    with pytest.raises(DecodeError, match="bytes of all open messages"):
        assembler.push(2, 0x80, bytes(51))
    assembler.push(2, 0x80, b"")
    assembler.push(3, 0x80, b"")
    with pytest.raises(DecodeError, match=r"open messages at .*: 4 is over the limit of 3"):
        assembler.push(4, 0x80, b"")
    assert (assembler.open, assembler.buffered) == (3, LIMIT)


@pytest.mark.parametrize(("size", "count"), [(2, 1 << 20), (1 << 10, 1 << 15)])
def test_what_waits_takes_no_more_memory_than_its_bytes(size: int, count: int) -> None:
    took = in_a_process_of_its_own(
        f"assembler.push(0, bytes({size}))\n"
        f"for _ in range({count - 1}): assembler.push(1, bytes({size}))\n"
        f"assert assembler.buffered == {size * count}",
        setup="from jvmwire import codec\nassembler = codec.StreamAssembler()",
    )
    assert took < 1.2 * size * count + (4 << 20)


def test_a_varint_that_does_not_end_is_refused_after_ten_bytes() -> None:
    decoder = codec.UNSIGNED64.decoder()
    decoder.feed(b"\x80" * 9)
    assert decoder.buffered == 9
    with pytest.raises(DecodeError, match="does not end within 10 bytes"):
        decoder.feed(b"\x80")


@pytest.mark.parametrize(
    "make",
    [
        "codec.Framing.length()",
        "codec.TypedFraming()",
        "codec.StringFormat('utf-8', 'int32')",
        "codec.StringFormat('cesu-8', 'utf16-units')",
    ],
)
@pytest.mark.parametrize("claim", [codec.MESSAGE_LIMIT, codec.MESSAGE_LIMIT + 1, INT_MAX])
def test_a_claim_takes_no_memory_before_what_it_claims_is_there(make: str, claim: int) -> None:
    grown = in_a_process_of_its_own(f"""
        from jvmwire import DecodeError, codec
        decoder = {make}.decoder()
        next_frame = getattr(decoder, "next_frame", lambda: None)
        try:
            for _ in range(2):
                decoder.feed(({claim}).to_bytes(4, "big"))
                next_frame()
            assert {claim} == codec.MESSAGE_LIMIT
        except DecodeError as error:
            assert error.value == {claim}
    """)
    assert grown < 5_000_000
