"""Recorder of real peers at work.

    python -m tests.kit.record OUT_DIR [NAME...]

Each NAME is a group of recordings (default: all of them); tests/vectors/*/recordings/README.md
describes their contents.
"""

import gzip
import json
import sys
import tempfile
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict
from pathlib import Path

from jvmwire.transports import Tcp

from .hadoop import (
    LoggedCall,
    MiniDfs,
    SecureDfs,
    WritablePeer,
    hadoop_version,
    run_native_client,
    run_scenario,
    run_secure_client,
    run_writable_client,
)
from .pravega import SegmentStorePeer, pravega_version
from .pravega_scenario import run as run_segment_store_client
from .recording import pcapng_recording, recording


def namenode(work: Path, out: Path) -> None:
    """Record a NameNode, a Java client that logs its calls, and hdfs-native."""
    out /= f"namenode-{hadoop_version()}"
    capture, native_log = work / "pcap", work / "native.jsonl"
    with MiniDfs(work / "namenode") as peer:
        before = counted(peer.metrics()["detailed"])
        with recording(peer.port, capture) as port:
            calls = run_scenario(port, work / "scenario")
            run_native_client(port, native_log)
        after = peer.metrics()
    if before:
        raise RuntimeError(f"there were calls before the recording: {before}")
    write(out, ".pcap.gz", compressed(capture.read_bytes()))
    write(out, ".client-log.jsonl.gz", compressed(lines(map(asdict, calls))))
    write(out, ".hdfs-native-log.jsonl", native_log.read_bytes())
    metrics = {"detailed": counted(after["detailed"]), "activity": after["activity"]}
    write(out, ".metrics.json", document(metrics))


def writable(work: Path, out: Path) -> None:
    """Record the Writable engine: the seed's client, and one that uses all types."""
    out /= f"writable-{hadoop_version()}"
    capture, capture_of_dumpcap = work / "pcap", work / "pcapng"
    answers = {}
    with WritablePeer(work / "server") as peer:
        with recording(peer.port, capture) as port:
            for kind in ("seed", "client"):
                answers[kind] = run_writable_client(kind, port, work / kind)
        with pcapng_recording(peer.port, capture_of_dumpcap) as port:
            run_writable_client("seed", port, work / "seed")
    write(out, ".pcap", capture.read_bytes())
    write(out, ".answers.json", document(answers))
    write(out, ".seed.pcapng", capture_of_dumpcap.read_bytes())


def sasl(work: Path, out: Path) -> None:
    """Record DIGEST-MD5 by a token, and Kerberos, each with all three qualities of protection."""
    out /= f"sasl-{hadoop_version()}"
    capture = work / "pcap"
    clients: list[object] = []
    with SecureDfs(work / "server") as peer, recording(peer.port, capture) as port:
        for how in ("token", "kerberos"):
            for quality in ("authentication", "integrity", "privacy"):
                calls = run_secure_client(peer, port, how, quality, work / how / quality)
                clients.append({"how": how, "quality": quality, "calls": told(calls)})
        told_all = {"realm": peer.realm, "token": peer.token, "clients": clients}
    write(out, ".pcap", capture.read_bytes())
    write(out, ".clients.json", document(told_all))


def segmentstore(work: Path, out: Path) -> None:
    """Record a segment store of Pravega, and a jvmwire client that uses all of it."""
    out /= f"segmentstore-{pravega_version()}"
    capture = work / "pcap"
    with SegmentStorePeer(work / "server") as peer, recording(peer.port, capture) as port:
        run_segment_store_client(Tcp("127.0.0.1", port))
    write(out, ".pcap", capture.read_bytes())


RECORDINGS: dict[str, Callable[[Path, Path], None]] = {
    "namenode": namenode,
    "writable": writable,
    "sasl": sasl,
    "segmentstore": segmentstore,
}


def counted(metrics: Mapping[str, float]) -> dict[str, float]:
    """Return the counters, without averages, which are of the last second."""
    return {
        name: count
        for name, count in metrics.items()
        # Each is counted a second time, as Overall..., with the time that it spent in the queue.
        if name.endswith("NumOps") and count and not name.startswith("Overall")
    }


def told(calls: Iterable[LoggedCall]) -> list[str]:
    """Return the methods called, with the class of the error where there was one."""
    return [call.method if call.error is None else f"{call.method} {call.error}" for call in calls]


def document(value: object) -> bytes:
    """Return an indented JSON document."""
    return f"{json.dumps(value, indent=1, ensure_ascii=False)}\n".encode()


def lines(entries: Iterable[Mapping[str, object]]) -> bytes:
    """Return one line of JSON for each entry."""
    return "".join(f"{json.dumps(entry, separators=(',', ':'))}\n" for entry in entries).encode()


def compressed(content: bytes) -> bytes:
    """Return the gzip of the content: the same bytes for the same content."""
    return gzip.compress(content, 9, mtime=0)


def write(stem: Path, extension: str, content: bytes) -> None:
    """Write a file of a recording."""
    stem.with_name(stem.name + extension).write_bytes(content)


def main() -> None:
    """Make the recordings named on the command line."""
    out = Path(sys.argv[1])
    out.mkdir(parents=True, exist_ok=True)
    for name in sys.argv[2:] or RECORDINGS:
        with tempfile.TemporaryDirectory() as work:
            RECORDINGS[name](Path(work), out)


if __name__ == "__main__":
    main()
