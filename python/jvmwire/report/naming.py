"""Names from the wire, made fit to be read: they are hostile until shown."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

from jvmwire.capture.traffic import TOGETHER

if TYPE_CHECKING:
    from collections.abc import Iterable

IN_A_SENTENCE = 60
"""Characters of a name in a sentence: about a line."""

# Control, format (overrides of the direction of writing, zero-width), surrogate, private use,
# unassigned, and line ends.
_INVISIBLE = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
_ISOLATE, _POP = "\u2066", "\u2069"


def shown(text: str, limit: int = IN_A_SENTENCE) -> str:
    """Make `text` visible and at most `limit` long: escape what hides, cut out of the middle."""
    visible = "".join(map(_visible, text))
    if len(visible) > limit:
        tail = (limit - 1) // 2
        visible = f"{visible[: limit - 1 - tail]}…{visible[len(visible) - tail :]}"
    if any(unicodedata.bidirectional(character) in {"R", "AL"} for character in visible):
        return f"{_ISOLATE}{visible}{_POP}"  # so that it cannot reorder the words around it
    return visible


def caller(user: str | None, client: str | None) -> str:
    """Name a caller: alice@10.0.0.7, or what is known of it."""
    if user == client == TOGETHER:
        return TOGETHER
    if user and client:
        return f"{user}@{client}"
    return user or client or "an unknown caller"


def method_labels(names: Iterable[str | None]) -> dict[str | None, str]:
    """Shorten ClientProtocol.getFileInfo to getFileInfo, for the first of `names` it could be."""
    owners: dict[str, str | None] = {}
    return {
        name: label if owners.setdefault(label, name) == name else name or label
        for name in names
        for label in [_method(name)]
    }


def error_label(error_class: str | None, status: str | None) -> str:
    """Shorten java.io.FileNotFoundException to FileNotFoundException; name what has no class."""
    if error_class:
        return error_class.rpartition(".")[2] or error_class
    return {"lost": "no answer", "fatal": "fatal, connection ended"}.get(
        status or "", "an unnamed error"
    )


def _method(name: str | None) -> str:
    if name is None:
        return "unnamed call"
    owner, _, method = name.rpartition(".")
    return method if method and owner.endswith("Protocol") else name


def _visible(character: str) -> str:
    if unicodedata.category(character) not in _INVISIBLE:
        return character
    code = ord(character)
    return (
        f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}" if code < 65536 else f"\\U{code:08x}"
    )
