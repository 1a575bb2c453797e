"""The permitted imports between parts of the package: the table of layers in ARCHITECTURE.md."""

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path

import jvmwire

PACKAGE = Path(jvmwire.__path__[0])
PROTOCOLS = {"hadoop", "hazelcast", "pravega", "storm", "hama"}
BASE = {"errors", "_arrow_stream", "_checks", "_escaping", "_extras", "_lazy", "_times", "_units"}
"""Parts that every part may import."""
MAY_IMPORT: Mapping[str, set[str]] = {
    "_escaping": set(),
    "errors": {"_escaping"},
    "_lazy": set(),
    "_units": set(),
    "_extras": {"errors"},
    "_arrow_stream": {"_extras"},
    "_checks": {"errors"},
    "_times": {"_checks", "errors"},
    "options": BASE,
    "_files": BASE,
    "_documents": BASE,
    "_faults": {"errors"},
    "codec": BASE,
    "transports": BASE | {"_runtime"},
    "_runtime": BASE | {"options", "transports"},
    "_components": BASE | {"_runtime", "transports"},
    "hadoop": BASE | {"_faults", "_runtime", "codec", "_documents", "options", "transports"},
    "hazelcast": BASE | {"_faults", "_runtime", "codec", "_documents", "options", "transports"},
    "pravega": BASE | {"_faults", "_files", "_runtime", "codec", "options", "transports"},
    "storm": BASE | {"_files", "_runtime", "_components", "transports"},
    "hama": BASE | {"_runtime", "_components", "transports"},
    "capture": BASE | {"_files"},
    "report": BASE | {"_documents", "_files", "capture"},
    "telemetry": BASE | {"hadoop", "options"},
    "spark": BASE
    | {"_files", "capture", "hadoop", "hazelcast", "pravega", "report", "options", "transports"},
}
"""Permitted imports by part; the command line may import all parts."""
RUNTIME_OF_PROTOCOLS = {"cleanup",
    "operations", "channel", "client", "retry", "session", "semaphore", "threads",
}  # fmt: skip
"""Modules of the runtime that a protocol may import: neither the engine nor its drivers."""
RUNTIME_OF_TRANSPORTS = {"session", "threads"}
CIRCLES = {
    frozenset({"hadoop.server._connection", "hadoop.server._dispatch"}): "each calls the other",
    frozenset(
        {
            "hazelcast.serialization._portable",
            "hazelcast.serialization._portable_definer",
            "hazelcast.serialization._portable_reader",
            "hazelcast.serialization._portable_writer",
        }
    ): "Portables hold Portables",
}
"""Modules that import each other, only for types or late, and the reason."""
MAY_READ_CLOCKS = {
    "_cli": "commands measure calls, and wait",
    "_components": "the loop of a component is its driver",
    "_files": "unfinished files are removed by age",
    "_runtime.aio": "a driver",
    "_runtime.poller": "a driver",
    "_runtime.sync": "a driver",
    "capture": "files are waited for and locked outside of operations",
    "hadoop.namenode._fsspec": "`touch` sends the time of the caller",
    "hadoop.testing._namenode": "a server sets the times of files",
    "hazelcast.testing._double": "a server has entries that expire",
    "hazelcast.near_cache._caches": "a hit is no operation, and costs less than one",
    "pravega.testing._double": "a server sets the times of segments",
    "spark._executor_probe": "waits on an executor",
    "storm": "the loop of a component is its driver",
    "telemetry": "spans have the times of their calls",
    "transports": "timeouts of connection attempts, times of recorded bytes",
}
"""Modules and packages that may import `time`; operations yield `Now` and `WallTime` instead."""


def modules() -> dict[str, Path]:
    names = {}
    for path in PACKAGE.rglob("*.py"):
        name = path.relative_to(PACKAGE).with_suffix("").as_posix().replace("/", ".")
        names[name.removesuffix(".__init__")] = path
    return names


MODULES = modules()


def imported(name: str) -> Iterator[str]:
    """Yield the jvmwire modules that a module imports, including late and type-only imports."""
    path = MODULES[name]
    parts = [] if name == "__init__" else name.split(".")
    package = parts if path.name == "__init__.py" else parts[:-1]
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                above = package[: len(package) - node.level + 1]
                base = ".".join(["jvmwire", *above, *([base] if base else [])])
            found = [f"{base}.{alias.name}" for alias in node.names]
        else:
            continue
        for module in found:
            ours = module.removeprefix("jvmwire.")
            if ours == module:
                continue
            if ours not in MODULES:
                ours = ours.rpartition(".")[0]
            if ours in MODULES and ours != name:
                yield ours


IMPORTS = {name: set(imported(name)) for name in MODULES}


def part(module: str) -> str:
    return module.partition(".")[0]


def test_each_part_imports_only_what_the_table_allows():
    free = {"_cli", "__init__", "__main__"}
    wrong = {
        f"{name} imports {other}"
        for name, others in IMPORTS.items()
        for other in others
        if part(name) not in free
        and part(other) not in {part(name), "__init__"}
        and part(other) not in MAY_IMPORT[part(name)]
    }
    assert wrong == set()
    assert {part(name) for name in MODULES} == free | set(MAY_IMPORT)


def test_protocols_do_not_import_each_other():
    wrong = {
        f"{name} imports {other}"
        for name, others in IMPORTS.items()
        for other in others
        if part(name) in PROTOCOLS and part(other) in PROTOCOLS - {part(name)}
    }
    assert wrong == set()


def test_protocols_know_operations_and_not_the_engine():
    allowed = dict.fromkeys((*PROTOCOLS, "_components"), RUNTIME_OF_PROTOCOLS)
    allowed["transports"] = RUNTIME_OF_TRANSPORTS
    wrong = {
        f"{name} imports {other}"
        for name, others in IMPORTS.items()
        for other in others
        if part(name) in allowed
        and part(other) == "_runtime"
        and other.rpartition(".")[2] not in allowed[part(name)]
    }
    assert wrong == set()


def test_clocks_are_read_by_drivers_and_not_by_operations():
    readers = {name for name, path in MODULES.items() if "time" in stdlib_imports(path)}
    allowed = {
        name: next((each for each in MAY_READ_CLOCKS if f"{name}.".startswith(f"{each}.")), None)
        for name in readers
    }
    assert {name for name, by in allowed.items() if by is None} == set()
    assert set(allowed.values()) == set(MAY_READ_CLOCKS)


def stdlib_imports(path: Path) -> set[str]:
    """Return the modules that a module imports, by absolute name."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            found.add(node.module or "")
    return found


def test_circles_of_imports_are_the_named_ones():
    assert {frozenset(circle) for circle in circles(IMPORTS)} == set(CIRCLES)
    assert len(CIRCLES) <= 2


def test_a_circle_is_found():
    graph = {"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}}
    assert circles(graph) == [{"a", "b", "c"}]


def circles(graph: Mapping[str, set[str]]) -> list[set[str]]:
    """Return the sets of nodes that reach each other."""
    reached = {node: reachable(graph, node) for node in graph}
    found: list[set[str]] = []
    for node in graph:
        circle = {other for other in reached[node] if node in reached[other]}
        if circle and circle not in found:
            found.append(circle)
    return found


def reachable(graph: Mapping[str, set[str]], start: str) -> set[str]:
    found: set[str] = set()
    waiting = [start]
    while waiting:
        for other in graph[waiting.pop()] - found:
            found.add(other)
            waiting.append(other)
    return found
