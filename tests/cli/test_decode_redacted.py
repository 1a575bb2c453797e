"""`--redact`: the user's own words (paths, names, payloads) appear nowhere in the output."""

import base64
import re
from pathlib import Path

import pytest

from jvmwire.capture import redaction_key
from kit import wire
from kit.captures import NAMENODE, SASL, WRITABLE
from kit.command import Done, decode
from kit.rows import capture, explain_dump

WORD = "hush"
SECRET = f"{WORD}-7\u00e9"


def _said() -> bytes:
    caller = wire.content(7, wire.content(1, SECRET) + wire.content(2, SECRET))
    inner = wire.content(3, wire.content(1, SECRET) + wire.number(2, 1))
    text = wire.writable("java.lang.String", wire.utf8(f"{SECRET}\ud83d"))
    own = wire.instance("com.example.Point", SECRET.encode())
    client = wire.connection_header() + wire.context(SECRET) + b"".join([
        wire.stat(0, f"/{SECRET}", more=caller),
        wire.call(1, "create", wire.content(1, f"/{SECRET}") + inner + inner),
        wire.invocation(2, "ping", text),
        wire.invocation(3, "move", own),
        wire.sasl("client", 2, wire.content(3, SECRET)),
        wire.frame(wire.call(4)[4:], SECRET.encode()),
        wire.frame(wire.request_header(5, kind=9), SECRET.encode()),
        wire.frame(wire.request_header(-2), SECRET.encode()),
        SECRET.encode(),
        wire.frame(wire.request_header(6), wire.delimited(b"\x0f" + SECRET.encode())),
        *[wire.stat(id_, f"/{SECRET}") for id_ in range(7, 12)],
    ])  # fmt: skip
    server = b"".join([
        wire.reply(0, wire.content(1, SECRET) + inner),
        wire.failure(1, text=f"{SECRET}\n\tat some.Where"),
        wire.written(2, text),
        wire.written(3, own),
        wire.reply(99, wire.content(1, SECRET)),
        wire.frame(wire.response_header(98), b"\x07" + SECRET.encode()),
    ])  # fmt: skip
    return capture(("client", client), ("server", server))


@pytest.fixture(scope="module")
def secret_capture(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("redacted") / "secret.pcap"
    path.write_bytes(_said())
    return path


def assert_hidden(done: Done, *words: str) -> None:
    """Look for words in the output: as they are, in base64, and as bytes in hex."""
    text = done.stdout.decode() + done.stderr
    printed = [text.encode()]
    printed += [base64.b64decode(part) for part in re.findall(r'"base64":"([^"]*)"', text)]
    printed.append(bytes(int(byte, 16) for byte in re.findall(r"\b0x([0-9a-f]{2}),", text)))
    for word in words or (WORD,):
        assert not [part for part in printed if word.encode() in part], word


@pytest.mark.parametrize(
    "arguments",
    [[], ["--table", "calls"], ["--table", "streams"], ["--explain"]],
    ids=["messages", "calls", "streams", "explanation"],
)
def test_no_secret_is_printed(arguments: list[str], secret_capture: Path) -> None:
    shown = decode(*arguments, secret_capture, status=1)
    hidden = decode(*arguments, "--redact", secret_capture, status=1)
    if arguments != ["--table", "streams"]:
        assert WORD in shown.stdout.decode()
    assert_hidden(hidden)
    if arguments != ["--explain"]:
        assert len(hidden.rows) == len(shown.rows)
    assert hidden.stderr == shown.stderr


def test_what_is_replaced_leaves_its_length_and_is_the_same_wherever_it_stands(
    secret_capture: Path,
) -> None:
    both = ("--redact", "--redact-secret", __file__)
    rows = decode(*both, secret_capture, status=1).rows
    [first] = [row for row in rows if row["id"] == "0" and row["side"] == "client"]
    assert first["fields"]["method"] == "getFileInfo"
    first_call = ("--table", "calls", "--where", "id = '0'", secret_capture)
    [call] = decode(*both, *first_call, status=1).rows
    assert call["name"] == "ClientProtocol.getFileInfo"
    size = len(f"/{SECRET}".encode())
    assert re.fullmatch(rf"<{size} bytes: [0-9a-f]{{16}}>", call["target"])
    assert re.fullmatch(rf"<{size - 1} bytes: [0-9a-f]{{16}}>", call["user"])
    # In another run, in another table, in another field.
    assert first["fields"]["request"] == {"src": call["target"]}
    assert call["attributes"] == {"caller_context": call["user"]}
    [again] = decode("--redact", *first_call, status=1).rows
    assert again["target"] != call["target"]
    assert len(again["target"]) == len(call["target"])


def test_names_that_are_replaced_can_still_be_counted() -> None:
    columns = ("--table", "calls", "--columns", "user,target")
    shown, hidden = (
        [(row["user"], row["target"]) for row in decode(*columns, *redact, NAMENODE).rows]
        for redact in ([], ["--redact"])
    )
    pairs = set(zip(shown, hidden, strict=True))
    assert len(pairs) == len(set(shown)) == len(set(hidden)) > 100


@pytest.mark.parametrize(
    "arguments",
    [[], ["--table", "calls"], ["--explain"]],
    ids=["messages", "calls", "explanation"],
)
def test_no_path_and_no_user_of_a_recording_is_printed(arguments: list[str]) -> None:
    done = decode(*arguments, "--redact", NAMENODE)
    assert_hidden(done, "/data/native", "alice", "mallory", "nightly-report", "FSPermissionChecker")
    for path in (WRITABLE, SASL):
        hidden = decode(*arguments, "--redact", path)
        assert_hidden(hidden, "pong", "txt", "alice", "EXAMPLE.COM", "no such thing")


def test_an_empty_secret_is_refused() -> None:
    done = decode("--redact", "--redact-secret", "/dev/null", WRITABLE, status=2)
    assert done.stderr == (
        "jvmwire: the secret for replacing data of users is empty: anyone could guess it\n"
    )


def test_numbers_and_names_of_the_protocol_stay() -> None:
    hidden = decode("--redact", "--columns", "offset,length,ts,name,id,error", NAMENODE)
    assert hidden.stdout == decode("--columns", "offset,length,ts,name,id,error", NAMENODE).stdout
    rows = decode("--redact", "--table", "calls", "--columns", "name,error_class", NAMENODE).rows
    assert len({row["name"] for row in rows}) > 100
    assert "java.io.FileNotFoundException" in {row["error_class"] for row in rows}


@pytest.mark.parametrize("side", ["client", "any"])
def test_a_page_asked_for_by_mistake_is_not_printed(side: str) -> None:
    request = f"GET /{SECRET} HTTP/1.1\r\n\r\n".encode()
    dump = ("--protocol", "hadoop", "--side", side, "--redact", "-")
    for arguments in (dump, ("--explain", *dump)):
        assert_hidden(decode(*arguments, stdin=request))


def test_what_a_dump_that_was_cut_off_ends_with_is_not_printed() -> None:
    dump = wire.conversation([wire.stat(id_, f"/{SECRET}") for id_ in range(3)])
    for end in range(7, len(dump), 5):
        text = explain_dump(dump[:end], redact=redaction_key())
        assert_hidden(Done(text.encode(), ""))
