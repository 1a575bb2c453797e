"""Our programs in a real Hama: supersteps, messages and input."""

import pytest

from kit.hama import run_job

pytestmark = pytest.mark.timeout(400)

HELLO = """
import os
from jvmwire.hama import BSP


class Hello(BSP):
    def setup(self, peer):
        # The first task that ends takes the program's file with it.
        peer.sync()
        print("printed by Python")
        os.system("echo printed by a child")

    def bsp(self, peer):
        for step in range(3):
            for name in peer.all_peer_names():
                peer.send(name, f"héllo {step} from {peer.peer_index()}")
            peer.sync()
            assert peer.num_current_messages() == peer.num_peers()
            for message in peer.messages():
                peer.write(peer.peer_index(), message)
        assert peer.superstep_count() >= 3
        assert peer.peer_name(peer.peer_index()) == peer.peer_name()

    def cleanup(self, peer):
        # What was to be sent, and a lone byte for an answer.
        peer.send(peer.peer_name(), "dropped")
        peer.clear()
        peer.write("conf", repr(peer.conf["jvmwire.test.lines"]))
        peer.write("text", peer.conf["jvmwire.test.unicode"])
        peer.write("peers", peer.num_peers())
"""

# In the words of Hama's own Python runtime.
OLD_MEANS = """
from BSP import BSP


class OldMeans(BSP):
    def setup(self, peer):
        self.centers = [0.0, 10.0]

    def bsp(self, peer):
        for _ in range(4):
            sums = [[0.0, 0] for _ in self.centers]
            peer.reopenInput()
            line = peer.readNext()
            while line:
                value = float(line[1])
                near = min(range(len(self.centers)), key=lambda i: abs(self.centers[i] - value))
                sums[near][0] += value
                sums[near][1] += 1
                line = peer.readNext()
            for i, (total, count) in enumerate(sums):
                for other in peer.getAllPeerNames():
                    peer.send(other, "%d,%r,%d" % (i, total, count))
            peer.sync()
            assert int(peer.getNumCurrentMessages()) == 2 * int(peer.getNumPeers())
            totals = [[0.0, 0] for _ in self.centers]
            message = peer.getCurrentMessage()
            while message:
                i, total, count = message.split(",")
                totals[int(i)][0] += float(total)
                totals[int(i)][1] += int(count)
                message = peer.getCurrentMessage()
            self.centers = [total / count for total, count in totals]

    def cleanup(self, peer):
        for i, center in enumerate(self.centers):
            peer.write(i, center)
        peer.log(peer.config.get("bsp.job.name"))
"""


def test_three_peers_send_and_receive_in_supersteps(tmp_path):
    outcome = run_job(tmp_path, "Hello", HELLO, tasks=3)
    assert outcome.succeeded, outcome.log
    expected = [
        (str(to), f"héllo {step} from {sender}")
        for to in range(3)
        for step in range(3)
        for sender in range(3)
    ]
    expected += 3 * [("conf", r"'one\ntwo\nthree'"), ("text", "héllo ✓"), ("peers", "3")]
    assert sorted(outcome.output) == sorted(expected)
    assert "printed by Python" in outcome.log
    assert "printed by a child" in outcome.log


def test_a_program_in_the_old_words_reads_its_input_again_and_again(tmp_path):
    values = [*range(5), *range(100, 105)] * 100
    inputs = tmp_path / "values"
    inputs.write_text("".join(f"{value}\n" for value in values))
    outcome = run_job(tmp_path, "OldMeans", OLD_MEANS, inputs=inputs)
    assert outcome.succeeded, outcome.log
    assert outcome.output == [("0", "2.0"), ("1", "102.0")]
