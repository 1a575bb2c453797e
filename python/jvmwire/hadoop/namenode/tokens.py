"""Delegation tokens: what stands for a user who has proved who they are."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from jvmwire.client import operation
from jvmwire.hadoop.client import Calls
from jvmwire.hadoop.namenode.records import Record
from jvmwire.hadoop.status import EPOCH

if TYPE_CHECKING:
    from jvmwire.operations import Operation


@dataclass(frozen=True, slots=True, kw_only=True)
class DelegationToken(Record):
    """`TokenProto`. Its password does not show."""

    identifier: bytes = field(repr=False)
    password: bytes = field(repr=False)
    kind: str
    service: str

    def to_fields(self) -> dict[str, bytes | str]:
        """Return the message."""
        return {
            "identifier": self.identifier,
            "password": self.password,
            "kind": self.kind,
            "service": self.service,
        }


class TokenCalls(Calls):
    """What can be done with delegation tokens."""

    @operation
    def get_delegation_token(self, renewer: str) -> Operation[DelegationToken | None]:
        """Return a token that `renewer` may renew; None where there is no security."""
        answer = yield from self._answer("getDelegationToken", {"renewer": renewer})
        return DelegationToken.from_fields(answer["token"]) if "token" in answer else None

    @operation
    def renew_delegation_token(self, token: DelegationToken) -> Operation[datetime]:
        """Renew a token; return when it expires."""
        answer = yield from self._answer("renewDelegationToken", {"token": token.to_fields()})
        return EPOCH + timedelta(milliseconds=answer["new_expiry_time"])

    @operation
    def cancel_delegation_token(self, token: DelegationToken) -> Operation[None]:
        """End a token."""
        yield from self._answer("cancelDelegationToken", {"token": token.to_fields()})
