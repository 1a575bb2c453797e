"""Finding: who writes small files to HDFS, by the blocks that are added per file."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jvmwire.capture._aggregates import OTHERS_LABEL
from jvmwire.report._findings.finding import (
    KEPT,
    Column,
    Detail,
    Finding,
    Severity,
    Unit,
    clock_of,
)
from jvmwire.report._findings.groups import earliest, latest, most_common, rows
from jvmwire.report._formatting import duration, number, share
from jvmwire.report._labels import sanitize_label
from jvmwire.report._traffic import Status

if TYPE_CHECKING:
    from jvmwire.report._traffic import Traffic

MANY_FILES = 50
"""Files of one user from which they may be many small ones."""

BLOCKS_OF_SMALL = 1.2
"""Blocks per file below which nearly all files have one block or none."""

CREATE, ADD_BLOCK, COMPLETE = (
    f"ClientProtocol.{method}" for method in ("create", "addBlock", "complete")
)


@dataclass(slots=True)
class Writer:
    """The files that a user creates."""

    user: str
    files: int = 0
    blocks: int = 0
    completed: int = 0
    first: int | None = None
    last: int | None = None
    job: str | None = None
    directory: str | None = None

    @property
    def blocks_a_file(self) -> float:
        """Blocks per created file."""
        return self.blocks / max(self.files, 1)


def find_small_files(traffic: Traffic) -> Finding | None:
    """Find the users that create many files of at most one block; None if there are none.

    Sizes are not counted, blocks are: a file of one block is smaller than a block, which is a small
    file for a NameNode if there are many.
    """
    writers = _writers(traffic)
    small = [
        writer
        for writer in writers.values()
        if writer.files >= MANY_FILES and writer.blocks_a_file < BLOCKS_OF_SMALL
    ]
    if not small:
        return None
    small.sort(key=lambda writer: (-writer.files, writer.user))
    worst = small[0]
    return Finding(
        kind="small-files",
        question="Who writes small files?",
        sentence=_sentence(worst, sum(writer.files for writer in writers.values())),
        severity=Severity.NOTICE,
        details=(
            Detail.from_rows(
                "Writers of files of one block or none",
                _COLUMNS,
                (
                    (
                        writer.user,
                        writer.job,
                        writer.directory,
                        writer.files,
                        writer.completed,
                        writer.blocks,
                        writer.first,
                        writer.last,
                    )
                    for writer in small[:KEPT]
                ),
                every=len(small),
                where=f"name = '{CREATE}' and status = 'ok'",
            ),
        ),
        clock=clock_of(traffic),
        data=None,
    )


def _writers(traffic: Traffic) -> dict[str, Writer]:
    writers: dict[str, Writer] = {}
    for row in rows(traffic.calls, "client"):
        user, name, calls = row["user"], row["name"], row["calls"]
        if not user or user == OTHERS_LABEL or row["status"] != Status.OK:
            continue
        if name not in {CREATE, ADD_BLOCK, COMPLETE}:
            continue
        writer = writers.setdefault(user, Writer(user))
        if name == ADD_BLOCK:
            writer.blocks += calls
        elif name == COMPLETE:
            writer.completed += calls
        else:
            writer.files += calls
            writer.first = earliest(writer.first, row["first"])
            writer.last = latest(writer.last, row["last"])
    jobs, directories = _created(traffic)
    for writer in writers.values():
        writer.job = most_common(jobs[writer.user])
        writer.directory = most_common(directories[writer.user])
    return writers


def _created(traffic: Traffic) -> tuple[dict[str, Counter[str]], dict[str, Counter[str]]]:
    """Return the created files of each user by job and by directory."""
    found: list[dict[str, Counter[str]]] = []
    for table, key in ((traffic.contexts, "context"), (traffic.directories, "target")):
        counts: dict[str, Counter[str]] = defaultdict(Counter)
        for row in rows(table, key):
            if row["name"] == CREATE and row["user"] and row[key]:
                counts[row["user"]][row[key]] += row["calls"]
        found.append(counts)
    jobs, directories = found
    return jobs, directories


def _sentence(worst: Writer, files: int) -> str:
    job = f" (job {sanitize_label(worst.job)})" if worst.job else ""
    where = f", mostly in {sanitize_label(worst.directory)}" if worst.directory else ""
    part = "all" if worst.files == files else f"{share(worst.files, files)} of all"
    each = f"{worst.blocks_a_file:.1f}"
    blocks = "with hardly any block" if each == "0.0" else f"with {each} blocks each"
    took = ""
    if worst.first is not None and worst.last is not None and worst.last > worst.first:
        took = f" in {duration(worst.last - worst.first)}"
    return (
        f"{sanitize_label(worst.user)}{job} writes small files: {number(worst.files)} files"
        f"{took} {blocks}, {part} new files{where}."
    )


_COLUMNS = (
    Column("user", "user"),
    Column("job", "mostly in job", is_key=False),
    Column("directory", "mostly in", is_key=False),
    Column("files", "files", Unit.COUNT),
    Column("completed", "completed", Unit.COUNT),
    Column("blocks", "blocks", Unit.COUNT),
    Column("first", "first", Unit.MOMENT),
    Column("last", "last", Unit.MOMENT),
)
