"""Network namespace for a program, with ports of 127.0.0.1 forwarded into it.

The program may listen on every address. Run as a program, inside: `namespace.py FD:PORT... --
COMMAND...` runs the command, and forwards the connections of the listening socket FD, which is of
the network outside, to the port inside.
"""

import ctypes
import fcntl
import os
import signal
import socket
import struct
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

UNSHARE = (("unshare", "--map-root-user", "--net"), ("unshare", "--net"))
"""The first needs user namespaces, the second a superuser."""
SIOCSIFFLAGS = 0x8914
IFF_UP_RUNNING = 0x41
CHUNK = 1 << 16
CLONE_NEWNET = 0x40000000
"""Flag for a network namespace, from linux/sched.h."""


class NamespaceError(RuntimeError):
    """The system does not allow this user to create a network namespace."""


class Doors:
    """Listening sockets of 127.0.0.1, whose ports are forwarded to the same ports inside."""

    def __init__(self, count: int) -> None:
        self.sockets = [socket.create_server(("127.0.0.1", 0), backlog=128) for _ in range(count)]

    @property
    def ports(self) -> list[int]:
        """The ports, outside and inside."""
        return [door.getsockname()[1] for door in self.sockets]

    @property
    def descriptors(self) -> list[int]:
        """File descriptors that the launcher inherits."""
        return [door.fileno() for door in self.sockets]

    def launcher(self) -> list[str]:
        """Return the command prefix that runs a command inside the namespace.

        Raises:
            NamespaceError: the system refuses, and gives the reason.
        """
        pairs = zip(self.descriptors, self.ports, strict=True)
        doors = [f"{fd}:{port}" for fd, port in pairs]
        return [*_unshare(), sys.executable, str(Path(__file__)), *doors, "--"]

    def close(self) -> None:
        """Stop listening in this process; the launcher has the sockets too."""
        for door in self.sockets:
            door.close()


@contextmanager
def inside(pid: int) -> Iterator[None]:
    """Enter a program's network namespace with this thread, its connections and its children.

    Raises:
        NamespaceError: the system refuses; only a superuser may enter the namespace.
    """
    networks = [Path("/proc", process, "ns/net") for process in ("thread-self", str(pid))]
    with networks[0].open("rb") as ours, networks[1].open("rb") as theirs:
        _enter(theirs.fileno())
        try:
            yield
        finally:
            _enter(ours.fileno())


def _enter(namespace: int) -> None:
    if ctypes.CDLL(None, use_errno=True).setns(namespace, CLONE_NEWNET):
        why = os.strerror(ctypes.get_errno())
        raise NamespaceError(f"this thread may not go to another network: {why}")


def _unshare() -> Sequence[str]:
    refusals = []
    for command in UNSHARE:
        tried = subprocess.run([*command, "true"], capture_output=True, text=True, check=False)
        if not tried.returncode:
            return command
        refusals.append(f"{' '.join(command)}: {tried.stderr.strip()}")
    raise NamespaceError(f"this machine refuses a network namespace: {'; '.join(refusals)}")


def set_loopback(*, up: bool) -> None:
    """Let the loopback of the present network carry packets, or lose them silently."""
    flags = IFF_UP_RUNNING if up else 0
    with socket.socket() as any_socket:
        fcntl.ioctl(any_socket, SIOCSIFFLAGS, struct.pack("16sh14x", b"lo", flags))


def _lead(door: socket.socket, port: int) -> None:
    while True:
        outside, _ = door.accept()
        try:
            inside = socket.create_connection(("127.0.0.1", port))
        except OSError:
            outside.close()
            continue
        for source, target in ((outside, inside), (inside, outside)):
            threading.Thread(target=_carry, args=(source, target), daemon=True).start()


def _carry(source: socket.socket, target: socket.socket) -> None:
    with suppress(OSError):
        while data := source.recv(CHUNK):
            target.sendall(data)
    with suppress(OSError):
        target.shutdown(socket.SHUT_WR)


def main(arguments: list[str]) -> int:
    """Run the command, and forward connections to it, until it ends."""
    at = arguments.index("--")
    set_loopback(up=True)
    with subprocess.Popen(arguments[at + 1 :]) as process:
        signal.signal(signal.SIGTERM, lambda *_: process.terminate())
        for told in arguments[:at]:
            fd, port = map(int, told.split(":"))
            door = socket.socket(fileno=fd)
            door.setblocking(True)
            threading.Thread(target=_lead, args=(door, port), daemon=True).start()
        return process.wait()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
