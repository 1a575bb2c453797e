"""Thresholds of a report's findings, and the TOML file that changes them."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, Final

from jvmwire._checks import is_whole, suggestion
from jvmwire._documents import decode_utf8, read_document
from jvmwire._escaping import quote, shorten
from jvmwire.errors import ConfigError

if TYPE_CHECKING:
    from pathlib import Path


def _threshold(default: float, unit: str, meaning: str, least: float, most: float) -> Any:
    about = {"unit": unit, "meaning": meaning, "least": least, "most": most}
    return field(default=default, metadata=about)


_MOST: Final = 1e9
"""The largest count or ratio of a threshold."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Thresholds:
    """The values from which findings have a severity.

    Args:
        outlier_ratio: Ratio of the busiest caller's calls to the mean of all callers from which it
            stands out. Default: 1.5.
        failed_share: Share of failed calls, from 0 to 1, from which failures are an alarm.
            Default: 0.05.
        storm_calls: Repetitions of one call from which they may be a retry storm. Default: 20.
        storm_share: Share of these, from 0 to 1, that fail or are retries in a storm. Default: 0.5.
        rise_ratio: Ratio of a method's latency to that before from which a rise is an alarm.
            Default: 1.5.

    Raises:
        ConfigError: a value is not a number of its range.
    """

    outlier_ratio: float = _threshold(
        1.5, "ratio", "calls of the busiest caller to the mean of all callers: a notice", 1, _MOST
    )
    failed_share: float = _threshold(
        0.05, "share, 0 to 1", "failed calls of all calls: an alarm", 0, 1
    )
    storm_calls: int = _threshold(
        20, "calls", "repetitions of one call that may be a retry storm", 2, _MOST
    )
    storm_share: float = _threshold(
        0.5, "share, 0 to 1", "failed or retried calls of such repetitions: an alarm", 0, 1
    )
    rise_ratio: float = _threshold(
        1.5, "ratio", "latency of a method to that before: an alarm", 1, _MOST
    )

    def __post_init__(self) -> None:
        for each in fields(self):
            value, about = getattr(self, each.name), each.metadata
            is_right = is_whole(value) if each.type == "int" else isinstance(value, int | float)
            if (
                isinstance(value, bool)
                or not is_right
                or not (about["least"] <= value <= about["most"])
            ):
                expected = "a whole number" if each.type == "int" else "a number"
                raise ConfigError(
                    f"threshold {each.name}: {quote(value)} is not {expected} from "
                    f"{about['least']} to {about['most']:,.0f} ({about['unit']})"
                )

    @classmethod
    def read(cls, path: Path) -> Thresholds:
        """Read thresholds from a TOML file; those that it does not name keep their defaults.

        Args:
            path: The file, such as `Thresholds().toml` is.

        Returns:
            The thresholds.

        Raises:
            ConfigError: the file is not TOML, or a name or value is not that of a threshold.
            OSError: the file cannot be read.
        """
        try:
            values = tomllib.loads(decode_utf8(read_document(path), path))
        except (RecursionError, ValueError) as error:
            raise ConfigError(f"{path}: {shorten(str(error))}") from error
        known = [each.name for each in fields(cls)]
        for name in values:
            if name not in known:
                near = suggestion(name, known) or f"; there are {', '.join(known)}"
                raise ConfigError(f"{path}: there is no threshold {quote(name)}{near}")
        try:
            return cls(**values)
        except ConfigError as error:
            raise ConfigError(f"{path}: {error}") from error

    @property
    def toml(self) -> str:
        """The thresholds as a TOML file, with their units and meanings."""
        lines = [
            (f"{each.name} = {getattr(self, each.name)}", each.metadata) for each in fields(self)
        ]
        width = max(len(line) for line, _ in lines)
        return "".join(
            f"{line:{width}}  # {about['unit']}: {about['meaning']}\n" for line, about in lines
        )


DEFAULTS: Final = Thresholds()
"""The thresholds of a report that is given no others."""
