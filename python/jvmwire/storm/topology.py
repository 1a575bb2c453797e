"""Topologies of components in Python and Java, exported as documents for Flux."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from jvmwire.errors import ConfigError
from jvmwire.storm._commands import MetricKind
from jvmwire.storm._session import METRICS_REGISTERED
from jvmwire.storm._spout import SpoutBase

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from jvmwire.storm._component import Component

__all__ = [
    "Input",
    "JavaComponent",
    "JavaObject",
    "Node",
    "Stream",
    "Topology",
]


SPOUT_CLASS: Final = "org.apache.storm.flux.wrappers.spouts.FluxShellSpout"
BOLT_CLASS: Final = "org.apache.storm.flux.wrappers.bolts.FluxShellBolt"

OWN_SPOUT_CLASS: Final = "jvmwire.Spout"
OWN_BOLT_CLASS: Final = "jvmwire.Bolt"
"""Classes of jvmwire (folder `java`) that start components with direct streams or metrics."""


FIELDS_CLASS: Final = "org.apache.storm.tuple.Fields"
PARTIAL_KEY_CLASS: Final = "org.apache.storm.grouping.PartialKeyGrouping"


@dataclass(frozen=True, slots=True)
class JavaObject:
    """A Java object that Storm creates with a constructor of a class on its class path.

    Args:
        class_name: The name of the class.
        arguments: The constructor's arguments: JSON values and other `JavaObject`s.
    """

    class_name: str
    arguments: tuple[Any, ...] = ()


@dataclass(frozen=True, slots=True)
class JavaComponent:
    """A spout or a bolt in Java, whose class is in a jar of the topology or in Storm's own.

    Args:
        made: The object that is the component.
        outputs: The fields of its stream, or the fields of each of its streams by name, as its
            class declares them.
        is_spout: Whether the component is a spout.
    """

    made: JavaObject
    outputs: Sequence[str] | Mapping[str, Sequence[str]]
    """The fields of its stream, or those of each of its streams by name, as its class declares
    them.
    """
    is_spout: bool


@dataclass(frozen=True, slots=True)
class Input:
    """An input of a bolt: a stream of a component, and its grouping.

    Args:
        component: The component that emits the stream.
        stream: The name of the stream.
        type: The grouping: `SHUFFLE`, `LOCAL_OR_SHUFFLE`, `FIELDS`, `CUSTOM`, `NONE`, `ALL`,
            `DIRECT` or `GLOBAL`.
        fields: The fields of a `FIELDS` grouping.
        custom: The Java object that chooses the tasks of a `CUSTOM` grouping.
    """

    component: str
    stream: str
    type: str
    fields: tuple[str, ...] = ()
    custom: JavaObject | None = None


@dataclass(frozen=True, slots=True)
class Stream:
    """A stream of a component, whose methods create inputs for bolts.

    Args:
        component: The component that emits the stream.
        name: The name of the stream.
        fields: The fields of its tuples.
    """

    component: str
    name: str
    fields: tuple[str, ...]

    def shuffle(self) -> Input:
        """Create an input that distributes tuples evenly over the tasks.

        Returns:
            The input, for `Topology.bolt`.
        """
        return Input(self.component, self.name, "SHUFFLE")

    def local_or_shuffle(self) -> Input:
        """Create an input that prefers tasks in the same worker, if there are any.

        Returns:
            The input, for `Topology.bolt`.
        """
        return Input(self.component, self.name, "LOCAL_OR_SHUFFLE")

    def fields_grouping(self, *fields: str) -> Input:
        """Create an input that sends tuples with equal values of `fields` to the same task.

        Args:
            fields: The names of the fields.

        Returns:
            The input, for `Topology.bolt`.

        Raises:
            ConfigError: the stream has no such field.
        """
        self._check(fields)
        return Input(self.component, self.name, "FIELDS", fields)

    def partial_key(self, *fields: str) -> Input:
        """Create an input that sends equal values of `fields` to the less loaded of two tasks.

        Args:
            fields: The names of the fields.

        Returns:
            The input, for `Topology.bolt`.

        Raises:
            ConfigError: the stream has no such field, or none is given.

        Source: org.apache.storm.grouping.PartialKeyGrouping.
        """
        self._check(fields)
        if not fields:
            raise ConfigError(f"{self.component}: partial_key needs the names of fields")
        return self.custom(PARTIAL_KEY_CLASS, JavaObject(FIELDS_CLASS, (list(fields),)))

    def custom(self, class_name: str, *arguments: Any) -> Input:
        """Create an input whose tasks are chosen by a Java object.

        Args:
            class_name: A class that implements CustomStreamGrouping, on the workers' class path.
            arguments: The constructor's arguments: JSON values and `JavaObject`s.

        Returns:
            The input, for `Topology.bolt`.
        """
        made = JavaObject(class_name, arguments)
        return Input(self.component, self.name, "CUSTOM", custom=made)

    def none(self) -> Input:
        """Create an input without a preference for tasks, which Storm treats as `shuffle`.

        Returns:
            The input, for `Topology.bolt`.
        """
        return Input(self.component, self.name, "NONE")

    def all(self) -> Input:
        """Create an input that sends each tuple to all tasks.

        Returns:
            The input, for `Topology.bolt`.
        """
        return Input(self.component, self.name, "ALL")

    def direct(self) -> Input:
        """Create an input whose tuples go to the task that the emitter names.

        Returns:
            The input, for `Topology.bolt`.
        """
        return Input(self.component, self.name, "DIRECT")

    def global_grouping(self) -> Input:
        """Create an input that sends all tuples to one task.

        Returns:
            The input, for `Topology.bolt`.
        """
        return Input(self.component, self.name, "GLOBAL")

    def _check(self, fields: Iterable[str]) -> None:
        for name in fields:
            if name not in self.fields:
                raise ConfigError(f"{self.component} emits no field {name!r} on {self.name!r}")


@dataclass(frozen=True, slots=True)
class Node:
    """A component in a topology, with its name, parallelism and inputs.

    Args:
        name: The name in the topology.
        component: The class of a component in Python, or a component in Java.
        parallelism: The number of tasks.
        inputs: The inputs of a bolt.
    """

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
        """Return a stream of the component.

        Args:
            name: The name of the stream.

        Returns:
            The stream, whose methods create inputs for bolts.

        Raises:
            ConfigError: the component declares no such stream.
        """
        outputs = self.outputs
        if name not in outputs:
            raise ConfigError(
                f"{self.name} has no stream {name!r}: its outputs are "
                f"{', '.join(outputs) or 'none'}"
            )
        return Stream(self.name, name, outputs[name])

    @property
    def is_spout(self) -> bool:
        """Whether the component is a spout."""
        kind = self.component
        return kind.is_spout if isinstance(kind, JavaComponent) else issubclass(kind, SpoutBase)

    @staticmethod
    def command(
        kind: type[Component], interpreter: str, path: str | None, environment: str | None
    ) -> list[str]:
        """Return the command line by which Storm starts a component in Python.

        Args:
            kind: The class of the component.
            interpreter: The Python interpreter.
            path: The folder of the component's module; None if it is in the topology's resources.
            environment: A folder of packages for `PYTHONPATH`; None for none.

        Returns:
            The arguments of the command.

        Raises:
            ConfigError: the class cannot be imported by its name.
        """
        if kind.__module__ == "__main__" or "." in kind.__qualname__:
            raise ConfigError(f"{kind!r} cannot be imported by its name: put it into a module")
        where = ["--path", path] if path is not None else []
        found = ["env", f"PYTHONPATH={environment}"] if environment is not None else []
        name = f"{kind.__module__}:{kind.__qualname__}"
        return [*found, interpreter, "-m", "jvmwire.storm", *where, name]


@dataclass(slots=True)
class Topology:
    """A topology: spouts, bolts, and the inputs of each bolt.

    Args:
        name: The topology's name.
        config: Its configuration, as in
            `{"topology.workers": 2, "topology.message.timeout.secs": 60}`.
        nodes: Its components, which `spout`, `bolt`, `java_spout` and `java_bolt` add.
    """

    name: str
    config: dict[str, Any] = field(default_factory=dict, repr=False)
    """The configuration, as in `{"topology.workers": 2, "topology.message.timeout.secs": 60}`."""
    nodes: list[Node] = field(default_factory=list)

    def spout(self, name: str, component: type[SpoutBase], *, parallelism: int = 1) -> Node:
        """Add a spout.

        Args:
            name: The name in the topology.
            component: The class of the spout.
            parallelism: The number of tasks.

        Returns:
            The node, whose streams are inputs of bolts.

        Raises:
            ConfigError: the topology has a component of that name.
        """
        return self._add(Node(name, component, parallelism))

    def bolt(
        self,
        name: str,
        component: type[Component],
        *,
        inputs: Iterable[Input],
        parallelism: int = 1,
    ) -> Node:
        """Add a bolt.

        Args:
            name: The name in the topology.
            component: The class of the bolt.
            inputs: The inputs of the bolt.
            parallelism: The number of tasks.

        Returns:
            The node, whose streams are inputs of other bolts.

        Raises:
            ConfigError: the topology has a component of that name.
        """
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
            name: The name in the topology.
            class_name: A class that implements IRichSpout, in Storm's jars or in a packed one.
            arguments: The constructor's arguments: JSON values and `JavaObject`s.
            outputs: The fields that the class declares, or the fields of each stream by name.
            parallelism: The number of tasks.

        Returns:
            The node, whose streams are inputs of bolts.

        Raises:
            ConfigError: the topology has a component of that name.
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
        """Add a bolt in Java.

        Args:
            name: The name in the topology.
            class_name: A class that implements IRichBolt or IBasicBolt, in Storm's jars or in a
                packed one.
            arguments: The constructor's arguments: JSON values and `JavaObject`s.
            inputs: The inputs of the bolt.
            outputs: The fields that the class declares, or the fields of each stream by name.
            parallelism: The number of tasks.

        Returns:
            The node, whose streams are inputs of other bolts.

        Raises:
            ConfigError: the topology has a component of that name.
        """
        made = JavaComponent(JavaObject(class_name, arguments), outputs, is_spout=False)
        return self._add(Node(name, made, parallelism, tuple(inputs)))

    def _add(self, node: Node) -> Node:
        if any(node.name == other.name for other in self.nodes):
            raise ConfigError(f"the topology {self.name!r} has two components {node.name!r}")
        self.nodes.append(node)
        return node

    def direct_streams(self, component: str) -> set[str]:
        """Return the streams of a component that a bolt takes with a direct grouping.

        Args:
            component: The component's name.

        Returns:
            The names of the streams.

        Raises:
            ConfigError: another bolt takes one of them with another grouping, which Storm does not
                support.
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
        """Whether the topology's jar must contain jvmwire's Java classes."""
        return any(
            self.direct_streams(node.name) or node.component.metrics
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
        """Export the topology as a document for Flux.

        Args:
            interpreter: The Python interpreter that starts components.
            path: The folder of the components' modules; None if they are in the topology's
                resources.
            environment: A folder of packages that is searched first; None for none.

        Returns:
            The document as a JSON object, which is valid YAML.

        Raises:
            ConfigError: Flux could not start the topology.
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
        # Metrics are those of `Component.metrics`: an unregistered one ends the worker.
        document = {"name": self.name, "config": {METRICS_REGISTERED: False, **self.config}}
        components = {"components": objects.components} if objects.components else {}
        return document | components | parts


class _Objects:
    """Java objects that are constructor arguments: Flux creates them first, with ids."""

    def __init__(self) -> None:
        self.components: list[dict[str, Any]] = []

    def of(self, made: JavaObject) -> dict[str, Any]:
        """Return Flux's description of an object."""
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
    methods += [
        {"name": "registerMetric", "args": [metric, MetricKind(which).value]}
        for metric, which in kind.metrics.items()
    ]
    if direct or kind.metrics:
        made_by = OWN_SPOUT_CLASS if node.is_spout else OWN_BOLT_CLASS
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
