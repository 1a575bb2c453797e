"""Description of a report's input: the captures, and their content other than calls."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from jvmwire._escaping import path_text
from jvmwire.capture._aggregates import CLOCK_END, SECOND, Aspect
from jvmwire.report._options import DEFAULT, ReportOptions
from jvmwire.report._traffic import aspect, count, totals

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    import pyarrow as pa

    from jvmwire.report._traffic import Total, Traffic

_TUNNEL = re.compile(r"packets inside \w+")
"""The first words of the reason why packets in a tunnel are not decoded."""


@dataclass(frozen=True, slots=True)
class Capture:
    """One capture file.

    Args:
        name: The name of the file, without its directory.
        size: The size in bytes; 0 if the file cannot be read.
    """

    name: str
    size: int


@dataclass(frozen=True, slots=True)
class ReportSource:
    """The description of the input on the page.

    Args:
        captures: The capture files.
        streams: Number of connections.
        messages: Number of messages.
        undecoded: Rows that report undecoded data, by reason.
        protocols: Names of the protocols of the connections, most connections first.
        duration: Seconds from the first message to the last; None if no capture has a clock.
        first: Time of the first complete message in microseconds, or None.
        last: Time of the last complete message in microseconds, or None.
        undecoded_size: Number of bytes that the undecoded rows represent.
        tunnels: Bytes of packets in tunnels that are not decoded, by the reason's first words, such
            as "packets inside IPsec".
        counted_together: Number of calls whose client, user, method or error class is counted with
            others.
        where: The condition that the counted calls meet; None if all calls are counted.
        since: Time in microseconds before which calls are left out, or None.
        until: Time in microseconds from which on calls are left out, or None.
    """

    captures: tuple[Capture, ...] = ()
    streams: int = 0
    messages: int = 0
    undecoded: Mapping[str, int] = field(default_factory=dict)
    protocols: tuple[str, ...] = ()
    duration: float | None = None
    first: int | None = None
    """Time of the first complete message in microseconds; None if no capture has a clock."""
    last: int | None = None
    """Time of the last complete message in microseconds; None if no capture has a clock."""
    undecoded_size: int = 0
    tunnels: Mapping[str, int] = field(default_factory=dict)
    counted_together: int = 0
    where: str | None = None
    since: int | None = None
    """Time in microseconds before which calls are left out; None if none are."""
    until: int | None = None
    """Time in microseconds from which on calls are left out; None if none are."""

    @classmethod
    def from_traffic(
        cls, traffic: Traffic, captures: Sequence[Path], options: ReportOptions = DEFAULT
    ) -> ReportSource:
        """Return the description from the other aspects of `traffic`, and the sizes of `captures`.

        Args:
            traffic: The merged traffic.
            captures: The files of the captures.
            options: The condition on the calls of `traffic`, and its period. Default: all calls.

        Returns:
            The description.
        """
        undecoded = totals(aspect(traffic.others, Aspect.UNDECODED), "error_class")
        streams = aspect(traffic.others, Aspect.STREAMS)
        first, last = options.clip(_ends(aspect(traffic.others, Aspect.SPAN)))
        return cls(
            captures=tuple(Capture(path_text(path.name), _size(path)) for path in captures),
            streams=count(streams),
            messages=count(aspect(traffic.others, Aspect.MESSAGES)),
            undecoded={total.key[0] or "for no known reason": total.calls for total in undecoded},
            undecoded_size=sum(total.request_bytes for total in undecoded),
            tunnels=_tunnels(undecoded),
            protocols=tuple(t.key[0] for t in totals(streams, "protocol") if t.key[0]),
            duration=None if first is None or last is None else (last - first) / SECOND,
            first=first,
            last=last,
            counted_together=traffic.counted_together,
            where=options.where,
            since=options.since_us,
            until=options.until_us,
        )

    @property
    def size(self) -> int:
        """Total bytes of all captures."""
        return sum(capture.size for capture in self.captures)

    @property
    def is_filtered(self) -> bool:
        """Whether calls are left out that are in the captures."""
        return (self.where, self.since, self.until) != (None, None, None)

    @property
    def reasons(self) -> list[tuple[str, int]]:
        """Reasons of undecoded data with their numbers of rows, the most frequent first."""
        return sorted(self.undecoded.items(), key=lambda reason: (-reason[1], reason[0]))

    @property
    def undecoded_rows(self) -> int:
        """Number of rows that report undecoded data."""
        return sum(self.undecoded.values())


def _tunnels(undecoded: Sequence[Total]) -> dict[str, int]:
    found = {}
    for total in undecoded:
        match = _TUNNEL.match(total.key[0] or "")
        if match:
            found[match[0]] = total.request_bytes
    return found


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0  # a row of `undecoded` has the reason


def _ends(spans: pa.Table) -> tuple[int | None, int | None]:
    ends: list[tuple[int, int]] = [
        (start, start + width)
        for start, width in zip(
            spans["bucket"].to_pylist(), spans["width"].to_pylist(), strict=True
        )
        if start is not None and width is not None and 0 <= start <= start + width < CLOCK_END
    ]
    if not ends:
        return None, None
    return min(start for start, _ in ends), max(end for _, end in ends)
