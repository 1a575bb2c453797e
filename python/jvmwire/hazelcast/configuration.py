"""Reader of Hazelcast client configuration files, YAML or XML, as of Java's client 3.12."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jvmwire._documents import decode_utf8, parse_xml, parse_yaml, read_document
from jvmwire._escaping import shorten
from jvmwire.errors import ConfigError
from jvmwire.hazelcast._config_mapping import ROOT, ClientConfiguration, Settings

if TYPE_CHECKING:
    import xml.etree.ElementTree as ET
    from collections.abc import Mapping

__all__ = [
    "read_configuration",
]


_VARIABLE = re.compile(r"\$\{([^}]*)\}")
_LISTS = {"cluster-members": "address", "client-labels": "label"}
"""XML elements that hold a list, with the name of their child elements."""
SHORTEST_SECRET = 3
"""Minimum length of variable values that errors replace by the variable (chosen by jvmwire)."""
_NAMED = {"near-cache"}
"""XML elements that may be repeated, each with an attribute `name`."""


def read_configuration(
    path: str | Path, *, variables: Mapping[str, str] | None = None
) -> ClientConfiguration:
    """Read a client configuration file, as YAML if its name ends in .yaml or .yml, else as XML.

    `${name}` is replaced by a variable. Elements have the names of
    `hazelcast-client-config-3.12.xsd`; elements that this client does not use are logged once, as a
    warning of `jvmwire.hazelcast`.

    Args:
        path: Path of the file.
        variables: Values of variables by name.

    Returns:
        The addresses and options of the client.

    Raises:
        ConfigError: the file cannot be read, has an unknown element, or requires an unsupported
            feature, such as TLS by Java key stores: use `HazelcastOptions.endpoint` instead.
        MissingExtra: the file is YAML, and the extra `yaml` is not installed.
    """
    path = Path(path)
    text = decode_utf8(read_document(path), path)
    try:
        text = _VARIABLE.sub(lambda found: _variable(found[1], variables or {}), text)
        tree = _yaml(text) if path.suffix in (".yaml", ".yml") else _xml(text)
        return Settings(tree).read()
    except ConfigError as error:
        # No cause: the value of a variable may be a secret, and errors quote values.
        message = _as_written(str(error), variables or {})
        raise ConfigError(f"{path}: {message}") from None


def _as_written(text: str, variables: Mapping[str, str]) -> str:
    """Replace the values of variables by their placeholders, the longest value first."""
    for name, value in sorted(variables.items(), key=lambda item: -len(item[1])):
        if len(value) >= SHORTEST_SECRET:
            text = text.replace(value, f"${{{name}}}")
    return text


def _variable(name: str, variables: Mapping[str, str]) -> str:
    if name not in variables:
        raise ConfigError(f"${{{shorten(name)}}} is not defined")
    return variables[name]


def _yaml(text: str) -> Any:
    document = parse_yaml(text)
    if not isinstance(document, dict) or set(document) != {ROOT}:
        raise ConfigError(f"it begins with {ROOT} alone")
    return document[ROOT] or {}


def _xml(text: str) -> Any:
    root = parse_xml(text)
    if _tag(root) != ROOT:
        raise ConfigError(f"it begins with <{shorten(_tag(root))}>, not with <{ROOT}>")
    return _tree(root)


def _tag(element: ET.Element) -> str:
    return element.tag.rpartition("}")[2]


def _tree(element: ET.Element) -> Any:
    """Return the equivalent YAML structure of an XML element."""
    tag = _tag(element)
    if tag in _LISTS:
        return [(child.text or "").strip() for child in element]
    if tag == "properties":
        return {child.get("name", ""): (child.text or "").strip() for child in element}
    found: dict[str, Any] = {name: value for name, value in element.items() if "}" not in name}
    for child in element:
        name = _tag(child)
        if name in _NAMED:
            config = _tree(child) or {}
            found.setdefault(name, {})[config.pop("name", "default")] = config
        else:
            found[name] = _tree(child)
    return found or (element.text or "").strip()
