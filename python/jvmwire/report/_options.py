"""Options of a report: the calls that it is about, and the form of its page."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final
from zoneinfo import ZoneInfo

from jvmwire._checks import suggestion
from jvmwire._escaping import is_unicode, quote
from jvmwire.capture._views import make_counting_view
from jvmwire.errors import ConfigError
from jvmwire.report._baseline import read_summary
from jvmwire.report._thresholds import DEFAULTS, Thresholds

if TYPE_CHECKING:
    from datetime import tzinfo
    from pathlib import Path

MAX_TITLE: Final = 200
"""Maximum characters of a title."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, kw_only=True)
class ReportOptions:
    """The calls that a report is about, and the form of its page.

    Args:
        where: A condition on rows of the table `calls`, as of `jvmwire decode --where`; None (the
            default) is all calls.
        since: A time in ISO 8601 before which calls are left out, such as "2026-03-02T10:00" or
            "2026-03-02T10:00:00.5Z"; one without an offset is in `timezone`. Default: None.
        until: A time from which on calls are left out, as `since`. Default: None.
        title: A title of the page; None (the default) has no title of its own.
        timezone: The name of the time zone of all times on the page, as in the IANA database.
            Default: UTC. `summary.json` has microseconds since 1970, UTC.
        thresholds: The values from which findings have a severity.
        baseline: The `summary.json`, or the folder, of an earlier report, with which this one is
            compared; None (the default) compares with none.

    Raises:
        ConfigError: the condition, a time, the time zone or the baseline is not one.
        OSError: the baseline cannot be read.
    """

    where: str | None = None
    since: str | None = None
    until: str | None = None
    title: str | None = None
    timezone: str = "UTC"
    thresholds: Thresholds = DEFAULTS
    baseline: Path | None = None

    def __post_init__(self) -> None:
        _ = self.zone, self.former_summary
        make_counting_view(self.where)
        since, until = self.since_us, self.until_us
        if since is not None and until is not None and since >= until:
            raise ConfigError(f"since {self.since} is not before until {self.until}")
        if self.title is not None and not (0 < len(self.title) <= MAX_TITLE):
            raise ConfigError(
                f"a title of {len(self.title):,} characters; expected 1 to {MAX_TITLE}"
            )
        if self.title is not None and not is_unicode(self.title):
            raise ConfigError(f"the title {quote(self.title)} is not valid Unicode")

    @cached_property
    def zone(self) -> tzinfo:
        """The time zone of the page."""
        return _zone(self.timezone)

    @cached_property
    def since_us(self) -> int | None:
        """The time of `since` in microseconds since 1970."""
        return None if self.since is None else _moment("since", self.since, self.zone)

    @cached_property
    def until_us(self) -> int | None:
        """The time of `until` in microseconds since 1970."""
        return None if self.until is None else _moment("until", self.until, self.zone)

    @cached_property
    def former_summary(self) -> dict[str, Any] | None:
        """The content of the summary of `baseline`."""
        return None if self.baseline is None else read_summary(self.baseline)

    @property
    def condition(self) -> str | None:
        """The condition on calls that `where`, `since` and `until` make together."""
        # A line of its own ends a comment of the condition.
        parts = [f"({self.where}\n)"] * (self.where is not None)
        parts += [f"start >= {self.since_us}"] * (self.since is not None)
        parts += [f"start < {self.until_us}"] * (self.until is not None)
        return " and ".join(parts) or None

    def clip(self, ends: tuple[int | None, int | None]) -> tuple[int | None, int | None]:
        """Return the part of a period, given by its first and last microsecond, that is wanted.

        Args:
            ends: The first and the last microsecond, each None without a clock.

        Returns:
            The ends of the part; two None if nothing is left.
        """
        first, last = ends
        if first is None or last is None:
            return None, None
        if self.since_us is not None:
            first = max(first, self.since_us)
        if self.until_us is not None:
            last = min(last, self.until_us)
        return (first, last) if first <= last else (None, None)


def _zone(name: str) -> tzinfo:
    if name == "UTC":
        return UTC  # needs no database
    try:
        return ZoneInfo(name)
    except (OSError, ValueError) as error:  # a folder, or no name of a file
        raise _no_zone(name) from error
    except KeyError as error:
        raise _no_zone(name) from error


def _no_zone(name: str) -> ConfigError:
    from zoneinfo import available_timezones

    near = suggestion(name, available_timezones())
    return ConfigError(
        f"there is no time zone {quote(name)}{near or '; expected one such as Europe/Berlin'}"
    )


def _moment(option: str, text: str, zone: tzinfo) -> int:
    try:
        moment = datetime.fromisoformat(text)
        if moment.tzinfo is None:
            moment = moment.replace(tzinfo=zone)
        return (moment - _EPOCH) // timedelta(microseconds=1)
    except (ValueError, OverflowError) as error:
        raise ConfigError(
            f"{option}: {quote(text)} is not a time; expected one such as 2026-03-02T10:00"
        ) from error


DEFAULT: Final = ReportOptions()
"""All calls, in UTC."""
