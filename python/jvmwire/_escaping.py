"""Escaping of text from peers, files and captures before a terminal or a log shows it."""

from __future__ import annotations

import logging
import re
import traceback
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from pathlib import Path

MAX_SHOWN: Final = 4096
"""Maximum characters of one message on a terminal or in a log line (chosen by jvmwire)."""
MAX_QUOTED: Final = 80
"""Maximum characters of one value that an error message quotes (chosen by jvmwire)."""

# Control characters (C0, DEL, C1), invisible format characters including all that set the direction
# of text, line and paragraph separators, interlinear annotations, tags, lone surrogates.
_UNSAFE = (
    "\x00-\x1f\x7f-\x9f\xad\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u180e\u200b-\u200f"
    "\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000110bd\U000110cd\U00013430-\U0001343f"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0001-\U000e007f\ud800-\udfff"
)
_LINE = re.compile(f"[{_UNSAFE}]")
_LINES = re.compile(f"(?![\n\t])[{_UNSAFE}]")
_JSON = re.compile("[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
_BARE = re.compile(r"[A-Za-z0-9_.:/@$<>\[\]%+-]+")
_SCHEME = re.compile("[A-Za-z][A-Za-z0-9+.-]*")
_NAMED = {"\n": r"\n", "\r": r"\r", "\t": r"\t"}


def escape(text: str) -> str:
    r"""Return `text` as one line with control characters escaped: `\n`, `\x1b`, `\u202e`.

    Text without such characters is returned unchanged. Backslashes are not doubled.

    Args:
        text: Any text, also with lone surrogates.
    """
    return text if text.isascii() and text.isprintable() else _LINE.sub(_escaped, text)


def escape_lines(text: str) -> str:
    """Return `text` escaped as by `escape`, but with its line feeds and tabs.

    Args:
        text: Any text, also with lone surrogates.
    """
    return _LINES.sub(_escaped, text)


def escape_message(text: str) -> str:
    """Return a message as one line for a terminal or a log, cut after `MAX_SHOWN` characters.

    Args:
        text: Any text, also with lone surrogates.
    """
    return escape(shorten(text, MAX_SHOWN))


def shorten(text: str, most: int = MAX_QUOTED) -> str:
    """Return at most `most` characters of `text`; three full stops mark a cut.

    Args:
        text: Any text.
        most: The maximum number of characters, 80 by default.
    """
    return text if len(text) <= most else f"{text[:most]}..."


def quote(value: object) -> str:
    """Return the `repr` of a value for an error message, cut to about `MAX_QUOTED` characters.

    Args:
        value: Any object; a string is cut before its `repr`, other values after it.
    """
    return repr(shorten(value)) if isinstance(value, str) else shorten(repr(value))


def hide_password(address: str) -> str:
    """Return an address without all before its last `@` if there may be a password in it.

    Args:
        address: A URL, or `host:port`, of any form.
    """
    scheme, separator, rest = address.partition("://")
    if not _SCHEME.fullmatch(scheme) or not separator:
        scheme, separator, rest = "", "", address
    before, _, host = rest.rpartition("@")  # a password may contain a slash
    return f"{scheme}{separator}...@{host}" if ":" in before else address


def is_unicode(text: str) -> bool:
    """Return whether a text can be encoded as UTF-8, which means it has no lone surrogate.

    Args:
        text: Any text.
    """
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def path_text(path: Path | str) -> str:
    r"""Return a path as valid Unicode; bytes that are not UTF-8 become `\udcNN` escapes.

    Args:
        path: A path, whose undecodable bytes are surrogates.
    """
    return str(path).encode("utf-8", "backslashreplace").decode()


def escape_json(document: bytes) -> bytes:
    r"""Return JSON with DEL, C1 controls and characters that set the text direction as `\uXXXX`.

    JSON writers escape C0 controls only. The result parses to the same values.

    Args:
        document: JSON in UTF-8.
    """
    if document.isascii() and b"\x7f" not in document:
        return document
    return _JSON.sub(lambda found: f"\\u{ord(found[0]):04x}", document.decode()).encode()


def audit_value(text: str | None, bare: re.Pattern[str] = _BARE) -> str:
    r"""Return a value for a line of `key=value` pairs: bare, or in double quotes.

    Args:
        text: The value; None becomes `None` without quotes.
        bare: The pattern of values that need no quotes.

    Returns:
        The value. Within quotes, `"` and `\` are escaped by a backslash, and control characters as
        by `escape`. If the text is longer than `MAX_SHOWN`, the number of removed characters
        follows the quotes, as in `"abc"+904`.
    """
    if text is None:
        return "None"
    if len(text) <= MAX_SHOWN and text != "None" and bare.fullmatch(text):
        return text
    inner = escape(text[:MAX_SHOWN].replace("\\", r"\\").replace('"', r"\""))
    cut = len(text) - MAX_SHOWN
    return f'"{inner}"+{cut}' if cut > 0 else f'"{inner}"'


# A program that sets up no logging is not written to; `jvmwire --log-level` does for commands.
logging.getLogger("jvmwire").addHandler(logging.NullHandler())


def get_logger(name: str) -> logging.Logger:
    """Return the logger `name` with a filter that keeps each record on one line, escaped.

    Only the traceback of `exc_info` follows on further lines, which are indented, so that the text
    of a peer cannot imitate a log record.

    Args:
        name: The name of the logger.
    """
    logger = logging.getLogger(name)
    if not any(isinstance(known, _EscapeRecord) for known in logger.filters):
        logger.addFilter(_EscapeRecord())
    return logger


class _EscapeRecord(logging.Filter):
    def filter(self, record: logging.LogRecord) -> bool:
        if isinstance(record.args, tuple):
            record.args = tuple(map(_escaped_argument, record.args))
        if record.exc_info and record.exc_info[1] is not None and not record.exc_text:
            lines = "".join(traceback.format_exception(record.exc_info[1]))
            shown = shorten(escape_lines(lines.rstrip("\n")), 16 * MAX_SHOWN)
            record.exc_text = "\n".join(f"  {line}" for line in shown.split("\n"))
        return True


class _Escaped:
    """An argument of a log record that is escaped when it is formatted."""

    __slots__ = ("_value",)

    def __init__(self, value: object) -> None:
        self._value = value

    def __str__(self) -> str:
        return escape_message(str(self._value))

    def __repr__(self) -> str:
        return escape_message(repr(self._value))


def _escaped_argument(value: Any) -> Any:
    return value if isinstance(value, int | float) else _Escaped(value)


def _escaped(found: re.Match[str]) -> str:
    letter = found[0]
    if letter in _NAMED:
        return _NAMED[letter]
    code = ord(letter)
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
