"""JVM programs: built, found, started, awaited, asked, ended.

A peer prints `READY <words>`, answers each line on stdin with one on stdout, and ends with its
stdin (tests/peers/*/Peer.java). A program just runs. All that either says is in its log file.
"""

import os
import queue
import shutil
import socket
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Self

PEERS = Path(__file__).parents[1] / "peers"

READY_TIMEOUT = 90.0
ASK_TIMEOUT = 30.0
# A NameNode that ends in order takes about two seconds.
END_TIMEOUT = 20.0
BUILD_TIMEOUT = 900.0
TAIL_LINES = 40
INSTALL = "install a JDK of version 17 or later, and Maven (Debian: openjdk-17-jdk-headless, maven)"


class PeerError(RuntimeError):
    """A peer that cannot be built, does not start, answer or end as it should."""


def free_port() -> int:
    """Return a TCP port of 127.0.0.1 that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def build(module: str) -> None:
    """Run Maven for `tests/peers`, unless `module` was built since its sources changed."""
    stamp = PEERS / module / "target" / "built"
    if stamp.exists():
        sources = [PEERS / "pom.xml", PEERS / module / "pom.xml"]
        sources += (path for path in (PEERS / module / "src").rglob("*") if path.is_file())
        if all(source.stat().st_mtime <= stamp.stat().st_mtime for source in sources):
            return
    maven = _found("mvn")
    command = [maven, "-q", "-B", "-f", str(PEERS / "pom.xml"), "package", "-pl", module]
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=BUILD_TIMEOUT, check=False
    )
    if done.returncode:
        raise PeerError(f"{' '.join(command)} failed:\n{done.stdout}{done.stderr}")
    stamp.touch()


@dataclass(frozen=True, kw_only=True)
class Program:
    """A Java class of a module of `tests/peers`, and how to run it."""

    module: str
    main: str
    arguments: Sequence[str] = ()
    # Where it works, keeps its temporary files and its log; made if missing.
    directory: Path
    environment: Mapping[str, str] = field(default_factory=dict)
    properties: Mapping[str, str] = field(default_factory=dict)
    heap: str = "512m"
    # What the command is put behind, and the descriptors that this needs.
    launcher: Sequence[str] = ()
    inherited: Sequence[int] = ()

    @property
    def name(self) -> str:
        """Its class without the package."""
        return self.main.rpartition(".")[2]

    @property
    def log(self) -> Path:
        """The file that all it says goes to."""
        return self.directory / f"{self.name}.log"

    def tail(self) -> str:
        """Return the last lines of the log."""
        lines = self.log.read_text("utf-8", "replace").splitlines() if self.log.exists() else []
        return "\n".join(lines[-TAIL_LINES:])

    def error(self, what: str) -> PeerError:
        """Return the error that says what went wrong and where to read more."""
        return PeerError(f"{self.name} {what}; its log {self.log} ends:\n{self.tail()}")

    def start(self) -> subprocess.Popen[str]:
        """Start it with pipes for stdin and stdout; stderr goes to the log."""
        build(self.module)
        temporary = self.directory / "tmp"
        temporary.mkdir(parents=True, exist_ok=True)
        properties = {
            "java.io.tmpdir": str(temporary),
            "jdk.net.hosts.file": str(self._hosts()),
            "user.timezone": "UTC",
            # The first for JDK 17, the last for 19 and later.
            "file.encoding": "UTF-8",
            "sun.stdout.encoding": "UTF-8",
            "stdout.encoding": "UTF-8",
        } | dict(self.properties)
        target = PEERS / self.module / "target"
        command = [
            *self.launcher,
            _java(),
            f"-Xmx{self.heap}",
            *(f"-D{name}={value}" for name, value in properties.items()),
            "-cp",
            f"{target / 'classes'}:{target / 'lib'}/*",
            self.main,
            *self.arguments,
        ]
        with self.log.open("ab") as log:
            return subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                encoding="utf-8",
                cwd=self.directory,
                env=os.environ | self.environment,
                pass_fds=self.inherited,
            )

    def run(self, timeout: float) -> str:
        """Run it to its end and return what it printed."""
        with self.start() as process:
            try:
                output, _ = process.communicate(timeout=timeout)
            except subprocess.TimeoutExpired:
                process.kill()
                raise self.error(f"did not end in {timeout:g} s") from None
        with self.log.open("a", encoding="utf-8") as log:
            log.write(output)
        if process.returncode:
            raise self.error(f"ended with status {process.returncode}")
        return output

    def _hosts(self) -> Path:
        # This host under any name is 127.0.0.1: block pool names and reports carry that address.
        path = self.directory / "hosts"
        path.write_text(f"127.0.0.1 localhost {socket.gethostname()}\n")
        return path


class Peer:
    """A program that serves until it is closed; a context manager."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.ready: list[str] = []
        self._lines: queue.Queue[str | None] = queue.Queue()

    def __enter__(self) -> Self:
        self._process = self.program.start()
        self._drain = threading.Thread(target=self._read, name=f"{self.program.name} stdout")
        self._drain.start()
        try:
            self.ready = self._answer("READY ", READY_TIMEOUT).split()[1:]
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    @property
    def pid(self) -> int:
        """The process."""
        return self._process.pid

    @property
    def port(self) -> int:
        """The port that it serves."""
        return int(self.ready[0])

    @property
    def facts(self) -> dict[str, str]:
        """The `key=value` words of its READY line."""
        return dict(word.split("=", 1) for word in self.ready if "=" in word)

    def ask(self, command: str, *, start: str = "", timeout: float = ASK_TIMEOUT) -> str:
        """Have it answer a line of its stdin with a line that begins with `start`."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(f"{command}\n")
            self._process.stdin.flush()
        except OSError as error:
            raise self.program.error(f"does not take {command!r}") from error
        return self._answer(start, timeout)

    def close(self) -> None:
        """End it by the end of its stdin, or else by its pid; may be called twice."""
        assert self._process.stdin is not None
        with suppress(BrokenPipeError):  # it may have ended before us
            self._process.stdin.close()
        for harder in (self._process.terminate, self._process.kill):
            try:
                self._process.wait(END_TIMEOUT)
                break
            except subprocess.TimeoutExpired:
                harder()
        self._process.wait()
        self._drain.join()

    def _answer(self, start: str, timeout: float) -> str:
        # Libraries print too: what does not start as expected is theirs.
        deadline = time.monotonic() + timeout
        while True:
            try:
                line = self._lines.get(timeout=max(0.0, deadline - time.monotonic()))
            except queue.Empty:
                raise self.program.error(f"gave no {start}answer in {timeout:g} s") from None
            if line is None:
                raise self.program.error(f"ended with status {self._process.wait()}")
            if line.startswith(start):
                return line

    def _read(self) -> None:
        assert self._process.stdout is not None
        with self._process.stdout as stdout, self.program.log.open("a", encoding="utf-8") as log:
            for line in stdout:
                log.write(line)
                log.flush()
                self._lines.put(line.rstrip("\n"))
        self._lines.put(None)


def _java() -> str:
    home = os.environ.get("JAVA_HOME")
    if home and (java := Path(home) / "bin" / "java").exists():
        return str(java)
    return _found("java")


def _found(command: str) -> str:
    path = shutil.which(command)
    if path is None:
        raise PeerError(f"no {command} on the PATH: {INSTALL}")
    return path
