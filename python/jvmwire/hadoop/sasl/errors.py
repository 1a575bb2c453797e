"""Errors of authentication.

AuthenticationFailed
    ServerNotTrusted        the server failed to authenticate, or has an unexpected principal
    InsecureServer          the server requires no authentication, and the client insists on it
    KerberosError           an error of Kerberos; `code` is its number, as `KRB5_KT_NOTFOUND`
        NoCredentials           no ticket, and no keytab to get one with
        WrongKeytab             the keytab does not have the key of the principal
        TicketExpired           the ticket has expired and cannot be renewed
        ClockSkew               the clocks of two machines differ by more than Kerberos allows
        WrongRealm              no KDC of the realm is known
        UnknownPrincipal        the KDC does not know the client or the service
        KdcUnreachable          no KDC answers
"""

from __future__ import annotations

from jvmwire.errors import AuthenticationError

__all__ = [
    "AuthenticationFailed",
    "ClockSkew",
    "InsecureServer",
    "KdcUnreachable",
    "KerberosError",
    "NoCredentials",
    "ServerNotTrusted",
    "TicketExpired",
    "UnknownPrincipal",
    "WrongKeytab",
    "WrongRealm",
]


class AuthenticationFailed(AuthenticationError):
    """One of the two sides failed to authenticate."""


class ServerNotTrusted(AuthenticationFailed):
    """The server failed to authenticate, or has an unexpected principal."""


class InsecureServer(AuthenticationFailed):
    """The server requires no authentication, so any server at its address would be trusted."""


class KerberosError(AuthenticationFailed):
    """Kerberos issued no ticket, or rejected one.

    Args:
        message: Text of the error.
        code: Number of the error in `krb5.h`. Default: 0.
    """

    def __init__(self, message: str, code: int = 0) -> None:
        super().__init__(message)
        self.code = code
        """The number of the error in `krb5.h`."""


class NoCredentials(KerberosError):
    """There is neither a ticket nor a keytab to get one with."""


class WrongKeytab(KerberosError):
    """The keytab does not have the key that the KDC has."""


class TicketExpired(KerberosError):
    """The ticket has expired."""


class ClockSkew(KerberosError):
    """The clocks differ by more than Kerberos allows."""


class WrongRealm(KerberosError):
    """No KDC of the realm is known."""


class UnknownPrincipal(KerberosError):
    """The KDC does not know the client or the service."""


class KdcUnreachable(KerberosError):
    """No KDC of the realm answers."""
