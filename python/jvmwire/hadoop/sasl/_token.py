"""Delegation tokens and token files: `Credentials` of Hadoop."""

from __future__ import annotations

import binascii
import os
from base64 import b64encode, urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from jvmwire._checks import WrongType
from jvmwire._core import HADOOP_TEXT, PROTOBUF_INT32, VINT, decode_message
from jvmwire.errors import ConfigError, DecodeError

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

MAGIC = b"HDTS"
WRITABLE, PROTOBUF = 0, 1
"""The formats of a token file: `Credentials.SerializedFormat`."""
MAX_FILE = 16 << 20
"""The largest token file in bytes (chosen by jvmwire); one token has some hundreds of bytes."""
TOKEN_FILE = "HADOOP_TOKEN_FILE_LOCATION"  # noqa: S105  # the name of a variable
TOKEN = "HADOOP_TOKEN"  # noqa: S105  # the name of a variable
DELEGATION_TOKEN = "HDFS_DELEGATION_TOKEN"  # noqa: S105  # a kind
"""The kind of a NameNode's tokens."""
_AM_RM = "YARN_AM_RM_TOKEN"
_HDFS = (DELEGATION_TOKEN,)
_YARN = ("RM_DELEGATION_TOKEN",)
_KINDS = {
    "org.apache.hadoop.hdfs.protocol.ClientDatanodeProtocol": ("HDFS_BLOCK_TOKEN",),
    "org.apache.hadoop.mapreduce.v2.api.HSClientProtocolPB": ("MR_DELEGATION_TOKEN",),
    "org.apache.hadoop.mapreduce.v2.api.MRClientProtocolPB": ("YARN_CLIENT_TOKEN",),
    "org.apache.hadoop.yarn.api.ApplicationHistoryProtocolPB": ("TIMELINE_DELEGATION_TOKEN",),
    "org.apache.hadoop.yarn.api.ApplicationMasterProtocolPB": (_AM_RM,),
    "org.apache.hadoop.yarn.api.ContainerManagementProtocolPB": ("NMToken",),
    "org.apache.hadoop.yarn.server.api.DistributedSchedulingAMProtocolPB": (_AM_RM,),
    "org.apache.hadoop.yarn.server.nodemanager.api.LocalizationProtocolPB": ("Localizer",),
}
"""The kinds of tokens that servers of a protocol accept: `@TokenInfo` of the protocols."""
_SERVERS = {
    "org.apache.hadoop.yarn.": _YARN,
    "org.apache.hadoop.ha.": _HDFS,
    "org.apache.hadoop.hdfs.": _HDFS,
    "org.apache.hadoop.ipc.": (*_HDFS, *_YARN),
    "org.apache.hadoop.security.": (*_HDFS, *_YARN),
    "org.apache.hadoop.tools.": (*_HDFS, *_YARN),
}
"""The kinds of tokens of other protocols, by the prefix of their names: their servers accept tokens
too, although Java's client sends none."""
_SEPARATED_SERVICES = frozenset({_AM_RM, *_YARN, "NMToken"})
"""The kinds whose `service` may name several servers, separated by commas:
`RMDelegationTokenSelector`."""


@dataclass(frozen=True, slots=True)
class Token:
    """Delegation token, which authenticates its holder as its owner.

    Args:
        identifier: The identifier, which contains the owner of the token.
        password: The password, which proves it.
        kind: The kind, such as `HDFS_DELEGATION_TOKEN`.
        service: The service that the token is for: `address:port`, or `ha-hdfs:` and the name of a
            name service; empty for any server that accepts tokens of its kind.

    Raises:
        ConfigError: a field is of a wrong type.
    """

    identifier: bytes = field(repr=False)
    password: bytes = field(repr=False)
    kind: str = DELEGATION_TOKEN
    service: str = ""

    def __post_init__(self) -> None:
        for name in ("identifier", "password"):
            value = getattr(self, name)
            if not isinstance(value, bytes):
                raise WrongType(f"{name} of a token must be bytes, got {type(value).__name__}")
        for name in ("kind", "service"):
            value = getattr(self, name)
            if not isinstance(value, str):
                raise WrongType(f"{name} of a token must be a str, got {type(value).__name__}")

    @property
    def username(self) -> str:
        """The user name of the token in DIGEST-MD5: `SaslRpcServer.encodeIdentifier`."""
        return b64encode(self.identifier).decode()

    @property
    def secret(self) -> str:
        """The password of the token in DIGEST-MD5: `SaslRpcServer.encodePassword`."""
        return b64encode(self.password).decode()

    def for_service(self, service: str) -> Token:
        """Return the token for another service.

        Args:
            service: The other service.

        Returns:
            A token that differs only in its service.
        """
        return replace(self, service=service)

    @classmethod
    def from_url(cls, text: str) -> Token:
        """Decode a token from the text form of `Token.encodeToUrlString`.

        Args:
            text: The text, in URL-safe base64.

        Returns:
            The token.

        Raises:
            DecodeError: the text is not a token.
        """
        try:
            data = urlsafe_b64decode(text.strip() + "=" * (-len(text.strip()) % 4))
        except (binascii.Error, ValueError) as error:
            raise DecodeError(f"a token is not valid base64: {error}") from None
        token, end = _writable_token(data, 0)
        if end != len(data):
            raise DecodeError(f"{len(data) - end} bytes are behind a token", "token", end)
        return token

    def to_url(self) -> str:
        """Encode the token in the text form of `Token.encodeToUrlString`.

        Returns:
            The text, in URL-safe base64.
        """
        parts = [VINT.encode(len(part)) + part for part in (self.identifier, self.password)]
        parts += [HADOOP_TEXT.encode(text) for text in (self.kind, self.service)]
        return urlsafe_b64encode(b"".join(parts)).rstrip(b"=").decode()


def environment_tokens(files: Sequence[str] = (), texts: Sequence[str] = ()) -> list[Token]:
    """Return the tokens of files and texts, followed by those that the environment names.

    Args:
        files: Token files, in addition to those in `HADOOP_TOKEN_FILE_LOCATION`; missing files are
            skipped. Default: none.
        texts: Encoded tokens, in addition to those in `HADOOP_TOKEN`. Default: none.

    Returns:
        The tokens of all files, followed by those of all texts.

    Raises:
        ConfigError: a file or a text is not valid.
    """
    found: list[Token] = []
    for name in dict.fromkeys([*files, *_words(TOKEN_FILE)]):
        if Path(name).is_file():
            found += read_tokens(name)
    for text in dict.fromkeys([*texts, *_words(TOKEN)]):
        try:
            found.append(Token.from_url(text))
        except DecodeError:
            # No cause: it may quote a secret.
            raise ConfigError(
                f"{TOKEN} or hadoop.tokens has a text of {len(text)} characters that is not an "
                "encoded token"
            ) from None
    return found


def _words(variable: str) -> list[str]:
    words = os.environ.get(variable, "").split(",")
    return [word.strip() for word in words if word.strip()]


def read_tokens(path: str | os.PathLike[str]) -> list[Token]:
    """Read a token file of either format.

    Args:
        path: Path of the file.

    Returns:
        The tokens.

    Raises:
        ConfigError: the file cannot be read, or is not a token file.
    """
    path = Path(path)
    try:
        size = path.stat().st_size
        if size > MAX_FILE:
            raise ConfigError(f"{path} has {size} bytes, a token file at most {MAX_FILE}")
        return decode_tokens(path.read_bytes())
    except OSError as error:
        raise ConfigError(f"tokens cannot be read: {error}") from error
    except DecodeError as error:
        raise ConfigError(f"{path} is not a token file: {error}") from error


def decode_tokens(data: bytes) -> list[Token]:
    """Decode the content of a token file.

    Args:
        data: The content.

    Returns:
        The tokens.

    Raises:
        DecodeError: the content has neither format.
    """
    if data[: len(MAGIC)] != MAGIC:
        raise DecodeError(f"it begins with {data[: len(MAGIC)]!r}, not {MAGIC!r}", "magic", 0)
    match data[len(MAGIC) : len(MAGIC) + 1]:
        case b"\0":
            return _writable_tokens(data, len(MAGIC) + 1)
        case b"\1":
            return _protobuf_tokens(data[len(MAGIC) + 1 :])
        case other:
            raise DecodeError(f"the format is {other!r}, not 0 or 1", "format", len(MAGIC))


def kinds_for(protocol: str) -> tuple[str, ...] | None:
    """Return the kinds of tokens that servers of a protocol accept.

    Args:
        protocol: Name of the protocol on the wire.

    Returns:
        The kinds, or None if they are unknown.
    """
    found = _KINDS.get(protocol)
    if found is not None:
        return found
    return next((kinds for start, kinds in _SERVERS.items() if protocol.startswith(start)), None)


def token_for(
    tokens: Sequence[Token], services: Sequence[str], kinds: Collection[str] | None = None
) -> Token | None:
    """Select the token for a server.

    A token that names a service takes precedence over one without a service, which is for any.
    Among several, the last one is selected: as in Java, a file that is read later replaces tokens.

    Args:
        tokens: Tokens to select from.
        services: Names of the server's service, the preferred first.
        kinds: Acceptable kinds of tokens. Default: any.

    Returns:
        The token, or None if none fits.
    """
    fitting = [token for token in tokens if kinds is None or token.kind in kinds]
    for service in services:
        for token in reversed(fitting):
            if service and service.lower() in _services(token):
                return token
    return next((token for token in reversed(fitting) if not token.service), None)


def _services(token: Token) -> list[str]:
    named = token.service.lower()
    return named.split(",") if token.kind in _SEPARATED_SERVICES else [named]


def _writable_tokens(data: bytes, at: int) -> list[Token]:
    # `Credentials.write`: a count, then an alias and a token for each.
    count, at = VINT.decode(data, at)
    tokens = []
    for _ in range(_within(count, data, at, "token count")):
        _, at = HADOOP_TEXT.decode(data, at)
        token, at = _writable_token(data, at)
        tokens.append(token)
    return tokens


def _writable_token(data: bytes, at: int) -> tuple[Token, int]:
    identifier, at = _writable_bytes(data, at, "identifier")
    password, at = _writable_bytes(data, at, "password")
    kind, at = HADOOP_TEXT.decode(data, at)
    service, at = HADOOP_TEXT.decode(data, at)
    return Token(identifier, password, kind, service), at


def _writable_bytes(data: bytes, at: int, what: str) -> tuple[bytes, int]:
    length, at = VINT.decode(data, at)
    end = at + _within(length, data, at, what)
    return data[at:end], end


def _within(length: int, data: bytes, at: int, what: str) -> int:
    if not 0 <= length <= len(data) - at:
        left = len(data) - at
        raise DecodeError(f"{what} says {length}, and {left} bytes are left", what, at, length)
    return length


def _protobuf_tokens(data: bytes) -> list[Token]:
    # `Credentials.writeProto`: a delimited CredentialsProto.
    length, at = PROTOBUF_INT32.decode(data, 0)
    end = at + _within(length, data, at, "message length")
    entries = decode_message("CredentialsProto", data[at:end]).get("tokens", [])
    fields = [entry["token"] for entry in entries if "token" in entry]
    return [
        Token(token["identifier"], token["password"], token["kind"], token["service"])
        for token in fields
    ]
