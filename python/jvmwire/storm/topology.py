"""A topology of Python components, in the words of Storm's Flux: nobody writes Java for it."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from jvmwire.errors import ConfigError
from jvmwire.storm.spout import SpoutBase

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from jvmwire.storm.component import Component

SPOUT_CLASS: Final = "org.apache.storm.flux.wrappers.spouts.FluxShellSpout"
BOLT_CLASS: Final = "org.apache.storm.flux.wrappers.bolts.FluxShellBolt"


@dataclass(frozen=True, slots=True)
class Input:
    """A stream of a component, and how its tuples find the tasks of the one that takes it."""

    component: str
    stream: str
    type: str
    fields: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Stream:
    """What a component emits, for others to take."""

    component: str
    name: str
    fields: tuple[str, ...]

    def shuffle(self) -> Input:
        """Any task, evenly."""
        return Input(self.component, self.name, "SHUFFLE")

    def local_or_shuffle(self) -> Input:
        """Tasks of the same worker, if there are any."""
        return Input(self.component, self.name, "LOCAL_OR_SHUFFLE")

    def group_by(self, *fields: str) -> Input:
        """The same task for the same values of `fields`. Raises `ConfigError` if one is none."""
        for name in fields:
            if name not in self.fields:
                raise ConfigError(f"{self.component} emits no field {name!r} on {self.name!r}")
        return Input(self.component, self.name, "FIELDS", fields)

    def all(self) -> Input:
        """Every task."""
        return Input(self.component, self.name, "ALL")

    def direct(self) -> Input:
        """The task that the emit names."""
        return Input(self.component, self.name, "DIRECT")

    def whole(self) -> Input:
        """One task alone."""
        return Input(self.component, self.name, "GLOBAL")


@dataclass(frozen=True, slots=True)
class Node:
    """A component at its place in a topology."""

    name: str
    component: type[Component]
    parallelism: int
    inputs: tuple[Input, ...] = ()

    @property
    def outputs(self) -> dict[str, tuple[str, ...]]:
        """The fields of each stream that the component declares."""
        declared = self.component.outputs
        if isinstance(declared, Mapping):
            return {stream: tuple(fields) for stream, fields in declared.items()}
        return {"default": tuple(declared)} if declared else {}

    def stream(self, name: str = "default") -> Stream:
        """Return one of its streams. Raises `ConfigError` if it declares none of that name."""
        outputs = self.outputs
        if name not in outputs:
            raise ConfigError(
                f"{self.name} has no stream {name!r}: {self.component.__name__}.outputs has "
                f"{', '.join(outputs) or 'none'}"
            )
        return Stream(self.name, name, outputs[name])

    def command(self, interpreter: str, path: str | None, environment: str | None) -> list[str]:
        """Return what Storm starts."""
        kind = self.component
        if kind.__module__ == "__main__" or "." in kind.__qualname__:
            raise ConfigError(f"{kind!r} cannot be imported by its name: put it into a module")
        where = ["--path", path] if path is not None else []
        found = ["env", f"PYTHONPATH={environment}"] if environment is not None else []
        name = f"{kind.__module__}:{kind.__qualname__}"
        return [*found, interpreter, "-m", "jvmwire.storm", *where, name]


@dataclass(slots=True)
class Topology:
    """Spouts and bolts, and who takes what from whom."""

    name: str
    config: dict[str, Any] = field(default_factory=dict, repr=False)
    """As in `{"topology.workers": 2, "topology.message.timeout.secs": 60}`."""
    nodes: list[Node] = field(default_factory=list)

    def spout(self, name: str, component: type[SpoutBase], *, parallelism: int = 1) -> Node:
        """Add a spout, `parallelism` tasks of it."""
        return self._add(Node(name, component, parallelism))

    def bolt(
        self,
        name: str,
        component: type[Component],
        *,
        inputs: Iterable[Input],
        parallelism: int = 1,
    ) -> Node:
        """Add a bolt that takes `inputs`, `parallelism` tasks of it."""
        return self._add(Node(name, component, parallelism, tuple(inputs)))

    def _add(self, node: Node) -> Node:
        if any(node.name == other.name for other in self.nodes):
            raise ConfigError(f"the topology {self.name!r} has two components {node.name!r}")
        self.nodes.append(node)
        return node

    def flux(
        self,
        *,
        interpreter: str = sys.executable,
        path: str | None = None,
        environment: str | None = None,
    ) -> dict[str, Any]:
        """Return the topology as Flux reads it: a document of YAML, which JSON is too.

        Components are started by `interpreter`, which finds packages in the folder `environment`
        first, and they are found in `path` if they do not lie in the topology's own resources.
        Raises `ConfigError` for what Flux could not start.
        """
        spouts = [node for node in self.nodes if issubclass(node.component, SpoutBase)]
        bolts = [node for node in self.nodes if node not in spouts]
        if not spouts:
            raise ConfigError(f"the topology {self.name!r} has no spout")

        def flux_of(nodes: Sequence[Node], class_name: str) -> list[dict[str, Any]]:
            return [
                _flux_node(node, class_name, node.command(interpreter, path, environment))
                for node in nodes
            ]

        return {
            "name": self.name,
            "config": dict(self.config),
            "spouts": flux_of(spouts, SPOUT_CLASS),
            "bolts": flux_of(bolts, BOLT_CLASS),
            "streams": [
                _flux_stream(source, node.name) for node in self.nodes for source in node.inputs
            ],
        }


def _flux_node(node: Node, class_name: str, command: list[str]) -> dict[str, Any]:
    methods = [
        {"name": "setNamedStream", "args": [stream, list(fields)]}
        for stream, fields in node.outputs.items()
    ]
    methods += [
        {"name": "addComponentConfig", "args": [key, value]}
        for key, value in node.component.config.items()
    ]
    return {
        "id": node.name,
        "className": class_name,
        "constructorArgs": [command],
        "configMethods": methods,
        "parallelism": node.parallelism,
    }


def _flux_stream(source: Input, to: str) -> dict[str, Any]:
    grouping: dict[str, Any] = {"type": source.type, "streamId": source.stream}
    if source.fields:
        grouping["args"] = list(source.fields)
    return {
        "name": f"{source.component} to {to}",
        "from": source.component,
        "to": to,
        "grouping": grouping,
    }
