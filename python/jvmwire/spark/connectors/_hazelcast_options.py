"""Options of the format `hazelcast`, with checks."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from jvmwire.errors import ConfigError
from jvmwire.hazelcast import HazelcastClient, HazelcastOptions
from jvmwire.spark._option_parser import OF_SINKS, SourceOptions

if TYPE_CHECKING:
    from collections.abc import Mapping

TASKS = 8
"""Default number of tasks that read a map (chosen by jvmwire)."""
BATCH = 10_000
"""Default number of entries per request to a partition (chosen by jvmwire)."""
_KNOWN = {
    *("members", "map", "cluster_name", "password", "smart"),
    *("where", "tasks", "batch", "approximate"),
}


@dataclass(frozen=True, slots=True)
class MapOptions:
    """The map, its cluster, and the parameters of a read."""

    members: tuple[str, ...]
    map: str
    cluster_name: str
    password: str = field(repr=False)
    smart: bool
    where: str | None
    tasks: int
    batch: int
    approximate: bool

    @classmethod
    def of_read(cls, options: Mapping[str, str]) -> MapOptions:
        """Check the options of a read; unknown names and values are refused.

        Raises:
            ConfigError: an option is unknown, missing or invalid.
        """
        return cls._of(options, _KNOWN)

    @classmethod
    def of_write(cls, options: Mapping[str, str]) -> MapOptions:
        """Check the options of a write; raises as `of_read` does."""
        return cls._of(options, _KNOWN | OF_SINKS)

    @classmethod
    def _of(cls, options: Mapping[str, str], known: set[str]) -> MapOptions:
        given = SourceOptions("hazelcast", options, known)
        defaults = HazelcastOptions()
        members = given.required("members", "10.0.0.7:5701,10.0.0.8:5701")
        return cls(
            members=tuple(member.strip() for member in members.split(",")),
            map=given.required("map", "prices"),
            cluster_name=_given_or(defaults.cluster_name, given, "cluster_name"),
            password=_given_or(defaults.password, given, "password"),
            smart=given.is_true("smart", default=True),
            where=given.text("where"),
            tasks=given.integer("tasks", TASKS, minimum=1, unit="tasks"),
            batch=given.integer("batch", BATCH, minimum=1, unit="entries"),
            approximate=given.is_true("approximate", default=False),
        )

    def connect(self) -> HazelcastClient:
        """Return a connected client, which the caller must close."""
        options = HazelcastOptions(
            cluster_name=self.cluster_name, password=self.password, smart=self.smart
        )
        return HazelcastClient.connect(self.members, options)


def _given_or(default: str, given: SourceOptions, name: str) -> str:
    if (text := given.text(name)) == "":
        raise ConfigError(f"option {name} is empty: leave it out for the default")
    return default if text is None else text
