"""Topologies of components in Python, and in Java where there are some, as documents of Flux."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from jvmwire.errors import ConfigError
from jvmwire.storm.session import METRICS_REGISTERED
from jvmwire.storm.spout import SpoutBase

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from jvmwire.storm.component import Component

SPOUT_CLASS: Final = "org.apache.storm.flux.wrappers.spouts.FluxShellSpout"
BOLT_CLASS: Final = "org.apache.storm.flux.wrappers.bolts.FluxShellBolt"

DIRECT_SPOUT_CLASS: Final = "jvmwire.DirectSpout"
DIRECT_BOLT_CLASS: Final = "jvmwire.DirectBolt"
"""What components with direct streams are started by: classes of jvmwire's own (folder `java`)."""


FIELDS_CLASS: Final = "org.apache.storm.tuple.Fields"
PARTIAL_KEY_CLASS: Final = "org.apache.storm.grouping.PartialKeyGrouping"


@dataclass(frozen=True, slots=True)
class JavaObject:
    """An object that Storm makes: of a class on its class path, by one of its constructors."""

    class_name: str
    arguments: tuple[Any, ...] = ()
    """Values that JSON has, and other `JavaObject`s."""


@dataclass(frozen=True, slots=True)
class JavaComponent:
    """A spout or a bolt in Java; its class is in a jar of the topology, or in Storm's own."""

    made: JavaObject
    outputs: Sequence[str] | Mapping[str, Sequence[str]]
    """The fields of what it emits, or of each of its streams by name, as its class declares."""
    is_spout: bool


@dataclass(frozen=True, slots=True)
class Input:
    """A stream of a component, and how its tuples find the tasks of the one that takes it."""

    component: str
    stream: str
    type: str
    fields: tuple[str, ...] = ()
    custom: JavaObject | None = None
    """What chooses the tasks, if the type is CUSTOM."""


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

    def fields_grouping(self, *fields: str) -> Input:
        """The same task for the same values of `fields`. Raises `ConfigError` if one is none."""
        self._check(fields)
        return Input(self.component, self.name, "FIELDS", fields)

    def partial_key(self, *fields: str) -> Input:
        """One of two tasks for the same values of `fields`: the one that had less to do.

        Raises:
            ConfigError: the stream has no such field, or none is given.

        Source: org.apache.storm.grouping.PartialKeyGrouping.
        """
        self._check(fields)
        if not fields:
            raise ConfigError(f"{self.component}: partial_key needs the names of fields")
        return self.custom(PARTIAL_KEY_CLASS, JavaObject(FIELDS_CLASS, (list(fields),)))

    def custom(self, class_name: str, *arguments: Any) -> Input:
        """The tasks that an object in Java chooses.

        Args:
            class_name: A class that is a CustomStreamGrouping, on the workers' class path.
            arguments: Its constructor's: values that JSON has, or `JavaObject`s.
        """
        made = JavaObject(class_name, arguments)
        return Input(self.component, self.name, "CUSTOM", custom=made)

    def none(self) -> Input:
        """Any task: Storm may choose as it likes, and does as for `shuffle`."""
        return Input(self.component, self.name, "NONE")

    def all(self) -> Input:
        """Every task."""
        return Input(self.component, self.name, "ALL")

    def direct(self) -> Input:
        """The task that the emit names."""
        return Input(self.component, self.name, "DIRECT")

    def global_grouping(self) -> Input:
        """One task alone."""
        return Input(self.component, self.name, "GLOBAL")

    def _check(self, fields: Iterable[str]) -> None:
        for name in fields:
            if name not in self.fields:
                raise ConfigError(f"{self.component} emits no field {name!r} on {self.name!r}")


@dataclass(frozen=True, slots=True)
class Node:
    """A component at its place in a topology."""

    name: str
    component: type[Component] | JavaComponent
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
                f"{self.name} has no stream {name!r}: its outputs are "
                f"{', '.join(outputs) or 'none'}"
            )
        return Stream(self.name, name, outputs[name])

    @property
    def is_spout(self) -> bool:
        """Whether it is one of the topology's spouts."""
        kind = self.component
        return kind.is_spout if isinstance(kind, JavaComponent) else issubclass(kind, SpoutBase)

    @staticmethod
    def command(
        kind: type[Component], interpreter: str, path: str | None, environment: str | None
    ) -> list[str]:
        """Return what Storm starts for a component in Python."""
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

    def java_spout(
        self,
        name: str,
        class_name: str,
        *arguments: Any,
        outputs: Sequence[str] | Mapping[str, Sequence[str]],
        parallelism: int = 1,
    ) -> Node:
        """Add a spout in Java.

        Args:
            name: Its name in the topology.
            class_name: A class that is an IRichSpout, in Storm's jars or in one that is packed.
            arguments: Its constructor's: values that JSON has, or `JavaObject`s.
            outputs: The fields that the class declares, or those of each stream by name.
            parallelism: The number of its tasks.
        """
        made = JavaComponent(JavaObject(class_name, arguments), outputs, is_spout=True)
        return self._add(Node(name, made, parallelism))

    def java_bolt(
        self,
        name: str,
        class_name: str,
        *arguments: Any,
        inputs: Iterable[Input],
        outputs: Sequence[str] | Mapping[str, Sequence[str]] = (),
        parallelism: int = 1,
    ) -> Node:
        """Add a bolt in Java, an IRichBolt or IBasicBolt, that takes `inputs`; see `java_spout`."""
        made = JavaComponent(JavaObject(class_name, arguments), outputs, is_spout=False)
        return self._add(Node(name, made, parallelism, tuple(inputs)))

    def _add(self, node: Node) -> Node:
        if any(node.name == other.name for other in self.nodes):
            raise ConfigError(f"the topology {self.name!r} has two components {node.name!r}")
        self.nodes.append(node)
        return node

    def direct_streams(self, component: str) -> set[str]:
        """Return the streams of a component that a bolt takes direct.

        Raises:
            ConfigError: another bolt takes one of them in another way, which Storm cannot do.
        """
        taken = [it for node in self.nodes for it in node.inputs if it.component == component]
        found = {source.stream for source in taken if source.type == "DIRECT"}
        for source in taken:
            if source.stream in found and source.type != "DIRECT":
                raise ConfigError(
                    f"{component}'s stream {source.stream!r} is taken direct and by "
                    f"{source.type}: a direct stream has only tuples for one task each"
                )
        return found

    @property
    def needs_own_classes(self) -> bool:
        """Whether classes of jvmwire's own must be in its jar."""
        return any(
            self.direct_streams(node.name)
            for node in self.nodes
            if not isinstance(node.component, JavaComponent)
        )

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
        if not any(node.is_spout for node in self.nodes):
            raise ConfigError(f"the topology {self.name!r} has no spout")
        objects = _Objects()

        def flux_of(node: Node) -> dict[str, Any]:
            kind = node.component
            if isinstance(kind, JavaComponent):
                return {"id": node.name, **objects.of(kind.made), "parallelism": node.parallelism}
            command = node.command(kind, interpreter, path, environment)
            return _flux_node(node, kind, command, self.direct_streams(node.name))

        parts = {
            "spouts": [flux_of(node) for node in self.nodes if node.is_spout],
            "bolts": [flux_of(node) for node in self.nodes if not node.is_spout],
            "streams": [
                _flux_stream(source, node.name, objects)
                for node in self.nodes
                for source in node.inputs
            ],
        }
        # Flux's wrappers cannot register metrics, and a worker dies of one that is not registered.
        document = {"name": self.name, "config": {METRICS_REGISTERED: False, **self.config}}
        components = {"components": objects.components} if objects.components else {}
        return document | components | parts


class _Objects:
    """Objects that others are made of: Flux makes them first, and finds them by their ids."""

    def __init__(self) -> None:
        self.components: list[dict[str, Any]] = []

    def of(self, made: JavaObject) -> dict[str, Any]:
        """Return how Flux makes an object."""
        arguments = [self._argument(each) for each in made.arguments]
        return {"className": made.class_name} | (
            {"constructorArgs": arguments} if arguments else {}
        )

    def _argument(self, argument: Any) -> Any:
        if not isinstance(argument, JavaObject):
            return argument
        described = self.of(argument)
        name = f"jvmwire-{len(self.components) + 1}"
        self.components.append({"id": name, **described})
        return {"ref": name}


def _flux_node(
    node: Node, kind: type[Component], command: list[str], direct: set[str]
) -> dict[str, Any]:
    methods = [
        {
            "name": "setDirectStream" if stream in direct else "setNamedStream",
            "args": [stream, list(fields)],
        }
        for stream, fields in node.outputs.items()
    ]
    methods += [
        {"name": "addComponentConfig", "args": [key, value]} for key, value in kind.config.items()
    ]
    if direct:
        made_by = DIRECT_SPOUT_CLASS if node.is_spout else DIRECT_BOLT_CLASS
    else:
        made_by = SPOUT_CLASS if node.is_spout else BOLT_CLASS
    return {
        "id": node.name,
        "className": made_by,
        "constructorArgs": [command],
        "configMethods": methods,
        "parallelism": node.parallelism,
    }


def _flux_stream(source: Input, to: str, objects: _Objects) -> dict[str, Any]:
    grouping: dict[str, Any] = {"type": source.type, "streamId": source.stream}
    if source.fields:
        grouping["args"] = list(source.fields)
    if source.custom is not None:
        grouping["customClass"] = objects.of(source.custom)
    return {
        "name": f"{source.component} to {to}",
        "from": source.component,
        "to": to,
        "grouping": grouping,
    }
