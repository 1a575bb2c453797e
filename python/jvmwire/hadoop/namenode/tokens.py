"""Delegation tokens: what stands for a user who has proved who they are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmwire._runtime.client import operation
from jvmwire.hadoop.client import RpcMethods
from jvmwire.hadoop.namenode.status import as_datetime
from jvmwire.hadoop.sasl.token import Token

if TYPE_CHECKING:
    from datetime import datetime

    from jvmwire._runtime.operations import Operation


class TokenMethods(RpcMethods):
    """What can be done with delegation tokens."""

    @operation
    def get_delegation_token(self, renewer: str) -> Operation[Token | None]:
        """Return a token that `renewer` may renew; None where there is no security.

        It is for the server that is called: its `service` says so.
        """
        answer = yield from self._invoke("getDelegationToken", {"renewer": renewer})
        if "token" not in answer:
            return None
        token = Token(**answer["token"])
        return token if token.service else token.for_service(str(self._link().endpoint))

    @operation
    def renew_delegation_token(self, token: Token) -> Operation[datetime]:
        """Renew a token; return when it expires."""
        answer = yield from self._invoke("renewDelegationToken", _fields(token))
        return as_datetime(answer["new_expiry_time"])

    @operation
    def cancel_delegation_token(self, token: Token) -> Operation[None]:
        """End a token."""
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
