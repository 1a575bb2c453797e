"""Who could not be proved to be who they are, and why.

AuthenticationFailed
    ServerNotTrusted        the server did not prove who it is, or is another than it should be
    InsecureServer          the server wants no proof, and we do not talk to just anybody
    KerberosError           what Kerberos says; `code` is its number, as `KRB5_KT_NOTFOUND`
        NoCredentials           no ticket and no keytab to get one with
        WrongKeytab             the keytab has not the key of that principal
        TicketExpired           the ticket is too old, and nothing is there to renew it with
        ClockSkew               the clocks of two machines differ by more than Kerberos allows
        WrongRealm              nobody knows a KDC of that realm
        UnknownPrincipal        the KDC does not know the client or the service
        KdcUnreachable          no KDC answers
"""

from __future__ import annotations

from jvmwire.errors import JvmWireError


class AuthenticationFailed(JvmWireError):
    """One of the two could not prove who they are."""


class ServerNotTrusted(AuthenticationFailed):
    """The server did not prove who it is, or is another than it should be."""


class InsecureServer(AuthenticationFailed):
    """The server asks for no proof; whoever answers at its address would be believed."""


class KerberosError(AuthenticationFailed):
    """Kerberos did not give a ticket, or does not believe one."""

    def __init__(self, message: str, code: int = 0) -> None:
        super().__init__(message)
        self.code = code
        """The number of the error in `krb5.h`."""


class NoCredentials(KerberosError):
    """There is neither a ticket nor a keytab to get one with."""


class WrongKeytab(KerberosError):
    """The keytab has not the key that the KDC has."""


class TicketExpired(KerberosError):
    """The ticket is too old."""


class ClockSkew(KerberosError):
    """The clocks differ by more than Kerberos allows."""


class WrongRealm(KerberosError):
    """Nobody knows a KDC of that realm."""


class UnknownPrincipal(KerberosError):
    """The KDC does not know who asks, or who is asked for."""


class KdcUnreachable(KerberosError):
    """No KDC of the realm answers."""
