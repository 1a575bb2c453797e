"""An index of a capture: its ranges, kept in a file, so that they are found once.

The file is Arrow IPC, a record batch a range; what it was made of stands in the schema's metadata.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
import zlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson
import pyarrow as pa

from jvmwire import __version__
from jvmwire.capture.cutting import cut_capture
from jvmwire.capture.ranges import CaptureRange, End
from jvmwire.errors import DecodeError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

SUFFIX = ".jvmwire-index"

_FIELDS: list[pa.Field[Any]] = [
    pa.field("file", pa.int64(), nullable=False),
    pa.field("start", pa.int64(), nullable=False),
    pa.field("stop", pa.int64(), nullable=False),
    pa.field("end", pa.string(), nullable=False),
    pa.field("state", pa.binary()),
    pa.field("checksum", pa.int64(), nullable=False),
]
_SCHEMA = pa.schema(_FIELDS)
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
    if not _is_of(index, made_of):
        _write(index, paths, size=size, protocol=protocol, made_of=made_of)
    return index


def count_ranges(index: Path) -> int:
    """Return how many ranges an index has."""
    with _opened(index) as file:
        return int(file.num_record_batches)


def read_index(index: Path, number: int, paths: Sequence[Path]) -> CaptureRange:
    """Return one range of the capture in `paths`.

    Raises:
        DecodeError: the index is damaged.
    """
    with _opened(index) as file:
        batch = file.get_batch(number)
        # Else offsets that lead out of their memory are believed.
        batch.validate(full=True)
        [row] = batch.to_pylist()
        if row["checksum"] != _checksum(row):
            raise ValueError(f"range {number} is not what was written")
        path = paths[row["file"]]
        return CaptureRange(path, row["start"], row["stop"], End(row["end"]), row["state"])


@contextlib.contextmanager
def _opened(index: Path) -> Iterator[pa.RecordBatchFileReader]:
    try:
        with pa.OSFile(str(index), "r") as file:
            yield pa.ipc.open_file(file)
    except Exception as error:  # what Arrow makes of damage is of many kinds
        if isinstance(error, OSError) and error.errno is not None:
            raise  # the system's own
        message = f"the index {index} is damaged: {error}; once it is removed, it is made anew"
        raise DecodeError(message) from error


def _made_of(paths: Sequence[Path], size: int, protocol: str | None) -> bytes:
    files = []
    for path in paths:
        try:
            stat = path.stat()
            files.append([str(path), stat.st_size, stat.st_mtime_ns])
        except OSError:
            files.append([str(path), None, None])
    return orjson.dumps([__version__, size, protocol, files])


def _checksum(row: dict[str, Any]) -> int:
    """Return what a range's numbers and state add up to: Arrow keeps no checksum of them."""
    numbers = [row["file"], row["start"], row["stop"], row["end"]]
    return zlib.crc32(row["state"] or b"", zlib.crc32(orjson.dumps(numbers)))


def _place(paths: Sequence[Path], made_of: bytes, directory: Path | None) -> Path:
    if directory is None:
        return paths[0].with_name(f".{paths[0].name}{SUFFIX}")
    directory.mkdir(parents=True, exist_ok=True)
    # Captures of one name may come from many directories.
    return directory / f"{paths[0].name}.{hashlib.sha256(made_of).hexdigest()[:16]}{SUFFIX}"


def _is_of(index: Path, made_of: bytes) -> bool:
    try:
        with pa.OSFile(str(index), "r") as file:
            schema = pa.ipc.open_file(file).schema
    except (OSError, pa.ArrowInvalid):
        return False
    return schema.equals(_SCHEMA.with_metadata({_KEY: made_of}), check_metadata=True)


def _write(
    index: Path, paths: Sequence[Path], *, size: int, protocol: str | None, made_of: bytes
) -> None:
    numbers = {path: number for number, path in enumerate(paths)}
    # Whoever reads at the same time sees the whole index or none.
    handle, name = tempfile.mkstemp(dir=index.parent, prefix=".", suffix=SUFFIX)
    unfinished = Path(name)
    try:
        schema = _SCHEMA.with_metadata({_KEY: made_of})
        with os.fdopen(handle, "wb") as file, pa.ipc.new_file(file, schema) as writer:
            for part in cut_capture(paths, size=size, protocol=protocol):
                row = {
                    "file": numbers[part.path],
                    "start": part.start,
                    "stop": part.stop,
                    "end": part.end.value,
                    "state": part.state,
                }
                row["checksum"] = _checksum(row)
                writer.write_batch(pa.RecordBatch.from_pylist([row], schema))
        with contextlib.suppress(OSError):
            unfinished.chmod(paths[0].stat().st_mode & 0o666)
        os.replace(unfinished, index)  # noqa: PTH105 - atomic
    finally:
        unfinished.unlink(missing_ok=True)
