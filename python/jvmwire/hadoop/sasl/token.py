"""Delegation tokens, and the files that they are kept in: `Credentials` of Hadoop."""

from __future__ import annotations

import binascii
import os
from base64 import b64encode, urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from jvmwire._core import HADOOP_TEXT, PROTOBUF_INT32, VINT, decode_message
from jvmwire.errors import ConfigError, DecodeError

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

MAGIC = b"HDTS"
WRITABLE, PROTOBUF = 0, 1
"""Formats of a file: `Credentials.SerializedFormat`."""
MAX_FILE = 16 << 20
"""Bytes of a file. Ours: tokens are some hundreds of bytes."""
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
"""`@TokenInfo` of the protocols: the kinds of tokens that are for their servers."""
_SERVERS = {
    "org.apache.hadoop.yarn.": _YARN,
    "org.apache.hadoop.ha.": _HDFS,
    "org.apache.hadoop.hdfs.": _HDFS,
    "org.apache.hadoop.ipc.": (*_HDFS, *_YARN),
    "org.apache.hadoop.security.": (*_HDFS, *_YARN),
    "org.apache.hadoop.tools.": (*_HDFS, *_YARN),
}
"""The same of other protocols, by how their names begin: a server takes its tokens for them too,
though Java's client shows none."""
_SEPARATED_SERVICES = frozenset({_AM_RM, *_YARN, "NMToken"})
"""Kinds whose `service` may name several servers between commas: `RMDelegationTokenSelector`."""


@dataclass(frozen=True, slots=True)
class Token:
    """What a service knows its owner by; who has it acts in the owner's name."""

    identifier: bytes = field(repr=False)
    password: bytes = field(repr=False)
    kind: str = DELEGATION_TOKEN
    service: str = ""
    """For whom it is: `address:port`, or `ha-hdfs:` and the name of a group; empty for any server
    that takes tokens of its kind."""

    @property
    def username(self) -> str:
        """What DIGEST-MD5 calls its owner: `SaslRpcServer.encodeIdentifier`."""
        return b64encode(self.identifier).decode()

    @property
    def secret(self) -> str:
        """What DIGEST-MD5 takes as the password: `SaslRpcServer.encodePassword`."""
        return b64encode(self.password).decode()

    def for_service(self, service: str) -> Token:
        """Return it as if it were for another service."""
        return replace(self, service=service)

    @classmethod
    def from_url(cls, text: str) -> Token:
        """Read what `Token.encodeToUrlString` wrote.

        Raises:
            DecodeError: it is no token.
        """
        try:
            data = urlsafe_b64decode(text.strip() + "=" * (-len(text.strip()) % 4))
        except (binascii.Error, ValueError) as error:
            raise DecodeError(f"a token is no base64: {error}") from None
        token, end = _writable_token(data, 0)
        if end != len(data):
            raise DecodeError(f"{len(data) - end} bytes are behind a token", "token", end)
        return token

    def to_url(self) -> str:
        """Write it as `Token.encodeToUrlString` does."""
        parts = [VINT.encode(len(part)) + part for part in (self.identifier, self.password)]
        parts += [HADOOP_TEXT.encode(text) for text in (self.kind, self.service)]
        return urlsafe_b64encode(b"".join(parts)).rstrip(b"=").decode()


def environment_tokens(files: Sequence[str] = (), texts: Sequence[str] = ()) -> list[Token]:
    """Return the tokens in files and encoded ones, after them those that the environment names.

    Raises:
        ConfigError: a file, or a text, holds something else.
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
    """Return the tokens in a file of either format.

    Raises:
        ConfigError: there is no such file, or it holds something else.
    """
    path = Path(path)
    try:
        size = path.stat().st_size
        if size > MAX_FILE:
            raise ConfigError(f"{path} has {size} bytes: no file of tokens is so long")
        return decode_tokens(path.read_bytes())
    except OSError as error:
        raise ConfigError(f"tokens cannot be read: {error}") from error
    except DecodeError as error:
        raise ConfigError(f"{path} is no file of tokens: {error}") from error


def decode_tokens(data: bytes) -> list[Token]:
    """Return the tokens in a file's content.

    Raises:
        DecodeError: it is in neither format.
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
    """Return the kinds of tokens that servers of a protocol take; None if that is not known."""
    found = _KINDS.get(protocol)
    if found is not None:
        return found
    return next((kinds for start, kinds in _SERVERS.items() if protocol.startswith(start)), None)


def token_for(
    tokens: Sequence[Token], services: Sequence[str], kinds: Collection[str] | None = None
) -> Token | None:
    """Return a token of one of `kinds` (None: of any) for one of `services`.

    A token that names a service comes before one that names none, which is for any; of several,
    the last one counts, as a file that is read later replaces tokens in Java.
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
    # `Credentials.write`: a count, then alias and token, each.
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
