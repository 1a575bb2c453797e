"""Names from the wire, made safe to display: untrusted until passed to `shown`."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

from jvmwire.capture._aggregates import OTHERS_LABEL

if TYPE_CHECKING:
    from collections.abc import Iterable

MAX_SENTENCE_LABEL = 60
"""Maximum characters of a name in a sentence: about a line."""

NO_ANSWER = "no answer"
"""The status `lost` for readers."""

# Control, format (overrides of the direction of writing, zero-width), surrogate, private use,
# unassigned, and line ends.
_INVISIBLE = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
_ISOLATE, _POP = "\u2066", "\u2069"


def sanitize_label(text: str, limit: int = MAX_SENTENCE_LABEL) -> str:
    """Return `text` with invisible characters escaped, cut in the middle to `limit` characters."""
    visible = "".join(map(_visible, text))
    if len(visible) > limit:
        tail = (limit - 1) // 2
        visible = f"{visible[: limit - 1 - tail]}…{visible[len(visible) - tail :]}"
    if any(unicodedata.bidirectional(character) in {"R", "AL"} for character in visible):
        return f"{_ISOLATE}{visible}{_POP}"  # prevents reordering of the surrounding text
    return visible


def caller(user: str | None, client: str | None) -> str:
    """Return the name of a caller, such as alice@10.0.0.7, from the known parts."""
    if user == client == OTHERS_LABEL:
        return OTHERS_LABEL
    if user and client:
        return f"{user}@{client}"
    return user or client or "an unknown caller"


def method_labels(names: Iterable[str | None]) -> dict[str | None, str]:
    """Return labels such as getFileInfo for ClientProtocol.getFileInfo, unique among `names`.

    If two names have the same short label, the first keeps it.
    """
    owners: dict[str, str | None] = {}
    return {
        name: label if owners.setdefault(label, name) == name else name or label
        for name in names
        for label in [_method(name)]
    }


def error_label(error_class: str | None, status: str | None) -> str:
    """Return a short label such as FileNotFoundException, or a text for errors without a class."""
    if error_class:
        return error_class.rpartition(".")[2] or error_class
    return {"lost": NO_ANSWER, "fatal": "fatal, connection ended"}.get(
        status or "", "an unnamed error"
    )


def status_label(status: str | None) -> str | None:
    """Return the text of a status in tables."""
    return NO_ANSWER if status == "lost" else status


def status_of(label: str | None) -> str | None:
    """Return the status that a text in tables stands for: the reverse of `status_label`."""
    return "lost" if label == NO_ANSWER else label


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
