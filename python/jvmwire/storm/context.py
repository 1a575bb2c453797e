"""Where a component stands in its topology."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

from jvmwire.errors import DecodeError


@dataclass(frozen=True, slots=True)
class Grouping:
    """How tuples of a stream find the tasks of a component."""

    type: str
    """`SHUFFLE`, `FIELDS`, `DIRECT`, `ALL` and whatever else Storm has."""
    fields: tuple[str, ...] = ()
    """Of `FIELDS`."""


@dataclass(frozen=True, slots=True)
class Context:
    """What the handshake says; what Storm has said only since 0.10 is None where it is older."""

    task_id: int
    components: dict[int, str]
    """The component of each task (`task->component`)."""
    component_id: str | None = None
    streams: tuple[str, ...] | None = None
    output_fields: dict[str, tuple[str, ...]] | None = None
    """Of our streams (`stream->outputfields`)."""
    targets: dict[str, dict[str, Grouping]] | None = None
    """Who takes our streams, and how (`stream->target->grouping`)."""
    sources: dict[str, dict[str, Grouping]] | None = None
    """Whose streams we take, and how (`source->stream->grouping`)."""
    source_fields: dict[str, dict[str, tuple[str, ...]]] | None = None
    """The fields of what we take (`source->stream->fields`)."""

    @property
    def component(self) -> str:
        """Our name in the topology."""
        return self.component_id or self.components.get(self.task_id, "")

    def tasks_of(self, component: str) -> list[int]:
        """Return the tasks of a component, in order."""
        return sorted(task for task, name in self.components.items() if name == component)

    @classmethod
    def decode(cls, fields: Any) -> Self:
        """Read the handshake's `context`; `DecodeError` if it is none."""
        try:
            return cls(
                task_id=int(fields["taskid"]),
                components={int(task): name for task, name in fields["task->component"].items()},
                component_id=fields.get("componentid"),
                streams=_optional(tuple, fields.get("streams")),
                output_fields=_optional(_fields, fields.get("stream->outputfields")),
                targets=_optional(_groupings, fields.get("stream->target->grouping")),
                sources=_optional(_groupings, fields.get("source->stream->grouping")),
                source_fields=_optional(
                    lambda by_source: {name: _fields(it) for name, it in by_source.items()},
                    fields.get("source->stream->fields"),
                ),
            )
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise DecodeError(f"no context of a component: {error!r}", "context") from error


def _optional(of: Any, value: Any) -> Any:
    return None if value is None else of(value)


def _fields(by_stream: Any) -> dict[str, tuple[str, ...]]:
    return {stream: tuple(fields) for stream, fields in by_stream.items()}


def _groupings(outer: Any) -> dict[str, dict[str, Grouping]]:
    return {
        name: {
            of: Grouping(str(it["type"]), tuple(it.get("fields") or ())) for of, it in inner.items()
        }
        for name, inner in outer.items()
    }
