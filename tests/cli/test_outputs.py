"""Outputs of commands: complete or not at all, and never over their own inputs."""

from __future__ import annotations

import gzip
import os
import shutil
import signal
import subprocess
import threading
import time
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner

from jvmwire._cli import cli
from jvmwire._files import is_unfinished
from jvmwire.errors import ConfigError
from jvmwire.hama._script import SCRIPT
from kit import storm_words
from kit.captures import SASL, SEED, WRITABLE
from kit.command import TIMEOUT, command, decode, jvmwire
from kit.polling import eventually

if TYPE_CHECKING:
    from collections.abc import Iterator

FORMATS = ["jsonl", "arrow", "parquet"]
DUMP = ("--protocol", "hadoop")
OLD = b"of yesterday"


def names(directory: Path) -> list[str]:
    return sorted(path.name for path in directory.iterdir())


def contents(directory: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in directory.rglob("*") if path.is_file()}


def refused_here(*arguments: str | Path) -> str:
    """Run a command in this process that must be refused: processes and imports take seconds."""
    done = CliRunner().invoke(cli, [str(argument) for argument in arguments])
    assert isinstance(done.exception, ConfigError), done
    assert done.output == ""
    return str(done.exception)


def refused(directory: Path, *arguments: str | Path, program: str = "decode") -> str:
    """Run a command that must be refused, and change nothing."""
    before = contents(directory)
    said = refused_here(*program.split(), *arguments)
    assert contents(directory) == before
    return said


# --- an output that is an input


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    shutil.copy(WRITABLE, tmp_path / "a.pcap")
    shutil.copy(SASL, tmp_path / "b.pcap")
    (tmp_path / "a.pcap.gz").write_bytes(gzip.compress(WRITABLE.read_bytes()))
    (tmp_path / ".hidden.pcap").write_bytes(OLD)
    (tmp_path / "soft").symlink_to("a.pcap")
    (tmp_path / "far").symlink_to(tmp_path / "soft")
    (tmp_path / "hard").hardlink_to(tmp_path / "a.pcap")
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "hard").hardlink_to(tmp_path / "b.pcap")
    return tmp_path


@pytest.mark.parametrize("format_", FORMATS)
@pytest.mark.parametrize("output", ["a.pcap", "soft", "far", "hard", "sub/../a.pcap"])
def test_decode_into_its_input_is_refused(folder: Path, output: str, format_: str) -> None:
    where: list[str | Path] = ["--format", format_, "-o", folder / output]
    assert "is also the input" in refused(folder, folder / "a.pcap", *where)
    assert "is also the input" in refused(folder, folder / "soft", *where)
    assert "is also the input" in refused(folder, folder / "b.pcap", folder / "a.pcap", *where)
    assert "is also the input" in refused(folder, "--follow", folder / "a.pcap", *where)


def test_refused_output_is_one_sentence_and_status_2(folder: Path) -> None:
    before = contents(folder)
    done = jvmwire("decode", folder / "a.pcap", "-o", folder / "hard", status=2)
    assert done.stdout == b""
    assert done.stderr == (
        f"jvmwire: the output {folder / 'hard'} is also the input {folder / 'a.pcap'}: "
        "nothing was written; name another output\n"
    )
    assert contents(folder) == before


@pytest.mark.parametrize("output", ["a.pcap", "soft", "hard", "sub/hard", "a.pcap.gz", "new.pcap"])
def test_decode_into_a_capture_of_its_folder_is_refused(folder: Path, output: str) -> None:
    said = refused(folder, folder, "-o", folder / output)
    assert "is also the input" in said or "the next run would read it" in said


def test_decode_beside_the_captures_of_its_folder_works(folder: Path) -> None:
    (folder / ".hidden.pcap").unlink()
    for _ in range(2):
        decode(folder, "-o", folder / "rows.jsonl")
        decode(folder, "-o", folder / "sub" / "rows.pcap")
    assert len((folder / "rows.jsonl").read_bytes().splitlines()) > 50


@pytest.mark.parametrize("linked", [False, True], ids=["itself", "link"])
def test_files_that_options_name_are_inputs(tmp_path: Path, linked: bool) -> None:
    for name in ("reply.bin", "request.bin"):
        shutil.copy(SEED / "reply.bin", tmp_path / name)
    (tmp_path / "secret").write_bytes(b"a secret of some length")
    (tmp_path / "types.toml").write_text("")
    (tmp_path / "a.pcap").write_bytes(WRITABLE.read_bytes())

    def output(name: str) -> Path:
        if linked:
            (tmp_path / f"{name}.link").symlink_to(name)
        return tmp_path / (f"{name}.link" if linked else name)

    replies: list[str | Path] = [
        *DUMP,
        tmp_path / "request.bin",
        "--reply-file",
        tmp_path / "reply.bin",
    ]
    secret: list[str | Path] = [
        "--redact",
        "--redact-secret",
        tmp_path / "secret",
        tmp_path / "a.pcap",
    ]
    types: list[str | Path] = ["--protocol", "pravega-early", "--types", tmp_path / "types.toml"]
    for arguments, name in (
        (replies, "reply.bin"),
        (replies, "request.bin"),
        (secret, "secret"),
        ([*types, "--side", "client", tmp_path / "request.bin"], "types.toml"),
    ):
        (tmp_path / f"{name}.link").unlink(missing_ok=True)
        assert "is also the input" in refused(tmp_path, *arguments, "-o", output(name))


@pytest.mark.parametrize("arguments", [["decode"], ["report", "-o", "report"]], ids=" ".join)
def test_an_empty_file_name_is_not_the_current_folder(
    folder: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str]
) -> None:
    monkeypatch.chdir(folder)
    before = contents(folder)
    for files in ([""], ["a.pcap", ""]):
        done = CliRunner().invoke(cli, [*arguments, *files])
        assert done.exit_code == 2
        assert "a file name is empty" in done.output
    assert contents(folder) == before


def shell(line: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["bash", "-c", line], capture_output=True, text=True, timeout=TIMEOUT, check=False
    )


def test_redirected_inputs_and_outputs_are_compared_too(folder: Path) -> None:
    before = contents(folder)
    program = " ".join(command("decode"))
    for line in (
        f"{program} - -o {folder}/a.pcap < {folder}/a.pcap",
        f"{program} - -o {folder}/hard < {folder}/soft",
        f"{program} {folder}/a.pcap >> {folder}/a.pcap",
        f"{program} {DUMP[0]} {DUMP[1]} --side client - -o {folder}/a.pcap < {folder}/a.pcap",
    ):
        done = shell(line)
        assert done.returncode == 2, line
        assert "is also the input" in done.stderr
        assert contents(folder) == before


# --- a run that is stopped


def interrupt(process: subprocess.Popen[bytes], number: int) -> None:
    """Send a signal until the process ends.

    A signal just before Python waits for input takes effect only with the next one; a signal during
    the cleanup after the first would end that cleanup.
    """
    while process.poll() is None:
        process.send_signal(number)
        with suppress(subprocess.TimeoutExpired):
            process.wait(10.0)


@contextmanager
def stopped_midway(tmp_path: Path, number: int, *arguments: str | Path) -> Iterator[None]:
    """Run `decode` on a capture that never ends, and stop it when its output has begun."""
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    heeding = [
        "env", "--default-signal=INT,TERM,HUP", *command("decode", fifo, *arguments)
    ]  # fmt: skip
    with (
        subprocess.Popen(heeding, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process,
        fifo.open("wb", buffering=0) as file,
    ):
        file.write(WRITABLE.read_bytes())
        eventually(lambda: any(is_unfinished(name) for name in names(tmp_path)))
        time.sleep(0.3)  # until it waits for more input
        interrupt(process, number)
        assert process.stderr is not None
        said, status = process.stderr.read(), process.returncode
    fifo.unlink()
    # As other programs end: silently, and by the signal.
    assert (status, said) == (130 if number == signal.SIGINT else -number, b"")
    yield


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("format_", FORMATS)
def test_stopped_run_leaves_nothing(tmp_path: Path, format_: str, number: int) -> None:
    arguments: list[str | Path] = ["--format", format_, "-o", tmp_path / "out"]
    with stopped_midway(tmp_path, number, *arguments):
        assert names(tmp_path) == []
    (tmp_path / "out").write_bytes(OLD)
    with stopped_midway(tmp_path, number, *arguments):
        assert contents(tmp_path) == {str(tmp_path / "out"): OLD}


def test_killed_run_leaves_a_temporary_file_only(tmp_path: Path) -> None:
    with stopped_midway(tmp_path, signal.SIGKILL, "-o", tmp_path / "out"):
        [left] = names(tmp_path)
        assert is_unfinished(left)


@pytest.mark.parametrize("format_", FORMATS)
def test_full_disk_leaves_nothing(tmp_path: Path, format_: str) -> None:
    program = " ".join(command("decode", WRITABLE, "--format", format_, "-o", tmp_path / "out"))
    done = shell(f"ulimit -f 1; {program}")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "jvmwire: File too large\n"
    assert names(tmp_path) == []


def test_output_of_a_damaged_capture_is_kept(tmp_path: Path) -> None:
    (tmp_path / "cut.pcap").write_bytes(WRITABLE.read_bytes()[:-3000])
    decode(tmp_path / "cut.pcap", "-o", tmp_path / "out", status=1)
    assert names(tmp_path) == ["cut.pcap", "out"]


def test_output_that_may_not_be_written_is_not_replaced(tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.write_bytes(OLD)
    out.chmod(0o444)
    line = [*command("decode", WRITABLE, "-o", out)]
    if os.geteuid() == 0:  # root may write it: so this runs as another user
        line = ["setpriv", "--reuid=65534", "--clear-groups", *line]
        tmp_path.chmod(0o777)
        for parent in tmp_path.parents[:3]:
            parent.chmod(parent.stat().st_mode | 0o011)
    done = subprocess.run(line, capture_output=True, text=True, timeout=TIMEOUT, check=False)
    assert done.returncode != 0
    assert "Permission denied" in done.stderr
    assert out.read_bytes() == OLD


# --- outputs other than regular files


def test_devices_fifos_and_redirected_outputs_are_written_directly(tmp_path: Path) -> None:
    expected = decode(WRITABLE).stdout
    decode(WRITABLE, "-o", "/dev/null")
    assert decode(WRITABLE, "-o", "/dev/stdout").stdout == expected
    program = " ".join(command("decode", WRITABLE))
    assert shell(f"{program} -o /dev/stdout > {tmp_path}/out").returncode == 0
    assert (tmp_path / "out").read_bytes() == expected
    assert shell(f"{program} -o /dev/fd/3 3>> {tmp_path}/out").returncode == 0
    assert (tmp_path / "out").read_bytes() == expected + expected
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append(fifo.read_bytes()))
    reader.start()
    decode(WRITABLE, "--format", "arrow", "-o", fifo)
    reader.join(TIMEOUT)
    assert pa.ipc.open_stream(read[0]).read_all().num_rows == len(expected.splitlines())
    assert names(tmp_path) == ["fifo", "out"]


def on_a_terminal(*arguments: str | Path) -> tuple[int, bytes, str]:
    """Run a command whose standard output is a terminal; return its status and the drawn text."""
    terminal, end = os.openpty()
    try:
        done = subprocess.run(
            command(*(str(it).replace("TTY", os.ttyname(end)) for it in arguments)),
            stdin=subprocess.DEVNULL,
            stdout=end,
            stderr=subprocess.PIPE,
            timeout=TIMEOUT,
            check=False,
        )
        os.set_blocking(terminal, False)
        try:
            drawn = os.read(terminal, 1 << 16)
        except BlockingIOError:
            drawn = b""
    finally:
        os.close(terminal)
        os.close(end)
    return done.returncode, drawn, done.stderr.decode()


@pytest.mark.parametrize(
    "arguments",
    [
        ["decode", "--format", "arrow", WRITABLE],
        ["decode", "--format", "parquet", WRITABLE],
        ["decode", "--format", "arrow", "-o", "TTY", WRITABLE],
        ["decode", "--format", "parquet", "-o", "/dev/stdout", WRITABLE],
        ["decode", "--format", "parquet", "--follow", "-o", "TTY", WRITABLE],
        ["hadoop", "replay", SEED / "reply.bin", "--server", "127.0.0.1:1"],
    ],
    ids=lambda arguments: " ".join(map(str, arguments[:4])),
)
def test_binary_output_on_a_terminal_is_refused(arguments: list[str | Path]) -> None:
    status, drawn, said = on_a_terminal(*arguments)
    assert (status, drawn) == (2, b"")
    [sentence] = said.splitlines()
    assert "is a terminal and the output is binary: name a file with -o" in sentence


def test_text_output_on_a_terminal_is_drawn() -> None:
    status, drawn, said = on_a_terminal("decode", "--columns", "name", WRITABLE)
    assert (status, said) == (0, "")
    assert drawn.startswith(b"name\r\nConnectionHeader\r\n")


# --- outputs that grow


@contextmanager
def following(capture: Path, *arguments: str | Path) -> Iterator[subprocess.Popen[bytes]]:
    line: list[str | Path] = [
        "env",
        "--default-signal=INT",
        *command("decode", "--follow", capture, *arguments),
    ]
    with subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        try:
            yield process
        finally:
            process.kill()


def opened_by(process: int) -> set[Path]:
    opened = set()
    for entry in Path(f"/proc/{process}/fd").iterdir():
        with suppress(FileNotFoundError):
            opened.add(entry.readlink())
    return opened


@pytest.mark.parametrize("format_", FORMATS)
def test_followed_rows_are_in_a_new_file_as_they_come_and_after_ctrl_c(
    tmp_path: Path, format_: str
) -> None:
    capture, out = tmp_path / "a.pcap", tmp_path / "out"
    shutil.copy(WRITABLE, capture)
    rows = len(decode(capture).rows)
    with following(capture, "--format", format_, "-o", out) as process:
        eventually(lambda: capture in opened_by(process.pid))
        if format_ == "jsonl":
            eventually(lambda: out.read_bytes().count(b"\n") == rows)
        interrupt(process, signal.SIGINT)
        assert process.returncode == 130
        assert process.stderr is not None
        assert process.stderr.read() == b""
    if format_ == "parquet":
        assert pq.read_table(out).num_rows <= rows
    if format_ == "arrow":
        assert pa.ipc.open_stream(out.read_bytes()).read_all().num_rows <= rows
    assert names(tmp_path) == ["a.pcap", "out"]


def test_followed_rows_replace_no_file(tmp_path: Path) -> None:
    shutil.copy(WRITABLE, tmp_path / "a.pcap")
    (tmp_path / "out").write_bytes(OLD)
    said = refused(tmp_path, "--follow", tmp_path / "a.pcap", "-o", tmp_path / "out")
    assert "exists and is not empty: --follow writes rows as they come" in said


# --- other commands


def test_hama_runner_replaces_no_other_file_unasked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for _ in range(2):
        jvmwire("hama", "runner")
    assert (tmp_path / "BSPRunner.py").read_text() == SCRIPT
    (tmp_path / "BSPRunner.py").write_bytes(OLD)
    assert "has other content" in refused(tmp_path, program="hama runner")
    jvmwire("hama", "runner", "-o", "BSPRunner.py")
    assert (tmp_path / "BSPRunner.py").read_text() == SCRIPT


def test_hama_local_writes_into_no_folder_with_parts(tmp_path: Path) -> None:
    (tmp_path / "part-00007").write_bytes(OLD)
    line: list[str | Path] = ["-o", tmp_path, "--input", tmp_path / "part-00007", "no-such-program"]
    assert "part-00007 exists: " in refused(tmp_path, *line, program="hama local")


def test_replayed_answer_replaces_no_dump(tmp_path: Path) -> None:
    shutil.copy(SEED / "reply.bin", tmp_path / "dump")
    (tmp_path / "link").symlink_to("dump")
    for output in ("dump", "link"):
        line: list[str | Path] = [
            tmp_path / "dump",
            "--server",
            "127.0.0.1:1",
            "-o",
            tmp_path / output,
        ]
        assert "is also the input" in refused(tmp_path, *line, program="hadoop replay")


@pytest.fixture
def topology(tmp_path: Path) -> Path:
    storm_words.write(tmp_path / "folder", tmp_path / "notes")
    shutil.make_archive(str(tmp_path / "flux-core-1"), "zip", tmp_path / "folder")
    (tmp_path / "flux-core-1.zip").rename(tmp_path / "flux-core-1.jar")
    shutil.copy(tmp_path / "flux-core-1.jar", tmp_path / "other.jar")
    (tmp_path / "folder" / "data.txt").write_bytes(OLD)
    (tmp_path / "hard").hardlink_to(tmp_path / "folder" / "data.txt")
    (tmp_path / "soft").symlink_to("folder/data.txt")
    return tmp_path


def test_storm_jar_replaces_nothing_that_it_packs(topology: Path) -> None:
    where: list[str | Path] = ["wordy:topology", "--path", topology / "folder", "--lib", topology]
    where += ["--with", topology / "other.jar", "-o"]
    for output in (
        "folder/wordy.py", "folder/data.txt", "hard", "soft", "other.jar", "flux-core-1.jar",
    ):  # fmt: skip
        before = contents(topology)
        said = jvmwire("storm", "jar", *where, topology / output, status=2).stderr
        assert contents(topology) == before
        assert "is also the input" in said or "is packed" in said
    for _ in range(2):
        jvmwire("storm", "jar", *where, topology / "folder" / "out.jar")
    assert not [name for name in names(topology / "folder") if is_unfinished(name)]


def test_storm_flux_replaces_no_module_of_its_topology(topology: Path) -> None:
    where: list[str | Path] = ["wordy:topology", "--path", topology / "folder", "-o"]
    before = contents(topology)
    said = jvmwire("storm", "flux", *where, topology / "folder" / "wordy.py", status=2).stderr
    assert "is also the input" in said
    assert contents(topology) == before
    for _ in range(2):
        jvmwire("storm", "flux", *where, topology / "folder" / "out.yaml")


@pytest.mark.parametrize("name", ["index.html", "summary.json", "summary.md", "calls.parquet"])
def test_report_replaces_nothing_of_other_people(tmp_path: Path, name: str) -> None:
    """This error is found before Spark starts."""
    out = tmp_path / "out"
    path = out / name
    if name == "calls.parquet":
        path.mkdir(parents=True)
        (path / "_SUCCESS").touch()
        (path / "part-00000.parquet").write_bytes(OLD)
    else:
        out.mkdir()
        path.write_bytes(b'{"version": 1, "source": {}, "findings": []}')
    for command_ in (["report", WRITABLE], ["demo"]):
        said = refused_here(*command_, "-o", out)
        assert f"{path} was not written by a report, and would be replaced: " in said
        assert "--force" in said


def test_report_replaces_no_capture_even_by_force(tmp_path: Path) -> None:
    inside = tmp_path / "calls.parquet" / "a.pcap"
    inside.parent.mkdir()
    (tmp_path / "link").symlink_to(inside)
    for place in (inside, tmp_path / "index.html", tmp_path / "link"):
        if not place.exists():
            shutil.copy(WRITABLE, place)
        said = refused_here("report", place, "-o", tmp_path, "--force")
        assert "would replace its own input" in said
