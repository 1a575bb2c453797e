"""Index file of a capture: its ranges with decoder states, computed once.

The file is Arrow IPC with one record batch per range; the schema's metadata identifies the inputs.
An index next to its capture is trusted only if no other user can have written it: it must be a
regular file of this user, of root or of the capture's owner, and not writable by its group or
others. For a directory named by the caller, the caller is responsible for write permissions. Each
range has a digest; a planned read passes the digests to its tasks, so that a task detects an index
that was replaced in between.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import stat
from typing import TYPE_CHECKING, Any

import orjson
import pyarrow as pa

from jvmwire import __version__
from jvmwire._files import open_regular, remove_unfinished, replace_file
from jvmwire.capture._ranges import CaptureRange, RangeEnd
from jvmwire.capture._splitting import split_capture
from jvmwire.errors import DecodeError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

SUFFIX = ".jvmwire-index"

_FIELDS: list[pa.Field[Any]] = [
    pa.field("file", pa.int64(), nullable=False),
    pa.field("start", pa.int64(), nullable=False),
    pa.field("stop", pa.int64(), nullable=False),
    pa.field("end", pa.string(), nullable=False),
    pa.field("state", pa.binary()),
    pa.field("checksum", pa.binary(32), nullable=False),
]
_SCHEMA = pa.schema(_FIELDS)
_WITHOUT_STATES = pa.ipc.IpcReadOptions(
    included_fields=[at for at, field in enumerate(_FIELDS) if field.name != "state"]
)
_KEY = b"made of"


def index_capture(
    paths: Sequence[Path], *, size: int, protocol: str | None, directory: Path | None
) -> Path:
    """Return the index file of a capture, created unless an up-to-date one exists.

    Its read permissions are at most those of the capture.

    Args:
        paths: The files of the capture, in order.
        size: Bytes per range.
        protocol: The protocol of all connections, or None to detect it.
        directory: Directory of the index; None stores it next to the capture's first file.

    Returns:
        The path of the index file.

    Raises:
        OSError: the index cannot be written.
    """
    made_of = _source_key(paths, size, protocol)
    index = _index_path(paths, made_of, directory)
    beside = paths[0] if directory is None else None
    if not _is_current(index, made_of, beside):
        _write(index, paths, size=size, protocol=protocol, made_of=made_of)
    return index


def count_ranges(index: Path) -> int:
    """Return the number of ranges of an index; raises as `read_digests` does."""
    return len(read_digests(index, beside=None))


def read_digests(index: Path, *, beside: Path | None) -> list[bytes]:
    """Return the digest of each range of an index, in order.

    Args:
        index: The file, from `index_capture`.
        beside: The capture's first file, if the index was found there and not named by the caller.

    Returns:
        The SHA-256 digests, 32 bytes each.

    Raises:
        DecodeError: the index is damaged, or not trusted.
        OSError: the index cannot be opened.
    """
    with _opened(index, options=_WITHOUT_STATES, beside=beside) as file:
        return _digests(file)


def _digests(file: pa.RecordBatchFileReader) -> list[bytes]:
    """Return the digests of all ranges, which must cover the capture from begin to end in order.

    Raises `ValueError` if a range is missing; the digests are verified when the ranges are read.
    """
    digests: list[bytes] = []
    place, end = (0, 0), RangeEnd.FILE
    for number in range(file.num_record_batches):
        batch = file.get_batch(number)
        # Otherwise offsets outside of the buffers would be accepted.
        batch.validate(full=True)
        [row] = batch.to_pylist()
        if (row["file"], row["start"]) != place or end is RangeEnd.CAPTURE:
            raise ValueError(f"range {max(0, number - 1)} is not in its place")
        end = RangeEnd(row["end"])
        place = (row["file"], row["stop"]) if end is RangeEnd.CUT else (row["file"] + 1, 0)
        digests.append(row["checksum"])
    if end is not RangeEnd.CAPTURE:
        raise ValueError("its last range is missing")
    return digests


def read_index(
    index: Path, number: int, paths: Sequence[Path], *, digest: bytes | None = None
) -> CaptureRange:
    """Return one range of the capture in `paths`.

    Args:
        index: The file, from `index_capture`.
        number: The number of the range, from 0.
        paths: The files of the capture, in order.
        digest: The expected digest from `read_digests`, which detects a replaced index.

    Raises:
        DecodeError: the index is damaged, or the range has another digest.
        OSError: the index cannot be opened.
    """
    with _opened(index) as file:
        batch = file.get_batch(number)
        # Otherwise offsets outside of the buffers would be accepted.
        batch.validate(full=True)
        [row] = batch.to_pylist()
        if row["checksum"] != _checksum(row):
            raise ValueError(f"range {number} is not what was written")
        if digest is not None and row["checksum"] != digest:
            raise ValueError(f"range {number} was replaced since the read was planned")
        path = paths[row["file"]]
        return CaptureRange(path, row["start"], row["stop"], RangeEnd(row["end"]), row["state"])


@contextlib.contextmanager
def _opened(
    index: Path, *, options: pa.ipc.IpcReadOptions | None = None, beside: Path | None = None
) -> Iterator[pa.RecordBatchFileReader]:
    with open_regular(index) as file:
        if beside is not None and not _is_trusted(os.fstat(file.fileno()), beside.stat()):
            raise DecodeError(
                f"the index {index} is not trusted: it must belong to this user, to root or to "
                "the capture's owner, and neither group nor others may write to it"
            )
        try:
            yield pa.ipc.open_file(file, options=options)
        except Exception as error:  # Arrow raises exceptions of many classes for damaged files
            if isinstance(error, OSError) and error.errno is not None:
                raise  # the system's own error
            message = f"the index {index} is damaged: {error}; once it is removed, it is made anew"
            raise DecodeError(message) from error


def _source_key(paths: Sequence[Path], size: int, protocol: str | None) -> bytes:
    files = []
    for path in paths:
        name = os.fsencode(path).decode("latin-1")  # the name need not be UTF-8
        try:
            stat = path.stat()
            files.append([name, stat.st_size, stat.st_mtime_ns])
        except OSError:
            files.append([name, None, None])
    return orjson.dumps([__version__, size, protocol, files])


def _checksum(row: dict[str, Any]) -> bytes:
    """Return the digest of a range's numbers and state: Arrow files have no checksums."""
    numbers = [row["file"], row["start"], row["stop"], row["end"], row["state"] is not None]
    return hashlib.sha256(orjson.dumps(numbers) + b"\n" + (row["state"] or b"")).digest()


def _index_path(paths: Sequence[Path], made_of: bytes, directory: Path | None) -> Path:
    if directory is None:
        return paths[0].with_name(f".{paths[0].name}{SUFFIX}")
    directory.mkdir(parents=True, exist_ok=True)
    # Captures of the same name may come from several directories.
    return directory / f"{paths[0].name}.{hashlib.sha256(made_of).hexdigest()[:16]}{SUFFIX}"


def _is_current(index: Path, made_of: bytes, beside: Path | None) -> bool:
    """Return whether an index exists, is trusted and was made from the same inputs.

    Args:
        index: The file.
        made_of: The expected description of the inputs.
        beside: The capture, if the index was found next to it and not named by the caller.
    """
    try:
        with _opened(index, beside=beside) as file:
            schema = file.schema
        is_of = schema.equals(_SCHEMA.with_metadata({_KEY: made_of}), check_metadata=True)
        return is_of and bool(read_digests(index, beside=beside))
    except (OSError, DecodeError):
        return False


def _is_trusted(index: os.stat_result, capture: os.stat_result) -> bool:
    owners = {os.geteuid(), 0, capture.st_uid}
    return index.st_uid in owners and not index.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


def _write(
    index: Path, paths: Sequence[Path], *, size: int, protocol: str | None, made_of: bytes
) -> None:
    numbers = {path: number for number, path in enumerate(paths)}
    schema = _SCHEMA.with_metadata({_KEY: made_of})
    remove_unfinished(index)
    # A concurrent reader sees the whole index or none.
    with (
        replace_file(index, mode=0o600) as file,
        pa.ipc.new_file(file, schema) as writer,
    ):
        with contextlib.suppress(OSError):
            # Readable only for readers of the capture, and writable only for the owner.
            os.fchmod(file.fileno(), paths[0].stat().st_mode & 0o444 | 0o600)
        for part in split_capture(paths, size=size, protocol=protocol):
            row: dict[str, Any] = {
                "file": numbers[part.path],
                "start": part.start,
                "stop": part.stop,
                "end": part.end.value,
                "state": part.state,
            }
            row["checksum"] = _checksum(row)
            writer.write_batch(pa.RecordBatch.from_pylist([row], schema))
