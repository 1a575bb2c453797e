"""Sections `Args` of docstrings name the parameters that there are."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[2] / "python" / "jvmwire"
ARGS = re.compile(r"^Args:\n((?:    .*\n|\n)+)", re.MULTILINE)
ENTRY = re.compile(r"^    \*{0,2}(\w+): ", re.MULTILINE)

Documented = ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


def described(documented: Documented) -> list[str]:
    """Return the names that a docstring describes as parameters."""
    section = ARGS.search((ast.get_docstring(documented) or "") + "\n")
    return ENTRY.findall(section[1]) if section else []


def parameters(documented: Documented) -> set[str] | None:
    """Return the names of parameters; None if a class inherits its constructor."""
    if isinstance(documented, ast.ClassDef):
        makers = [
            member
            for member in documented.body
            if isinstance(member, ast.FunctionDef) and member.name in {"__init__", "__new__"}
        ]
        if makers:
            return set().union(*(parameters(maker) or () for maker in makers))
        if documented.bases:
            return None
        fields = (member for member in documented.body if isinstance(member, ast.AnnAssign))
        return {field.target.id for field in fields if isinstance(field.target, ast.Name)}
    arguments = documented.args
    named = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    several = (each for each in (arguments.vararg, arguments.kwarg) if each is not None)
    return {each.arg for each in (*named, *several)}


def unknown(source: str) -> Iterator[str]:
    """Yield what docstrings describe as a parameter that is none."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, Documented):
            known = parameters(node)
            for name in described(node):
                if known is not None and name not in known:
                    yield f"{node.name}: {name}"


def test_described_parameters_exist() -> None:
    files = [file for pattern in ("*.py", "*.pyi") for file in PACKAGE.rglob(pattern)]
    found = {str(file): names for file in files if (names := list(unknown(file.read_text())))}
    assert found == {}


@pytest.mark.parametrize("name", ["early", "*others"])
def test_a_parameter_that_does_not_exist_would_be_found(name: str) -> None:
    source = f'def call(late):\n    """Call.\n\n    Args:\n        {name}: When.\n    """\n'
    assert list(unknown(source)) == [f"call: {name.lstrip('*')}"]
