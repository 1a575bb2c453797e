"""Second client of a NameNode: hdfs-native, with its operations logged.

    python -m kit.native_client URL LOG

writes one JSON object per operation to LOG, in the order in which the operations began. The user is
HADOOP_USER_NAME, which must have permission to write to /data.
"""

import json
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

from hdfs_native import AclEntry, Client

HOME = "/data/native"
THREADS = 8
LOOKS_EACH = 25
PAUSE = 0.3


class LoggedClient:
    """Client of hdfs-native that logs each operation, its time and its result."""

    def __init__(self, url: str) -> None:
        self._client = Client(url)
        self._lock = threading.Lock()
        self.entries: list[dict[str, object]] = []

    def call(self, operation: str, path: str, *arguments: object) -> None:
        """Run an operation whose first argument is a path; it must not fail."""
        with self._noted(operation, path):
            result = getattr(self._client, operation)(path, *arguments)
            if isinstance(result, Iterator):
                list(result)

    def refused(self, operation: str, path: str, *arguments: object) -> None:
        """Run an operation that must fail."""
        try:
            self.call(operation, path, *arguments)
        except Exception:
            return
        raise AssertionError(f"{operation} {path} was not refused")

    def write(self, path: str, content: bytes) -> None:
        """Create a file."""
        with self._noted("create", path), self._client.create(path) as file:
            file.write(content)

    def append(self, path: str, content: bytes) -> None:
        """Append to a file, and make the data visible before the file is closed."""
        with self._noted("append", path), self._client.append(path) as file:
            file.write(content)
            file.hsync()

    def read(self, path: str) -> None:
        """Read a file."""
        with self._noted("read", path):
            self._client.read(path).read()

    @contextmanager
    def _noted(self, operation: str, path: str) -> Iterator[None]:
        entry: dict[str, object] = {
            "operation": operation,
            "path": path,
            "started": _now(),
            "ended": None,
            "error": None,
        }
        with self._lock:
            self.entries.append(entry)
        try:
            yield
        except Exception as error:
            entry["error"] = f"{type(error).__name__}: {error}".splitlines()[0]
            raise
        finally:
            entry["ended"] = _now()


def work(client: LoggedClient) -> None:
    """Run about twenty kinds of operation."""
    client.call("mkdirs", HOME, 0o755, True)
    client.write(f"{HOME}/one", b"first" * 100)
    client.append(f"{HOME}/one", b"more")
    client.read(f"{HOME}/one")
    client.write(f"{HOME}/two", b"second")
    client.call("get_file_info", f"{HOME}/one")
    client.call("list_status", HOME)
    client.call("glob_status", f"{HOME}/t*")
    client.call("rename", f"{HOME}/two", f"{HOME}/three")
    client.call("rename", f"{HOME}/three", f"{HOME}/one", True)
    time.sleep(PAUSE)
    client.call("set_permission", f"{HOME}/one", 0o640)
    client.call("set_owner", f"{HOME}/one", None, "engineers")
    client.call("set_times", f"{HOME}/one", 1_500_000_000_000, 1_500_000_001_000)
    client.call("set_replication", f"{HOME}/one", 2)
    client.call("get_content_summary", HOME)
    client.call("recover_lease", f"{HOME}/one")
    time.sleep(PAUSE)
    bob = AclEntry("user", "access", "r-x", "bob")
    client.call("modify_acl_entries", f"{HOME}/one", [bob])
    client.call("get_acl_status", f"{HOME}/one")
    client.call("remove_acl_entries", f"{HOME}/one", [bob])
    client.call("remove_acl", f"{HOME}/one")
    client.call("remove_default_acl", HOME)
    time.sleep(PAUSE)
    client.refused("get_file_info", f"{HOME}/missing")
    client.refused("mkdirs", "/admin/mine", 0o755, True)
    client.refused("rename", f"{HOME}/missing", f"{HOME}/found")
    client.refused("delete", "/data")
    look_together(client)
    client.call("list_status", "/data", True)
    client.call("delete", HOME, True)


def look_together(client: LoggedClient) -> None:
    """Have many calls in flight on one connection."""

    def look() -> None:
        for _ in range(LOOKS_EACH):
            client.call("get_file_info", f"{HOME}/one")

    with ThreadPoolExecutor(THREADS) as pool:
        for running in [pool.submit(look) for _ in range(THREADS)]:
            running.result()


def main() -> None:
    """Run the operations against a NameNode and write the log."""
    url, path = sys.argv[1:]
    client = LoggedClient(url)
    work(client)
    Path(path).write_text("".join(f"{json.dumps(entry)}\n" for entry in client.entries))


def _now() -> int:
    return time.time_ns() // 1000


if __name__ == "__main__":
    main()
