"""An index of a capture: its ranges, kept in a file, so that they are found once.

The file is Arrow IPC with one record batch per range; what it was made of stands in the schema's
metadata. An index that lies beside its capture is believed only if nobody else can have written
it: it is a regular file of this user, of root or of the capture's owner, and neither its group nor
others may write to it. In a directory that the caller names, the caller vouches for who may write.
Each range has a digest; whoever planned a read hands the digests on, so that a task notices an
index that was replaced in between.
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
from jvmwire.capture.cutting import cut_capture
from jvmwire.capture.ranges import CaptureRange, End
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
    """Return the file with the index of a capture, made anew unless it is there and still right.

    `directory` is where it is kept; by default beside the capture's first file. Whoever may not
    read the capture may not read it either. Raises `OSError` where it cannot be written.
    """
    made_of = _made_of(paths, size, protocol)
    index = _place(paths, made_of, directory)
    beside = paths[0] if directory is None else None
    if not _is_of(index, made_of, beside):
        _write(index, paths, size=size, protocol=protocol, made_of=made_of)
    return index


def count_ranges(index: Path) -> int:
    """Return how many ranges an index has; raises as `read_digests` does."""
    return len(read_digests(index, beside=None))


def read_digests(index: Path, *, beside: Path | None) -> list[bytes]:
    """Return the digest of each range of an index, in order.

    Args:
        index: The file, from `index_capture`.
        beside: The capture's first file, if the index was found there and not named by the caller.

    Raises:
        DecodeError: the index is damaged, or cannot be believed.
        OSError: it cannot be opened.
    """
    with _opened(index, options=_WITHOUT_STATES, beside=beside) as file:
        return _digests(file)


def _digests(file: pa.RecordBatchFileReader) -> list[bytes]:
    """Return the digests of ranges that begin with a capture, follow one another, and end with it.

    Raises `ValueError` if one is missing; what a digest is of is compared where its range is read.
    """
    digests: list[bytes] = []
    place, end = (0, 0), End.FILE
    for number in range(file.num_record_batches):
        batch = file.get_batch(number)
        # Else offsets that lead out of their memory are believed.
        batch.validate(full=True)
        [row] = batch.to_pylist()
        if (row["file"], row["start"]) != place or end is End.CAPTURE:
            raise ValueError(f"range {max(0, number - 1)} is not in its place")
        end = End(row["end"])
        place = (row["file"], row["stop"]) if end is End.CUT else (row["file"] + 1, 0)
        digests.append(row["checksum"])
    if end is not End.CAPTURE:
        raise ValueError("its last range is missing")
    return digests


def read_index(
    index: Path, number: int, paths: Sequence[Path], *, digest: bytes | None = None
) -> CaptureRange:
    """Return one range of the capture in `paths`.

    With `digest`, one of `read_digests`, it is that range and not one of an index that took the
    place of the first in between.

    Raises:
        DecodeError: the index is damaged, or another one than that which the digest is of.
        OSError: it cannot be opened.
    """
    with _opened(index) as file:
        batch = file.get_batch(number)
        # Else offsets that lead out of their memory are believed.
        batch.validate(full=True)
        [row] = batch.to_pylist()
        if row["checksum"] != _checksum(row):
            raise ValueError(f"range {number} is not what was written")
        if digest is not None and row["checksum"] != digest:
            raise ValueError(f"range {number} was replaced since the read was planned")
        path = paths[row["file"]]
        return CaptureRange(path, row["start"], row["stop"], End(row["end"]), row["state"])


@contextlib.contextmanager
def _opened(
    index: Path, *, options: pa.ipc.IpcReadOptions | None = None, beside: Path | None = None
) -> Iterator[pa.RecordBatchFileReader]:
    with open_regular(index) as file:
        if beside is not None and not _is_trusted(os.fstat(file.fileno()), beside.stat()):
            raise DecodeError(
                f"the index {index} is not believed: it must belong to this user, to root or to "
                "the capture's owner, and neither group nor others may write to it"
            )
        try:
            yield pa.ipc.open_file(file, options=options)
        except Exception as error:  # what Arrow makes of damage is of many kinds
            if isinstance(error, OSError) and error.errno is not None:
                raise  # the system's own
            message = f"the index {index} is damaged: {error}; once it is removed, it is made anew"
            raise DecodeError(message) from error


def _made_of(paths: Sequence[Path], size: int, protocol: str | None) -> bytes:
    files = []
    for path in paths:
        name = os.fsencode(path).decode("latin-1")  # it need not be UTF-8
        try:
            stat = path.stat()
            files.append([name, stat.st_size, stat.st_mtime_ns])
        except OSError:
            files.append([name, None, None])
    return orjson.dumps([__version__, size, protocol, files])


def _checksum(row: dict[str, Any]) -> bytes:
    """Return the digest of a range's numbers and state: Arrow keeps no checksum of them."""
    numbers = [row["file"], row["start"], row["stop"], row["end"], row["state"] is not None]
    return hashlib.sha256(orjson.dumps(numbers) + b"\n" + (row["state"] or b"")).digest()


def _place(paths: Sequence[Path], made_of: bytes, directory: Path | None) -> Path:
    if directory is None:
        return paths[0].with_name(f".{paths[0].name}{SUFFIX}")
    directory.mkdir(parents=True, exist_ok=True)
    # Captures of one name may come from many directories.
    return directory / f"{paths[0].name}.{hashlib.sha256(made_of).hexdigest()[:16]}{SUFFIX}"


def _is_of(index: Path, made_of: bytes, beside: Path | None) -> bool:
    """Return whether an index is there, may be believed and was made of this.

    Args:
        index: The file.
        made_of: What it must have been made of.
        beside: The capture, if the index was found and not named by the caller.
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
    # Whoever reads at the same time sees the whole index or none.
    with (
        replace_file(index, mode=0o600) as file,
        pa.ipc.new_file(file, schema) as writer,
    ):
        with contextlib.suppress(OSError):
            # Who may not read the capture may not read it either; nobody else may write to it.
            os.fchmod(file.fileno(), paths[0].stat().st_mode & 0o444 | 0o600)
        for part in cut_capture(paths, size=size, protocol=protocol):
            row: dict[str, Any] = {
                "file": numbers[part.path],
                "start": part.start,
                "stop": part.stop,
                "end": part.end.value,
                "state": part.state,
            }
            row["checksum"] = _checksum(row)
            writer.write_batch(pa.RecordBatch.from_pylist([row], schema))
