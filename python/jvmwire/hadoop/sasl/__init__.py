"""SASL authentication of Hadoop RPC, client side and server side."""

from jvmwire.hadoop.sasl.authentication import Authentication
from jvmwire.hadoop.sasl.digest import DigestClient, DigestServer
from jvmwire.hadoop.sasl.message import SaslAuth, SaslMessage
from jvmwire.hadoop.sasl.negotiation import SaslClient
from jvmwire.hadoop.sasl.protection import Protection, SecurityLayer
from jvmwire.hadoop.sasl.server import SaslServer, SecretManager
from jvmwire.hadoop.sasl.token import Token, read_tokens

__all__ = [
    "Authentication",
    "DigestClient",
    "DigestServer",
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
