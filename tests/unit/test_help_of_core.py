"""Every function and method of the core says in `help` what it does."""

import inspect
from collections.abc import Iterator

from jvmwire import _core


def functions(of: object) -> Iterator[tuple[str, object]]:
    """Yield the public functions of a module or class, and those of its classes."""
    for name in dir(of):
        member = inspect.getattr_static(of, name)
        if name.startswith("_"):
            continue
        if inspect.isclass(member):
            yield from ((f"{name}.{inner}", each) for inner, each in functions(member))
        elif callable(member) or inspect.ismethoddescriptor(member):
            yield name, member


def test_every_function_of_the_core_has_a_docstring() -> None:
    found = dict(functions(_core))
    assert len(found) > 100
    assert [name for name, each in found.items() if not (inspect.getdoc(each) or "").strip()] == []
