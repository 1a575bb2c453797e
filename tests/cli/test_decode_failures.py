"""`jvmwire decode` of faulty input: rows that describe the fault, one clear sentence, a status."""

import bz2
import gzip
import lzma
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from kit import wire
from kit.captures import SEED, VECTORS, WRITABLE
from kit.command import TIMEOUT, Done, command, decode
from kit.rows import Turn, capture, midway

TLS = b"\x16\x03\x01\x00\x2a\x01\x00\x00\x26\x03\x03" + b"\x55" * 36
CALLS = [wire.stat(id_, f"/user/alice/{id_}") for id_ in range(4)]
REPLY = SEED / "reply.bin"
CLIENT_DUMP = ("--protocol", "hadoop", "--side", "client")


def sentences(done: Done) -> list[str]:
    """Return the sentences of standard error, each once."""
    lines = done.stderr.splitlines()
    assert all(line.startswith("jvmwire: ") for line in lines)
    assert len(set(lines)) == len(lines)
    return [line.removeprefix("jvmwire: ") for line in lines]


# --- something was not decoded: status 1


@pytest.mark.parametrize("packed", [False, True], ids=["plain", "gzip"])
def test_a_capture_cut_short_is_rows_and_a_sentence(packed: bool, tmp_path: Path) -> None:
    file = tmp_path / "cut.pcap"
    content = WRITABLE.read_bytes()
    file.write_bytes(gzip.compress(content)[:-500] if packed else content[:-3000])
    done = decode(file, status=1)
    assert len(done.rows) > 20
    [damage] = [row for row in done.rows if row["stream"] == -1]
    said = sentences(done)
    assert said[0] == f"{file}: {damage['error']}"
    assert ("not whole" if packed else "cut short") in said[0]


def test_garbage_is_no_capture(tmp_path: Path) -> None:
    file = tmp_path / "garbage"
    file.write_bytes(b"\x01\x02\x03\x04" * 100)
    done = decode(file, status=1)
    told = "neither pcap nor pcapng: the first four bytes are 0x01020304"
    hint = "a raw dump is read with --protocol and --side"
    assert sentences(done) == [f"{file}: {told}; {hint}"]
    assert [row["error"] for row in done.rows] == [told]


@pytest.mark.parametrize(
    ("content", "hint"),
    [
        (lzma.compress(b""), "it is compressed with xz: decompress it first"),
        (bz2.compress(b"x"), "it is compressed with bzip2: decompress it first"),
        (b"snoop\0\0\0", "it is a capture of snoop: editcap converts it to pcapng"),
    ],
    ids=["xz", "bzip2", "snoop"],
)
def test_a_file_of_another_format_is_told_with_what_to_do(
    content: bytes, hint: str, tmp_path: Path
) -> None:
    file = tmp_path / "file"
    file.write_bytes(content)
    [sentence] = sentences(decode(file, status=1))
    assert sentence.endswith(f"0x{content[:4].hex()}; {hint}")


def test_an_empty_file_is_no_capture(tmp_path: Path) -> None:
    file = tmp_path / "empty"
    file.touch()
    assert sentences(decode(file, status=1)) == [f"{file}: the capture is empty"]
    assert sentences(decode("-", status=1)) == ["-: the capture is empty"]


def test_an_empty_dump_has_no_rows(tmp_path: Path) -> None:
    file = tmp_path / "empty"
    file.touch()
    done = decode(*CLIENT_DUMP, file)
    assert (done.stdout, done.stderr) == (b"", "")


def test_garbage_in_a_dump_is_a_row_and_a_sentence() -> None:
    done = decode(*CLIENT_DUMP, "-", status=1, stdin=b"\x01\x02\x03\x04" * 100)
    assert [(row["offset"], row["length"], row["name"]) for row in done.rows] == [(0, 400, None)]
    [said] = sentences(done)
    assert said.startswith("-: 400 bytes in one place: ")


@pytest.mark.parametrize(
    ("turns", "said"),
    [
        ([("client", CALLS[0][9:] + b"".join(CALLS[1:]))], "before the first message boundary"),
        ([("client", TLS), ("server", TLS)], "encrypted with TLS"),
        ([("client", b"EHLO there\r\n")], "no protocol known here"),
    ],
    ids=["midway", "TLS", "unknown"],
)
def test_a_stream_that_cannot_be_decoded_is_told_from_others_in_a_sentence(
    turns: list[Turn], said: str, tmp_path: Path
) -> None:
    file = tmp_path / "stream.pcap"
    file.write_bytes(midway(*turns))
    done = decode(file, status=1)
    [sentence] = sentences(done)
    wrong = [row for row in done.rows if row["error"]]
    assert {row["error"] for row in wrong} == {said}
    places = "one place" if len(wrong) == 1 else f"{len(wrong)} places"
    size = sum(row["length"] for row in wrong)
    assert sentence == f"{file}: {size} bytes in {places}: {said}"


def test_a_stream_that_starts_in_the_middle_is_decoded_from_its_first_boundary(
    tmp_path: Path,
) -> None:
    file = tmp_path / "midway.pcap"
    file.write_bytes(midway(("client", CALLS[0][9:] + b"".join(CALLS[1:]))))
    rows = decode("--table", "calls", file, status=1).rows
    assert [row["target"] for row in rows] == [f"/user/alice/{id_}" for id_ in (1, 2, 3)]


def test_a_message_that_is_wrong_counts_as_not_decoded(tmp_path: Path) -> None:
    point = wire.invocation(0, "move", wire.instance("com.example.Point", b"\1"))
    file = tmp_path / "own.pcap"
    file.write_bytes(capture(("client", wire.conversation([point, *CALLS[1:]]))))
    done = decode(file, status=1)
    assert [row["name"] for row in done.rows if row["error"]] == ["Call"]
    told = f"{len(point)} bytes in one place: not what the protocol allows"
    assert sentences(done) == [f"{file}: {told}"]


def test_a_damaged_file_among_others_keeps_nobody_from_theirs(tmp_path: Path) -> None:
    file = tmp_path / "damaged"
    file.write_bytes(b"\xd4\xc3\xb2\xa1 and so on, which is no header")
    copy = shutil.copy(WRITABLE, tmp_path / "copy.pcap.gz")
    done = decode("--table", "calls", WRITABLE, file, copy, status=1)
    assert len(done.rows) == 2 * 28
    [said] = sentences(done)
    assert said.startswith(f"{file}: ")


@pytest.mark.parametrize("format_", ["arrow", "parquet"])
def test_what_was_not_decoded_is_said_with_every_format(format_: str, tmp_path: Path) -> None:
    file = VECTORS / "captures" / "loopback-micro.pcap"
    out = tmp_path / "out"
    done = decode("--format", format_, "-o", out, file, status=1)
    assert sentences(done) == [f"{file}: 28 bytes in 2 places: no protocol known here"]
    done = decode("--explain", file, status=1)
    assert sentences(done) == [f"{file}: 28 bytes in 2 places: no protocol known here"]


# --- bad usage: status 2


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["missing.pcap"], "missing.pcap does not exist"),
        ([VECTORS], "vectors holds no captures: no file there is named *.pcap"),
        (["--columns", "nam", WRITABLE], 'there is no column "nam"; there are protocol, stream'),
        (["--columns", "name,name", WRITABLE], 'column "name" is named twice'),
        (["--columns", ",", WRITABLE], 'there is no column ""'),
        (["--columns", "", WRITABLE], 'there is no column ""'),
        (["--where", "nam = 'x'", WRITABLE], 'there is no column "nam"'),
        (
            ["--where", "name =", WRITABLE],
            "the condition 'name =' cannot be read: it is wrong at or behind 'name ='",
        ),
        (["--where", "name = 'a' 'b' c", WRITABLE], "cannot be read"),
        (["--where", "length = 'long'", WRITABLE], 'column "length" holds integers'),
        (["--where", "lower(name) = 'x'", WRITABLE], "is not done here"),
        (["--where", "name = 'x'; DROP TABLE messages", WRITABLE], "condition"),
        (["--where", "", WRITABLE], "the condition is empty"),
        (["--where", " or ".join(["stream=1"] * 9_500), WRITABLE], "the limit is 100,000"),
        (["--where", "(" * 5000 + "stream=1" + ")" * 5000, WRITABLE], "cannot be read"),
        (
            ["-o", "no/such/folder/rows", WRITABLE],
            "no/such/folder/rows: No such file or directory",
        ),
    ],
)
def test_what_cannot_be_done_is_said_in_a_sentence(arguments: list[str | Path], said: str) -> None:
    done = decode(*arguments, status=2)
    assert done.stdout == b""
    [sentence] = sentences(done)
    assert said in sentence
    assert len(sentence) < 400


def test_a_condition_with_a_long_list_is_judged() -> None:
    ids = ",".join(["'7'", *["'8'"] * 19_000])
    rows = decode("--table", "calls", "--where", f"id IN ({ids})", WRITABLE).rows
    assert {row["id"] for row in rows} == {"7", "8"}
    many = " OR ".join(["id = '7'", *["id = '8'"] * 3000])
    rows = decode("--table", "calls", "--where", many, WRITABLE).rows
    assert {row["id"] for row in rows} == {"7", "8"}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "Missing argument 'FILE...'"),
        (["--table", "packets", WRITABLE], "'packets' is not one of 'messages', 'calls'"),
        (["--format", "xml", WRITABLE], "'xml' is not one of"),
        (["--protocol", "smtp", WRITABLE], "'smtp' is not"),
        (["--side", "client", WRITABLE], "does not name its protocol: pass --protocol"),
        (["--reply-file", REPLY, WRITABLE], "does not name its protocol: pass --protocol"),
        ([*CLIENT_DUMP, "--reply-file", "missing.bin", REPLY], "'missing.bin' does not exist"),
        (
            ["--protocol", "hadoop", "--side", "server", "--reply-file", REPLY, REPLY],
            "with --reply-file, FILE is what the client wrote",
        ),
        ([*CLIENT_DUMP, REPLY, REPLY], "take one FILE"),
        (["-", WRITABLE], "take one FILE"),
        (["--follow", WRITABLE, WRITABLE], "take one FILE"),
        (["--follow", VECTORS], "is a folder"),
        ([*CLIENT_DUMP, VECTORS], "is a folder"),
        ([*CLIENT_DUMP, "--follow", REPLY], "--follow reads captures, not raw dumps"),
        (["--explain", "--columns", "name", WRITABLE], "--explain prints a dump"),
        (["--explain", "--format", "arrow", WRITABLE], "--explain prints a dump"),
        (["--no-such-option", WRITABLE], "No such option"),
    ],
)
def test_bad_usage_is_said_as_such(arguments: list[str | Path], said: str) -> None:
    done = decode(*arguments, status=2)
    assert done.stdout == b""
    assert said in done.stderr
    assert done.stderr.startswith("Usage: jvmwire decode")


def test_a_name_that_is_mistyped_empties_no_file(tmp_path: Path) -> None:
    out = tmp_path / "rows"
    out.write_text("of yesterday")
    decode("-o", out, "mistyped.pcap", status=2)
    decode("-o", out, "--columns", "mistyped", WRITABLE, status=2)
    assert out.read_text() == "of yesterday"


def test_a_folder_is_no_output(tmp_path: Path) -> None:
    done = decode("-o", tmp_path, WRITABLE, status=2)
    assert "is a directory" in done.stderr


@pytest.mark.parametrize(
    ("closed", "said"),
    [(">&-", "standard output is closed"), (">/dev/full", "No space left on device")],
)
def test_output_that_takes_nothing_is_said_in_a_sentence(closed: str, said: str) -> None:
    line = " ".join([*command("decode", WRITABLE), closed])
    done = subprocess.run(["bash", "-c", line], capture_output=True, timeout=TIMEOUT, check=False)
    assert (done.returncode, done.stderr.decode()) == (2, f"jvmwire: {said}\n")


# --- the base installation


def _without_pyarrow(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    blocked = "import sys; sys.modules['pyarrow'] = None; from jvmwire._cli import main; main()"
    return subprocess.run(
        [sys.executable, "-c", blocked, "decode", *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=TIMEOUT,
        check=False,
    )


@pytest.mark.parametrize("format_", ["arrow", "parquet"])
def test_without_pyarrow_the_extra_is_named(format_: str) -> None:
    done = _without_pyarrow("--format", format_, WRITABLE)
    assert (done.returncode, done.stdout) == (2, "")
    told = f"--format {format_} needs pyarrow: pip install 'jvmwire[arrow]'"
    assert done.stderr == f"jvmwire: {told}\n"


def test_what_misses_its_extra_empties_no_file(tmp_path: Path) -> None:
    out = tmp_path / "rows"
    out.write_text("of yesterday")
    assert _without_pyarrow("--format", "parquet", "-o", out, WRITABLE).returncode == 2
    assert out.read_text() == "of yesterday"


def test_without_pyarrow_json_lines_and_explanations_are_what_they_are() -> None:
    done = _without_pyarrow("--table", "calls", WRITABLE)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.encode() == decode("--table", "calls", WRITABLE).stdout
    done = _without_pyarrow("--explain", WRITABLE)
    assert done.stdout.encode() == decode("--explain", WRITABLE).stdout


def test_sort_without_room_for_temporary_files_is_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = "/" + "a" * (12 << 20)
    calls = [wire.stat(id_, path) for id_ in range(6)]  # rows of 72 MiB
    dump = tmp_path / "long.bin"
    dump.write_bytes(wire.connection_header() + wire.context() + b"".join(calls))
    missing = tmp_path / "missing"
    monkeypatch.setenv("TMPDIR", str(missing))
    done = decode(*CLIENT_DUMP, "--table", "calls", "--columns", "target", dump, status=2)
    assert not done.rows
    assert sentences(done) == [
        f"rows cannot be sorted in temporary files in {missing}: "
        "No such file or directory (os error 2)"
    ]
