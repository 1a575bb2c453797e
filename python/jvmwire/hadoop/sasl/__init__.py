"""SASL authentication of Hadoop RPC, client side and server side."""

from jvmwire.hadoop.sasl._authentication import Authentication
from jvmwire.hadoop.sasl._digest import DigestClient, DigestServer
from jvmwire.hadoop.sasl._kerberos import Kerberos
from jvmwire.hadoop.sasl._message import SaslAuth, SaslMessage
from jvmwire.hadoop.sasl._negotiation import SaslClient
from jvmwire.hadoop.sasl._protection import Protection, SecurityLayer
from jvmwire.hadoop.sasl._server import SaslServer, SecretManager
from jvmwire.hadoop.sasl._token import Token, read_tokens

__all__ = [
    "Authentication",
    "DigestClient",
    "DigestServer",
    "Kerberos",
    "Protection",
    "SaslAuth",
    "SaslClient",
    "SaslMessage",
    "SaslServer",
    "SecretManager",
    "SecurityLayer",
    "Token",
    "read_tokens",
]
