"""Tasks in jvmwire's API that a real Hama and a local job run alike."""

import ctypes
import os
import subprocess
import sys
import time

from jvmwire.hama import BSP, BSPPeer


class Hello(BSP):
    """Every peer greets every peer, twice, and writes the messages that it received."""

    def setup(self, peer: BSPPeer) -> None:
        peer.log(f"set up {peer.peer_name()}\nof {peer.num_peers()}")

    def bsp(self, peer: BSPPeer) -> None:
        for _ in range(2):
            for name in peer.all_peer_names():
                peer.send(name, f"héllo 😀 from {peer.peer_index()}")
            peer.sync()
            assert peer.num_current_messages() == peer.num_peers()
            for message in sorted(peer.messages()):
                peer.write(f"{peer.superstep_count()} {peer.peer_index()}", message)
            assert peer.current_message() is None

    def cleanup(self, peer: BSPPeer) -> None:
        peer.write(f"done {peer.peer_index()}", peer.peer_name(peer.peer_index()))


class Copy(BSP):
    """Reads its input twice, the first time in part, and writes it once."""

    def bsp(self, peer: BSPPeer) -> None:
        peer.sync()
        for _ in range(20):
            peer.read_next()
        peer.reopen_input()
        peer.write_all(peer.read_all())
        assert peer.read_next() is None


class Mixed(BSP):
    """Reads, writes, sends and clears in turns; pipelined requests must not interfere."""

    def setup(self, peer: BSPPeer) -> None:
        self.first = [pair for _ in range(30) if (pair := peer.read_next())]

    def bsp(self, peer: BSPPeer) -> None:
        own = peer.peer_name()
        for number in range(700):
            peer.send(own, f"message {number}")
        peer.sync()
        assert peer.current_message() == "message 0"
        assert peer.num_current_messages() == 699
        peer.clear()
        assert peer.num_current_messages() == 0
        assert peer.current_message() is None
        for key, value in [*self.first, *peer.read_all()]:
            peer.write(key, value)
            if int(key) % 7 == 0:
                assert peer.superstep_count() >= 1

    def cleanup(self, peer: BSPPeer) -> None:
        peer.write("property", peer.configuration["jvmwire.wonder"])


class Noisy(BSP):
    """Prints in every possible way; none of the output may reach the protocol."""

    def bsp(self, peer: BSPPeer) -> None:
        peer.sync()
        print("printed %21%=")  # noqa: T201
        print("to standard error", file=sys.stderr)  # noqa: T201
        os.write(1, b"%20%=\n")
        ctypes.CDLL(None).puts(b"from C")
        ctypes.CDLL(None).fflush(None)
        subprocess.run(["echo", "from a child"], check=True)
        time.sleep(0.2)
        peer.write("still", "alive")


class Raises(BSP):
    """Fails in the middle."""

    def bsp(self, peer: BSPPeer) -> None:
        peer.sync()
        raise ArithmeticError("on purpose")


class Escapes(BSP):
    """Sends itself strings that do not fit on a line unescaped."""

    def bsp(self, peer: BSPPeer) -> None:
        text = "two\nlines\rand \\n\0"
        peer.send(peer.peer_name(), text)
        peer.sync()
        peer.write("same", str(peer.current_message() == text))


LINE_ENDS_ELSEWHERE = "\v\f\x1c\x1d\x1e\x85\u2028\u2029"
"""Characters that end lines for `str.splitlines`, but not in the protocol."""


class Writes(BSP):
    """Writes real line ends, and characters that resemble them."""

    def bsp(self, peer: BSPPeer) -> None:
        peer.write("k", f"a{LINE_ENDS_ELSEWHERE}b")
        for text in ("a\nb", "a\r"):
            try:
                peer.write("k", text)
            except ValueError as error:
                peer.write("refused", str(error).partition(":")[0])


class Refused(BSP):
    """Tries operations that must be refused, and goes on."""

    def bsp(self, peer: BSPPeer) -> None:
        for text in ("a\nb", "a\rb", "%ACK_4%=\n%ACK_4%="):
            try:
                peer.send(peer.peer_name(), text)
            except ValueError as error:
                peer.write("refused", str(error).partition(":")[0])
        try:
            peer.peer_name(99)
        except IndexError as error:
            peer.write("refused", str(error))


class KMeans(BSP):
    """Clusters numbers around two centres, on which all peers agree after each superstep."""

    def bsp(self, peer: BSPPeer) -> None:
        points = [float(line) for _, line in peer.read_all()]
        centres = [0.0, 100.0]
        while True:
            sums = [[0.0, 0], [0.0, 0]]
            for point in points:
                nearest = min((0, 1), key=lambda index: abs(point - centres[index]))
                sums[nearest][0] += point
                sums[nearest][1] += 1
            for name in peer.all_peer_names():
                peer.send(name, " ".join(f"{total} {count}" for total, count in sums))
            peer.sync()
            totals = [0.0] * 4
            for message in peer.messages():
                totals = [a + float(b) for a, b in zip(totals, message.split(), strict=True)]
            moved = [totals[0] / totals[1], totals[2] / totals[3]]
            if moved == centres:
                break
            centres = moved
        if peer.peer_index() == 0:
            for index, centre in enumerate(centres):
                peer.write(str(index), f"{centre:.3f}")


LIKE_COMMANDS = ("a=b", "%4%=", "=", "%ACK_1%=", "%25%=x=y%", " lead and trail ", "%", "")
"""Texts that look like lines of the protocol, which are split at `=`."""


class LikeCommands(BSP):
    """Sends texts that look like commands to itself, and writes what arrives as key and value."""

    def bsp(self, peer: BSPPeer) -> None:
        for text in LIKE_COMMANDS:
            peer.send(peer.peer_name(), text)
        peer.sync()
        for text in peer.messages():
            peer.write(f"<{text}>", text)


class Lengths(BSP):
    """Writes the length of each line of the input, and its last character's code."""

    def bsp(self, peer: BSPPeer) -> None:
        for _, line in peer.read_all():
            peer.write(str(len(line)), str(ord(line[-1])) if line else "")
