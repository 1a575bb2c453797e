"""Delegation token calls of the NameNode."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmwire._runtime.client import operation
from jvmwire.hadoop._client import RpcMethods
from jvmwire.hadoop.namenode._status import as_datetime
from jvmwire.hadoop.sasl._token import Token

if TYPE_CHECKING:
    from datetime import datetime

    from jvmwire._runtime.operations import Operation


class TokenMethods(RpcMethods):
    """Calls that issue, renew and cancel delegation tokens."""

    @operation
    def get_delegation_token(self, renewer: str) -> Operation[Token | None]:
        """Return a new delegation token of the caller, for the server that the client calls.

        Args:
            renewer: User that may renew the token.

        Returns:
            The token, whose `service` names the server; None if the cluster has no security.

        Source: ClientProtocol.getDelegationToken.
        """
        answer = yield from self._invoke("getDelegationToken", {"renewer": renewer})
        if "token" not in answer:
            return None
        token = Token(**answer["token"])
        return token if token.service else token.for_service(str(self._link().endpoint))

    @operation
    def renew_delegation_token(self, token: Token) -> Operation[datetime]:
        """Extend the life of a delegation token.

        Args:
            token: The token; the caller must be its renewer.

        Returns:
            The new time of expiry in UTC.

        Source: ClientProtocol.renewDelegationToken.
        """
        answer = yield from self._invoke("renewDelegationToken", _fields(token))
        return as_datetime(answer["new_expiry_time"])

    @operation
    def cancel_delegation_token(self, token: Token) -> Operation[None]:
        """Cancel a delegation token, so that servers no longer accept it.

        Args:
            token: The token.

        Source: ClientProtocol.cancelDelegationToken.
        """
        yield from self._invoke("cancelDelegationToken", _fields(token))


def _fields(token: Token) -> dict[str, dict[str, bytes | str]]:
    return {
        "token": {
            "identifier": token.identifier,
            "password": token.password,
            "kind": token.kind,
            "service": token.service,
        }
    }
