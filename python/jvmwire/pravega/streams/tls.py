"""What gRPC is to know of TLS: it has an OpenSSL of its own, and takes what is in files."""

from __future__ import annotations

import ssl
from pathlib import Path
from typing import TYPE_CHECKING, Any

import grpc

from jvmwire.errors import ConfigError

if TYPE_CHECKING:
    from jvmwire.transports import Tls


def channel_credentials(tls: Tls) -> grpc.ChannelCredentials:
    """Return what a channel trusts, and how it proves who we are.

    Raises:
        ConfigError: a file is of no use, or `tls` wants what gRPC does not do.
    """
    if not tls.verify:
        raise ConfigError("gRPC looks at every certificate: a controller needs Tls(verify=True)")
    if tls.key_password is not None:
        raise ConfigError("gRPC takes no key that is encrypted: a controller needs a plain one")
    # Says in one way for all what is wrong with a file.
    context = tls.context()
    if tls.ca_file is not None:
        trusted = Path(tls.ca_file).read_bytes()
    else:
        found = context.get_ca_certs(binary_form=True)
        trusted = "".join(map(ssl.DER_cert_to_PEM_cert, found)).encode()
    certificate = None if tls.certificate is None else Path(tls.certificate).read_bytes()
    key = certificate if tls.key is None else Path(tls.key).read_bytes()
    # Without any, gRPC trusts those that it brings along.
    return grpc.ssl_channel_credentials(trusted or None, key, certificate)


def channel_options(tls: Tls) -> list[tuple[str, Any]]:
    """Return what a channel is told beside it."""
    name = tls.server_hostname
    return [] if name is None else [("grpc.ssl_target_name_override", name)]
