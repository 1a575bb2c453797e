"""TLS settings of a connection: trusted authorities and the client's certificate."""

import os
import re
import ssl
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from jvmwire._checks import WrongType
from jvmwire.errors import ConfigError
from jvmwire.transports._transport import os_error_message

Path = str | os.PathLike[str]

VERIFY_ERRORS = {
    2: "unknown CA",  # X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT
    9: "not yet valid",  # X509_V_ERR_CERT_NOT_YET_VALID
    10: "expired",  # X509_V_ERR_CERT_HAS_EXPIRED
    18: "unknown CA",  # X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT
    19: "unknown CA",  # X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN
    20: "unknown CA",  # X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY
    21: "unknown CA",  # X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE
    62: "wrong host name",  # X509_V_ERR_HOSTNAME_MISMATCH
    64: "wrong address",  # X509_V_ERR_IP_ADDRESS_MISMATCH
}
"""Reasons for which a certificate is refused, by OpenSSL's error number."""

NOT_TLS_REASONS = {
    "WRONG_VERSION_NUMBER",
    "HTTP_REQUEST",
    "RECORD_LAYER_FAILURE",
    "PACKET_LENGTH_TOO_LONG",
}
"""OpenSSL's error names for a peer whose first bytes are not a TLS record."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tls:
    """TLS settings: trusted authorities, and the certificate of this client.

    Args:
        ca_file: PEM file of trusted authorities, used instead of the system's; None (the default)
            trusts the system's authorities.
        certificate: PEM file with the client's certificate chain; None (the default) sends none.
        key: PEM file with the private key; None (the default) reads it from the certificate's file.
        key_password: Called each time the key must be decrypted.
        server_hostname: Name that the peer's certificate must have; None (the default) is the host
            of the endpoint.
        verify: Whether the peer's certificate is verified; False accepts any peer.

    Raises:
        ConfigError: a key is given without a certificate, or `server_hostname` is invalid.
        TypeError: an argument is of a wrong type; this is also a `ConfigError`.
    """

    ca_file: Path | None = None
    certificate: Path | None = None
    key: Path | None = None
    key_password: Callable[[], str | bytes] | None = field(default=None, repr=False)
    server_hostname: str | None = None
    verify: bool = True

    def __post_init__(self) -> None:
        for name in ("ca_file", "certificate", "key"):
            _check_type(name, getattr(self, name), "a path", str, os.PathLike)
        _check_type("server_hostname", self.server_hostname, "a str", str)
        if not isinstance(self.verify, bool):
            raise WrongType(f"verify must be True or False, got {type(self.verify).__name__}")
        if self.key_password is not None and not callable(self.key_password):
            kind = type(self.key_password).__name__
            raise WrongType(f"key_password must be a function, got {kind}")
        if self.certificate is None and (self.key is not None or self.key_password is not None):
            raise ConfigError("a key of TLS is of use only with its certificate")
        host = self.server_hostname
        if host is not None and (not host or "\0" in host):
            raise ConfigError(f"{host!r} is not a valid host name")

    def context(self) -> ssl.SSLContext:
        """Create the SSL context; reads the files.

        Returns:
            A new client-side context.

        Raises:
            ConfigError: a file cannot be read or used.
        """
        try:
            context = ssl.create_default_context(cafile=self.ca_file)
        except OSError as error:
            raise ConfigError(
                f"cannot use the CA file {self.ca_file}: {describe_tls_error(error)}"
            ) from error
        if not self.verify:
            context.check_hostname = False
            context.verify_mode = ssl.CERT_NONE
        if self.certificate is not None:
            try:
                # Without a password callback OpenSSL would prompt at the terminal.
                password = self.key_password or (lambda: b"")
                context.load_cert_chain(self.certificate, self.key, password)
            except OSError as error:
                of_key = "" if self.key is None else f" with the key {self.key}"
                raise ConfigError(
                    f"cannot use the certificate {self.certificate}{of_key}: "
                    f"{describe_tls_error(error)}"
                ) from error
        return context


def _check_type(name: str, value: Any, expected: str, *types: type) -> None:
    if value is not None and not isinstance(value, types):
        raise WrongType(f"{name} must be {expected}, or None, got {type(value).__name__}")


def describe_tls_error(error: OSError) -> str:
    """Return the reason why TLS failed."""
    if isinstance(error, ssl.SSLCertVerificationError):
        why = VERIFY_ERRORS.get(error.verify_code, "not trusted")
        return f"the peer's certificate is refused: {why} ({error.verify_message})"
    if not isinstance(error, ssl.SSLError):
        return os_error_message(error)
    name = error.reason or ""
    if name in NOT_TLS_REASONS:
        return "the peer does not speak TLS"
    if alert := re.fullmatch(r"(?:TLS|SSL)V\d+_ALERT_(\w+)", name):
        return f"the peer broke it off: {_humanize(alert[1])}"
    return _humanize(name) or "OpenSSL does not say why"


def _humanize(name: str) -> str:
    return name.replace("_", " ").lower()
