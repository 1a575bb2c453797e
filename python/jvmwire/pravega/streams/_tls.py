"""TLS settings for gRPC, which has its own OpenSSL and reads certificates as bytes."""

from __future__ import annotations

import ssl
from pathlib import Path
from typing import TYPE_CHECKING, Any

import grpc

from jvmwire.errors import ConfigError

if TYPE_CHECKING:
    from jvmwire.transports import Tls


def channel_credentials(tls: Tls) -> grpc.ChannelCredentials:
    """Return the trusted authorities and the client's certificate as gRPC credentials.

    Raises:
        ConfigError: a file is unusable, or `tls` has a setting that gRPC does not support.
    """
    if not tls.verify:
        raise ConfigError("gRPC looks at every certificate: a controller needs Tls(verify=True)")
    if tls.key_password is not None:
        raise ConfigError("gRPC takes no key that is encrypted: a controller needs a plain one")
    # The context reports an unusable file with the same error as other protocols.
    context = tls.context()
    if tls.ca_file is not None:
        trusted = Path(tls.ca_file).read_bytes()
    else:
        found = context.get_ca_certs(binary_form=True)
        trusted = "".join(map(ssl.DER_cert_to_PEM_cert, found)).encode()
    certificate = None if tls.certificate is None else Path(tls.certificate).read_bytes()
    key = certificate if tls.key is None else Path(tls.key).read_bytes()
    # Without authorities, gRPC trusts the ones it is shipped with.
    return grpc.ssl_channel_credentials(trusted or None, key, certificate)


def channel_options(tls: Tls) -> list[tuple[str, Any]]:
    """Return the channel options that the credentials do not cover."""
    name = tls.server_hostname
    return [] if name is None else [("grpc.ssl_target_name_override", name)]
