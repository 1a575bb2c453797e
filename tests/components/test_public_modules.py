"""The modules and names that users may import, and that the documentation imports no others."""

import ast
import dataclasses
import importlib
import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import jvmwire

PACKAGE = Path(jvmwire.__path__[0])
ROOT = Path(__file__).parents[2]
PUBLIC = {
    "jvmwire": (
        "capture codec errors hadoop hama hazelcast options pravega report spark storm telemetry "
        "transports"
    ),
    "jvmwire.hadoop": "errors namenode rpc sasl server testing",
    "jvmwire.hadoop.sasl": "errors",
    "jvmwire.hadoop.testing": "plugin",
    "jvmwire.hama": "compat errors",
    "jvmwire.hazelcast": (
        "aggregators configuration cp errors near_cache predicates projections query_cache "
        "serialization testing"
    ),
    "jvmwire.hazelcast.testing": "plugin",
    "jvmwire.pravega": "early errors server streams testing",
    "jvmwire.pravega.streams": "errors",
    "jvmwire.pravega.testing": "plugin",
    "jvmwire.spark": "connectors",
    "jvmwire.storm": "compat errors testing topology",
    "jvmwire.storm.compat": "pystorm storm_py",
}
"""Names of the public modules, by the package that they are in."""
MODULES = sorted(
    {"jvmwire", *(f"{package}.{name}" for package in PUBLIC for name in PUBLIC[package].split())}
)
OVERRIDES = ("jvmwire.spark.", "jvmwire._runtime.session", "jvmwire.transports._transport")
"""Modules whose methods are described by the library or the protocol that calls them."""
PAGES = sorted([*(ROOT / "docs").glob("*.md"), ROOT / "README.md"])


def names_of_modules() -> Iterator[str]:
    """Yield each module without an underscore in its name or a package's."""
    for path in PACKAGE.rglob("*.py"):
        parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
        name = ".".join(parts).removesuffix(".__init__")
        if not any(part.startswith("_") for part in name.split(".")):
            yield name


def imported_in(page: Path) -> Iterator[tuple[str, str]]:
    """Yield module and name of each import of ours in the Python blocks of a page."""
    for block in re.findall(r"^```python\n(.*?)^```", page.read_text(), re.MULTILINE | re.DOTALL):
        for line in re.findall(r"^ *from (jvmwire[\w.]*) import (.*)$", block, re.MULTILINE):
            for name in line[1].partition("#")[0].strip("() ").split(","):
                yield line[0], name.strip().partition(" ")[0]
        for module in re.findall(r"^ *import (jvmwire[\w.]*)", block, re.MULTILINE):
            yield module, ""


def test_public_modules_are_the_listed_ones():
    assert sorted(names_of_modules()) == MODULES


@pytest.mark.parametrize("module", MODULES)
def test_names_of_all_exist_and_none_stands_twice(module):
    loaded = importlib.import_module(module)
    if loaded.__file__ is not None and "__all__" in Path(loaded.__file__).read_text():
        names = loaded.__all__
        assert sorted(set(names)) == sorted(names)
        assert [name for name in names if not hasattr(loaded, name)] == []
    else:  # a package of public modules
        assert ast.parse(Path(str(loaded.__file__)).read_text()).body[1:] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_imports_public_names_only(page):
    wrong = [
        (module, name)
        for module, name in imported_in(page)
        if module not in MODULES
        or (
            name
            and f"{module}.{name}" not in MODULES
            and name not in getattr(importlib.import_module(module), "__all__", [])
        )
    ]
    assert wrong == []


def test_imports_of_pages_are_found():
    assert sum(1 for page in PAGES for _ in imported_in(page)) > 30


def test_a_page_names_no_private_module():
    wrong = [
        (page.name, found)
        for page in PAGES
        for found in re.findall(r"jvmwire(?:\.\w+)*\._[a-z]\w*", page.read_text())
    ]
    assert wrong == []


def functions_of(found: Any) -> Iterator[Any]:
    """Yield a function, or the functions in a class that users may call; operations as written."""
    if inspect.isclass(found):
        for name in dir(found):
            member = inspect.getattr_static(found, name)
            if not name.startswith("_") and not isinstance(member, property):
                member = getattr(member, "__func__", member)
                if inspect.isfunction(member):
                    yield getattr(member, "body", member)
    elif inspect.isfunction(found) or inspect.ismethod(found):
        yield getattr(found, "__func__", found)


def undescribed(function: Any) -> Iterator[str]:
    """Yield the sections that the documentation of a function lacks."""
    text = function.__doc__ or ""
    parameters = inspect.signature(function).parameters
    taken = [name for name in parameters if name not in {"self", "cls", "_"}]
    if taken and "Args:" not in text:
        yield "Args"
    returned = str(function.__annotations__.get("return"))
    if returned not in {"None", "Operation[None]", "NoReturn"} and not re.search(
        r"(Returns|Yields):", text
    ):
        yield "Returns"


@pytest.mark.parametrize("module", MODULES)
def test_public_functions_describe_what_they_take_and_return(module):
    loaded = importlib.import_module(module)
    public = [getattr(loaded, name) for name in getattr(loaded, "__all__", [])]
    lacking = {
        f"{function.__module__}.{function.__qualname__}: {section}"
        for found in public
        for function in functions_of(found)
        if function.__doc__ and function.__module__.startswith("jvmwire.")
        if not function.__module__.startswith(OVERRIDES)
        for section in undescribed(function)
    }
    assert lacking == set()


def test_a_function_without_sections_would_be_found():
    def take(name: str) -> str:
        """Return the name."""
        return name

    assert list(undescribed(take)) == ["Args", "Returns"]
    assert list(functions_of(take)) == [take]


def fields_without_description(found: type) -> list[str]:
    """Return the fields of a dataclass that its documentation does not describe."""
    names = [field.name for field in dataclasses.fields(found)]
    text = inspect.getdoc(found) or ""
    if names == ["value"]:  # what `Text` or `IntWritable` holds is clear
        return []
    return [name for name in names if not name.startswith("_") and f"{name}: " not in text]


@pytest.mark.parametrize("module", MODULES)
def test_documentation_of_public_dataclasses_describes_each_field(module):
    loaded = importlib.import_module(module)
    public = [getattr(loaded, name) for name in getattr(loaded, "__all__", [])]
    lacking = {
        found.__qualname__: fields
        for found in public
        if inspect.isclass(found) and dataclasses.is_dataclass(found)
        if (fields := fields_without_description(found))
    }
    assert lacking == {}


def test_a_field_without_a_description_would_be_found():
    @dataclasses.dataclass
    class Pair:
        """Two numbers.

        Attributes:
            first: The first number.
        """

        first: int
        second: int

    assert fields_without_description(Pair) == ["second"]
