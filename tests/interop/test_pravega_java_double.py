"""Java's client writes to the double of Pravega and reads from it."""

from pathlib import Path

from jvmwire.pravega.streams import ScalingPolicy, StreamClient, StreamConfiguration
from jvmwire.pravega.testing import PravegaDouble
from jvmwire.transports import Tcp
from kit.jvm import Program
from kit.peer import Peer
from kit.pravega import QUIET

STREAM = "java/events"
TIMEOUT = 60.0


def test_java_awaits_its_events_and_reads_those_of_both(tmp_path: Path) -> None:
    with PravegaDouble(controller=True) as double:
        program = Program(
            module="pravega",
            main="jvmwire.peers.pravega.Rival",
            arguments=[str(double.controller_port)],
            directory=tmp_path,
            properties=QUIET,
            heap="256m",
        )
        with (
            StreamClient(Tcp("127.0.0.1", double.controller_port)) as client,
            Peer(program) as java,
        ):
            client.create_scope("java")
            scaling = ScalingPolicy(min_segments=2)
            client.create_stream(STREAM, StreamConfiguration(scaling))
            java.ask(f"await {STREAM} 10 20", start="prepared", timeout=TIMEOUT)
            java.ask("run", start="ran", timeout=TIMEOUT)
            written = sum(len(batch.events) for batch in client.read_events(STREAM))
            assert written >= 40
            [segment, *_] = client.segments(STREAM)
            middle = (segment.low + segment.high) / 2
            halves = [(segment.low, middle), (middle, segment.high)]
            client.scale(STREAM, [segment.segment_id], halves)
            with client.writer(STREAM) as writer:
                writer.append_all([b"ours"] * 50, [str(number) for number in range(50)])
            java.ask(f"read {STREAM} 1", start="prepared", timeout=TIMEOUT)
            told = java.ask("run", start="ran", timeout=TIMEOUT)
            assert int(told.split()[-1]) == written + 50
