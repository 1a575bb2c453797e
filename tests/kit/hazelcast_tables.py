"""Prints the Rust table of Hazelcast's messages from `messages.json`: `make tables`."""

import json
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from .environment import ROOT

SOURCE = ROOT / "rust" / "codec" / "src" / "hazelcast"

HEAD = """\
//! The messages of Hazelcast's client protocol 1.0 to 1.8, and the types that their fields are of.
//!
//! Printed by `tests/kit/hazelcast_tables.py` from `messages.json` beside this file: `make tables`.

use super::tables::{Choice, Field, Kind, MessageType, Partition, Role};
"""

SCALARS = {
    "boolean": "Boolean",
    "byte": "Byte",
    "int": "Int",
    "Integer": "Int",
    "long": "Long",
    "Long": "Long",
    "String": "Text",
    "Data": "Data",
    "byte[]": "Bytes",
    "UUID": "Uuid",
}

# What picks the partition of a request where no field does.
PARTITIONS = {None: "None", "random": "Any"}


def snake_case(name: str) -> str:
    """Return a Java name in Python's form."""
    return re.sub(r"(?<=[a-z0-9])([A-Z])", r"_\1", name).lower()


def constant(name: str) -> str:
    """Return the name of the table of a type."""
    return snake_case(re.sub(r"\W.*", "", name)).upper()


def kind(java: str, types: Mapping[str, Any], *, contains_nullable: bool = False) -> str:
    """Return what a field of a Java type is to the codec."""
    if java in SCALARS:
        return f"Kind::{SCALARS[java]}"
    if java in types:
        return f"Kind::Struct({constant(java)})"
    if entry := re.fullmatch(r"(?:Map\.)?Entry<(.+?), (.+)>", java):
        key, value = (kind(part, types) for part in entry.groups())
        return f"Kind::Entry(&{key}, &{value})"
    listed = re.fullmatch(r"List<(.+)>", java) or re.fullmatch(r"(.+)\[\]", java)
    if listed is None:
        raise ValueError(f"{java} has no layout")
    element = kind(listed[1], types)
    return f"Kind::List(&{f'Kind::Nullable(&{element})' if contains_nullable else element})"


def field(param: Mapping[str, Any], types: Mapping[str, Any], since: str) -> str:
    """Return one field of a message or type."""
    name = snake_case(param["name"])
    if "choice" in param:
        choices = ", ".join(
            f"Choice {{ tag: {tag}, field: {field(chosen, types, since)} }}"
            for tag, chosen in param["choice"].items()
        )
        return f'Field::new("{name}", Kind::Choice(&[{choices}]))'
    of = kind(param["type"], types, contains_nullable=param.get("containsNullable", False))
    if param.get("nullable"):
        of = f"Kind::Nullable(&{of})"
    later = ".later()" if param.get("since", since) != since else ""
    return f'Field::new("{name}", {of}){later}'


def fields(params: list[Mapping[str, Any]], types: Mapping[str, Any], since: str = "") -> str:
    """Return the fields of a message or type, in order."""
    return f"&[{', '.join(field(param, types, since) for param in params)}]"


def partition(identifier: str | None, params: list[Mapping[str, Any]]) -> str:
    """Return what picks the partition of a request."""
    for at, param in enumerate(params):
        if param["name"] == identifier and identifier != "partitionId":
            return f"Partition::Of({at})"
    # What is no field of the request itself, the caller must know.
    return f"Partition::{PARTITIONS.get(identifier, 'Given')}"


def lines(source: Path = SOURCE / "messages.json") -> Iterator[str]:
    """Yield the table, not yet formatted."""
    table = json.loads(source.read_text())
    types = table["types"]
    yield HEAD
    yield "/// Requests, in order of their type."
    yield "pub(super) static REQUESTS: &[MessageType] = &["
    for message in sorted(table["requests"], key=lambda message: int(message["type"], 16)):
        params = message["params"]
        role = (
            f"Role::Request {{ retryable: {json.dumps(message['retryable'])}, "
            f"response: {message['response']}, "
            f"partition: {partition(message['partitionIdentifier'], params)} }}"
        )
        name = f"{message['cls']}.{message['name']}"
        yield (
            f'MessageType {{ id: {message["type"]}, name: "{name}", role: {role},'
            f" fields: {fields(params, types, message['since'])} }},"
        )
    yield "];"
    for title, role in (("responses", "Response"), ("events", "Event")):
        yield f"/// {title.capitalize()}, in order of their type."
        yield f"pub(super) static {title.upper()}: &[MessageType] = &["
        for message in sorted(table[title], key=lambda message: int(message["id"])):
            yield (
                f'MessageType {{ id: {message["id"]}, name: "{role}.{message["name"]}",'
                f" role: Role::{role},"
                f" fields: {fields(message['params'], types, message['since'])} }},"
            )
        yield "];"
    for name, params in types.items():
        yield f"static {constant(name)}: &[Field] = {fields(params, types)};"


if __name__ == "__main__":
    sys.stdout.writelines(f"{line}\n" for line in lines())
