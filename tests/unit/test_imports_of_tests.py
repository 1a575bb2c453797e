"""The permitted imports between tests, benches and the kit, read from their sources."""

import ast
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TESTS = ROOT / "tests"
BASE_INSTALL = {"jvmwire", "pytest", "_pytest", "click", "orjson", "rich", "markdown_it"}
"""Packages that the wheel without extras and pytest bring; rich depends on markdown_it."""
OPTIONAL_PARTS = {
    "jvmwire.capture._aggregates",
    "jvmwire.capture._arrow",
    "jvmwire.hadoop.namenode._fsspec",
    "jvmwire.pravega.streams",
    "jvmwire.report",
    "jvmwire.spark",
}
"""Modules of jvmwire that need an extra."""
SERVERS = {
    f"kit.{name}"
    for name in ("hadoop", "hama", "hazelcast", "jvm", "oracle", "pravega", "storm", "kerberos")
}
"""Modules of the kit that start servers, all of them in a JVM."""


def imported(path: Path, *, late: bool) -> Iterator[str]:
    """Yield the modules that a file imports, at its top or, if `late`, anywhere."""
    tree = ast.parse(path.read_text())
    for node in ast.walk(tree) if late else tree.body:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module is not None and not node.level:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def sources(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*.py") if "peers" not in path.parts]


def source_of(module: str) -> Path | None:
    """Return the file of a module of the kit or of the reference implementations."""
    path = TESTS / module.replace(".", "/")
    for found in (path.with_suffix(".py"), path / "__init__.py"):
        if found.is_file():
            return found
    return None


def test_no_two_test_modules_have_one_name() -> None:
    # pytest imports them by their names alone.
    names = Counter(path.name for path in TESTS.rglob("test_*.py"))
    assert [name for name, count in names.items() if count > 1] == []


def test_tests_do_not_import_benches() -> None:
    found = {
        str(path.relative_to(ROOT))
        for path in sources(TESTS)
        for name in imported(path, late=True)
        if name.split(".")[0] == "benches"
    }
    assert found == set()


def test_benches_import_only_shared_parts_of_tests() -> None:
    folders = {path.name for path in TESTS.iterdir() if path.is_dir()} - {"kit", "reference"}
    found = {
        (str(path.relative_to(ROOT)), name)
        for path in sources(ROOT / "benches")
        for name in imported(path, late=True)
        if name.split(".")[0] in folders | {"tests", "conftest"}
    }
    assert found == set()


def test_the_package_imports_neither_tests_nor_benches() -> None:
    found = {
        (str(path.relative_to(ROOT)), name)
        for path in sources(ROOT / "python" / "jvmwire")
        for name in imported(path, late=True)
        if name.split(".")[0] in {"benches", "kit", "reference", "tests"}
    }
    assert found == set()


@pytest.mark.parametrize(
    "path",
    [TESTS / "conftest.py", *sorted((TESTS / "unit").glob("*.py"))],
    ids=lambda path: path.name,
)
def test_a_unit_test_needs_only_the_wheel_and_pytest(path: Path) -> None:
    seen, waiting = set(), [path]
    refused = set()
    while waiting:
        for name in imported(waiting.pop(), late=False):
            top = name.split(".")[0]
            if name in seen or top in sys.stdlib_module_names:
                continue
            seen.add(name)
            if top in {"kit", "reference"}:
                if (source := source_of(name)) is not None:
                    waiting.append(source)
                if name in SERVERS:
                    refused.add(name)
            elif top not in BASE_INSTALL or name in OPTIONAL_PARTS:
                refused.add(name)
    assert refused == set()
