"""Pages of the API reference: one per public module, with every name that it exports."""

from __future__ import annotations

import dataclasses
import importlib
import inspect
from types import ModuleType
from typing import TYPE_CHECKING, Any

from site_generator.markup import module_docstring
from site_generator.reference_names import exported, home_modules, public_modules

if TYPE_CHECKING:
    from pathlib import Path


def write(folder: Path) -> None:
    """Write the pages of all public modules and the page that lists them.

    Args:
        folder: The folder of the reference.
    """
    folder.mkdir(exist_ok=True)
    homes = home_modules()
    lines = [
        *_heading("Python reference", "="),
        "Each page lists the public names of a module. Names that begin with an underscore, and",
        "modules that are not listed here, may change without notice.",
        "",
        ".. list-table::",
        "   :widths: 35 65",
        "",
    ]
    for module in public_modules():
        lines += [f"   * - :doc:`{module} <{module}>`", f"     - {_first_line(module)}"]
        (folder / f"{module}.rst").write_text("\n".join(_page(module, homes)) + "\n")
    lines += ["", ".. toctree::", "   :hidden:", ""]
    lines += [f"   {module.partition('.')[2] or module} <{module}>" for module in public_modules()]
    (folder / "index.rst").write_text("\n".join(lines) + "\n")


def _first_line(module: str) -> str:
    text = "\n".join(module_docstring(module))
    return text.partition("\n\n")[0].replace("\n", " ")


def _heading(text: str, line: str) -> list[str]:
    return [text, line * len(text), ""]


def _page(module: str, homes: dict[int, str]) -> list[str]:
    loaded = importlib.import_module(module)
    lines = [
        f":description: Public names of the module {module}.",
        "",
        *_heading(module, "="),
        f".. py:module:: {module}",
        "",
        *module_docstring(module),
    ]
    elsewhere = []
    for name in exported(module):
        found = getattr(loaded, name)
        home = homes.get(id(found), module)
        if home != module:
            elsewhere.append(f"   * - ``{name}``\n     - :py:obj:`{home}.{name}`")
            continue
        lines += [*_heading(name, "-"), *_object(module, name, found, loaded), ""]
    if elsewhere:
        lines += [*_heading("Names from other modules", "-"), ".. list-table::", "", *elsewhere, ""]
    return lines


def _object(module: str, name: str, found: Any, loaded: ModuleType) -> list[str]:
    path = f"{module}.{name}"
    if inspect.isroutine(found):
        return [f".. autofunction:: {path}"]
    if isinstance(found, ModuleType):
        return [f"The module :doc:`{found.__name__} <{found.__name__}>`."]
    if not inspect.isclass(found):
        return [f".. autodata:: {path}", "   :no-value:"]
    lines = [f".. autoclass:: {path}"]
    twin = getattr(loaded, name.removeprefix("Async"), None)
    if name.startswith("Async") and inspect.isclass(twin) and twin is not found:
        # The same methods, written once in the code, are described once here.
        own = sorted(set(_public(found)) - set(_public(twin)))
        lines.append(f"   :members: {', '.join(own)}" if own else "   :no-members:")
        shared = "Methods that block there are awaited here."
        twin_link = f":py:obj:`{twin.__name__} <{module}.{twin.__name__}>`"
        return [*lines, "", f"   It has the methods of {twin_link}. {shared}"]
    if dataclasses.is_dataclass(found):
        fields = [field.name for field in dataclasses.fields(found)]
        lines.append(f"   :exclude-members: {', '.join(fields)}")
    elif issubclass(found, tuple) and (fields := list(getattr(found, "_fields", []))):
        lines.append(f"   :exclude-members: {', '.join(fields)}")
    return lines


def _public(found: type) -> list[str]:
    return [name for name in dir(found) if not name.startswith("_")]
