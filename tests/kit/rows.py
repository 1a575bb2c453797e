"""Results of the decoder: its tables as lists of rows, each in the form of a JSON line."""

import json
from collections import defaultdict
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Literal, NoReturn

from jvmwire import DecodeError
from jvmwire.capture import CaptureDecoder, CaptureWriter, DumpDecoder, View

Row = dict[str, Any]
Side = Literal["client", "server"]
Turn = tuple[Side, bytes]

CLIENT_ADDRESS = "10.0.0.7:40000"
SERVER_ADDRESS = "10.0.0.1:8020"


@dataclass
class Decoded:
    """All tables of one decoding."""

    messages: list[Row]
    calls: list[Row]
    streams: list[Row]
    undecoded: list[tuple[str, int, int]]
    damage: str | None = None

    def names(self, side: str | None = None) -> list[str | None]:
        """Return the names of the messages, of both sides or of one."""
        return [row["name"] for row in self.messages if side in (None, row["side"])]

    def errors(self) -> list[str]:
        """Return the errors of the messages."""
        return [row["error"] for row in self.messages if row["error"] is not None]


def all_views() -> list[View]:
    """Return views of every table, with the messages' fields."""
    messages = [*View("messages").columns[:-1], "fields", "error"]
    return [View("messages", columns=messages), View("calls"), View("streams")]


def decode_dump(
    data: bytes,
    side: str = "client",
    *,
    replies: bytes | None = None,
    cuts: Iterable[int] = (),
    redact: bytes | None = None,
    protocol: str = "hadoop",
) -> Decoded:
    """Decode a dump, fed in pieces that end at `cuts`; with `replies` both sides, turn by turn."""
    of = side if replies is None else "both"
    decoder = DumpDecoder(all_views(), protocol=protocol, of=of, redact=redact)
    ends = sorted(cuts)
    if replies is None:
        for piece in pieces(data, ends):
            decoder.feed("server" if side == "server" else "client", piece)
    else:
        for mine, other in zip(pieces(data, ends), pieces(replies, ends), strict=True):
            decoder.feed("client", mine)
            decoder.feed("server", other)
        decoder.end_of("client")
    decoder.finish()
    return _decoded(decoder)


def decode_capture(
    data: bytes,
    *,
    cuts: Iterable[int] = (),
    protocol: str | None = None,
    redact: bytes | None = None,
) -> Decoded:
    """Decode a capture file, fed in pieces that end at `cuts`."""
    decoder = CaptureDecoder(all_views(), protocol=protocol, redact=redact)
    damage = None
    try:
        for piece in pieces(data, sorted(cuts)):
            decoder.feed(piece)
    except DecodeError as error:
        damage = str(error)
    try:
        decoder.finish()
    except DecodeError as error:
        damage = str(error)
    decoded = _decoded(decoder)
    decoded.damage = damage
    return decoded


def explain_dump(
    data: bytes, side: str = "client", *, cuts: Iterable[int] = (), redact: bytes | None = None
) -> str:
    """Return the annotated hex dump of a dump."""
    decoder = DumpDecoder([], protocol="hadoop", of=side, explain=True, redact=redact)
    text = ""
    for piece in pieces(data, sorted(cuts)):
        decoder.feed("server" if side == "server" else "client", piece)
        text += decoder.take_explanation()
    decoder.finish()
    return text + decoder.take_explanation()


def explain_capture(data: bytes, *, cuts: Iterable[int] = (), redact: bytes | None = None) -> str:
    """Return the annotated hex dump of a capture."""
    decoder = CaptureDecoder([], explain=True, redact=redact)
    text = ""
    for piece in pieces(data, sorted(cuts)):
        decoder.feed(piece)
        text += decoder.take_explanation()
    with suppress(DecodeError):
        decoder.finish()
    return text + decoder.take_explanation()


def pieces(data: bytes, cuts: Sequence[int]) -> list[bytes]:
    """Cut `data`; pieces may be empty."""
    return [data[start:end] for start, end in zip([0, *cuts], [*cuts, len(data)], strict=True)]


def capture(*turns: Turn, client: str = CLIENT_ADDRESS, server: str = SERVER_ADDRESS) -> bytes:
    """Return a capture of one connection, a microsecond a turn, from its start to its end."""
    writer = CaptureWriter()
    connection, opening = writer.open(client, server, 0)
    packets = [writer.data(connection, side, data, ts) for ts, (side, data) in enumerate(turns, 1)]
    end = writer.close(connection, len(turns) + 1)
    return b"".join([writer.header(), opening, *packets, end])


def midway(*turns: Turn) -> bytes:
    """Return a capture that begins inside a connection."""
    writer = CaptureWriter()
    connection, _ = writer.open(CLIENT_ADDRESS, SERVER_ADDRESS, 0)
    packets = [writer.data(connection, side, data, ts) for ts, (side, data) in enumerate(turns, 1)]
    return b"".join([writer.header(), *packets])


def parsed(line: bytes | str) -> Row:
    """Parse a JSON object; reject texts that only Python accepts as JSON, and repeated keys."""
    row: Row = json.loads(line, object_pairs_hook=_once, parse_constant=_refuse)
    return row


def covered(decoded: Decoded) -> dict[tuple[int, str], list[tuple[int, int]]]:
    """Return the ranges of bytes that the messages' rows take, by stream and side."""
    ranges: dict[tuple[int, str], list[tuple[int, int]]] = defaultdict(list)
    for row in decoded.messages:
        if row["stream"] >= 0 and row["parent"] is None:
            place = (row["offset"], row["offset"] + row["length"])
            ranges[row["stream"], row["side"]].append(place)
    return ranges


def _decoded(decoder: CaptureDecoder | DumpDecoder) -> Decoded:
    decoded = Decoded([], [], [], undecoded=[])
    tables = {"messages": decoded.messages, "calls": decoded.calls, "streams": decoded.streams}
    while (batch := decoder.next_batch()) is not None:
        table, rows = batch
        tables[table] += [parsed(line) for line in rows.to_jsonl().splitlines()]
    decoded.undecoded = decoder.undecoded()
    return decoded


def _once(pairs: list[tuple[str, Any]]) -> Row:
    row = dict(pairs)
    if len(row) != len(pairs):
        raise ValueError(f"a key stands twice among {[key for key, _ in pairs]}")
    return row


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no JSON")
