"""Context of a component: its task, its streams, and the other components of its topology."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

from jvmwire.errors import DecodeError


@dataclass(frozen=True, slots=True)
class Grouping:
    """The grouping by which the tuples of a stream are distributed to the tasks of a component.

    Args:
        type: `SHUFFLE`, `FIELDS`, `DIRECT`, `ALL` or another of Storm's groupings.
        fields: The fields of a `FIELDS` grouping.
    """

    type: str
    fields: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Context:
    """Context of a component, from the handshake; Storm before 0.10 leaves some fields None.

    Attributes:
        task_id: The number of the component's task.
        components: The component of each task (`task->component`).
        component_id: The name of the component.
        streams: The names of its output streams.
        output_fields: The fields of each output stream (`stream->outputfields`).
        targets: The receivers of each output stream and their groupings
            (`stream->target->grouping`).
        sources: The groupings of its input streams by component (`source->stream->grouping`).
        source_fields: The fields of its input streams by component (`source->stream->fields`).
    """

    task_id: int
    components: dict[int, str]
    component_id: str | None = None
    streams: tuple[str, ...] | None = None
    output_fields: dict[str, tuple[str, ...]] | None = None
    targets: dict[str, dict[str, Grouping]] | None = None
    sources: dict[str, dict[str, Grouping]] | None = None
    """The groupings of the input streams by component (`source->stream->grouping`)."""
    source_fields: dict[str, dict[str, tuple[str, ...]]] | None = None
    """The fields of the input streams by component (`source->stream->fields`)."""

    @property
    def component(self) -> str:
        """The name of the component in the topology."""
        return self.component_id or self.components.get(self.task_id, "")

    def tasks_of(self, component: str) -> list[int]:
        """Return the tasks of a component.

        Args:
            component: The component's name.

        Returns:
            The numbers of its tasks, in order.
        """
        return sorted(task for task, name in self.components.items() if name == component)

    @classmethod
    def decode(cls, fields: Any) -> Self:
        """Decode the `context` of the handshake.

        Args:
            fields: The decoded JSON object.

        Returns:
            The context.

        Raises:
            DecodeError: the object is not a context.
        """
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
