"""JVM programs: built, found, and run as peers by tests/peers/*/Peer.java."""

import os
import shutil
import socket
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from .peer import Executable, PeerError

PEERS = Path(__file__).parents[1] / "peers"

BUILD_TIMEOUT = 900.0
INSTALL = "install a JDK of version 17 or later, and Maven (Debian: openjdk-17-jdk-headless, maven)"


def free_port() -> int:
    """Return a TCP port of 127.0.0.1 on which no program listens."""
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
class Program(Executable):
    """A Java class of a module of `tests/peers`, and how to run it."""

    module: str
    main: str
    properties: Mapping[str, str] = field(default_factory=dict)
    heap: str = "512m"
    heap_at_once: bool = False
    """Whether the JVM reserves the whole heap at the start, instead of growing it on demand."""

    @property
    def name(self) -> str:
        """Name of the class without the package."""
        return self.main.rpartition(".")[2]

    def command(self) -> list[str]:
        """Build the module if necessary, and return the command line that runs the class."""
        build(self.module)
        temporary = self.directory / "tmp"
        temporary.mkdir(parents=True, exist_ok=True)
        properties = {
            "java.io.tmpdir": str(temporary),
            "jdk.net.hosts.file": str(self._hosts()),
            "user.timezone": "UTC",
            # The first is for JDK 17, the last for 19 and later.
            "file.encoding": "UTF-8",
            "sun.stdout.encoding": "UTF-8",
            "stdout.encoding": "UTF-8",
        } | dict(self.properties)
        target = PEERS / self.module / "target"
        return [
            _java(),
            f"-Xmx{self.heap}",
            *([f"-Xms{self.heap}", "-XX:+AlwaysPreTouch"] if self.heap_at_once else []),
            *(f"-D{name}={value}" for name, value in properties.items()),
            "-cp",
            f"{target / 'classes'}:{target / 'lib'}/*",
            self.main,
            *self.arguments,
        ]

    def _hosts(self) -> Path:
        # This host resolves to 127.0.0.1 under any name: block pool names and reports carry that
        # address.
        path = self.directory / "hosts"
        path.write_text(f"127.0.0.1 localhost {socket.gethostname()}\n")
        return path


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
