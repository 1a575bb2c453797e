"""NameNode with hostile listings: names that lead elsewhere, trees without an end."""

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from jvmwire._core import HadoopCalls, HadoopRequestDecoder, decode_message, encode_message
from jvmwire.hadoop.rpc._writable import CLASSES

Entry = tuple[str, str]
"""The name of an entry, and its type as `HdfsFileStatusProto.FileType` names it."""
Lists = Callable[[str, bytes], tuple[list[Entry], int]]
"""Function from a directory and a start name to a page of entries and the number that remain."""

DIRECTORY, FILE = "IS_DIR", "IS_FILE"
WAIT_TIMEOUT = 60.0


def status(name: str, kind: str) -> dict[str, object]:
    """Return a `HdfsFileStatusProto`."""
    return {
        "file_type": kind,
        "path": name.encode(),
        "length": 0,
        "permission": {"perm": 0o755},
        "owner": "o",
        "group": "g",
        "modification_time": 1,
        "access_time": 1,
        "children_num": 1,
        "file_id": 77,
    }


@contextmanager
def namenode(lists: Lists) -> Iterator[int]:
    """Serve listings, and report each path as a directory; yield the port."""
    listening = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        while True:
            try:
                conversation, _ = listening.accept()
            except OSError:
                return
            threading.Thread(target=converse, args=(conversation, lists), daemon=True).start()

    thread = threading.Thread(target=serve)
    thread.start()
    try:
        yield listening.getsockname()[1]
    finally:
        listening.shutdown(socket.SHUT_RDWR)
        listening.close()
        thread.join()


def converse(conversation: socket.socket, lists: Lists) -> None:
    """Answer each call of one connection."""
    conversation.settimeout(WAIT_TIMEOUT)
    decoder = HadoopRequestDecoder()
    with conversation, suppress(OSError):
        while data := conversation.recv(1 << 16):
            decoder.feed(data)
            while True:
                calls = decoder.next_calls(CLASSES, 1)
                if calls is not None:
                    conversation.sendall(calls.answer_messages([answer(calls, lists)], 0, 0)[0])
                elif decoder.next_request() is None:
                    break


def answer(calls: HadoopCalls, lists: Lists) -> bytes:
    """Encode the answer to one call."""
    if calls.method != "getListing":
        return encode_message("GetFileInfoResponseProto", {"fs": status("", DIRECTORY)})
    [[request]] = [calls.arguments[0]]
    asked = decode_message("GetListingRequestProto", request)
    entries, remaining = lists(asked["src"], asked["start_after"])
    listing = {
        "partial_listing": [status(*entry) for entry in entries],
        "remaining_entries": remaining,
    }
    return encode_message("GetListingResponseProto", {"dir_list": listing})
