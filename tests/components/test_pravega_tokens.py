"""Tokens are renewed before they expire, so that no call is refused first."""

import base64
from types import SimpleNamespace
from typing import Any

import orjson
import pytest

from jvmwire._runtime.operations import RunExternal, Sleep, Spawn
from jvmwire.errors import ConnectionLost
from jvmwire.pravega.streams import StreamOptions
from jvmwire.pravega.streams._controller import Controller
from jvmwire.pravega.streams._store_locator import Stores
from jvmwire.pravega.streams._token_lifetime import RENEW_AT_FRACTION, token_lifetime
from jvmwire.transports import Tcp

LIFE = 600


def token(number: int, claims: dict[str, Any] | None = None) -> str:
    claims = claims if claims is not None else {"sub": str(number), "iat": 1000, "exp": 1000 + LIFE}
    parts = [orjson.dumps({"alg": "HS512"}), orjson.dumps(claims), b"signature"]
    return ".".join(base64.urlsafe_b64encode(part).decode().rstrip("=") for part in parts)


def new_stores() -> Stores:
    options = StreamOptions(user="admin", password="no 1 knows")  # noqa: S106 - nobody's
    controller = Controller(
        Tcp("127.0.0.1", 9), user=options.user, password=options.password, retry=options.retry
    )
    return Stores(controller, "scope/stream", options)


def admitted(stores: Stores, answer: str | Exception) -> list[Any]:
    """Have a call admitted, with `answer` from the controller; return its requests."""
    asked = []
    operation = stores.ensure_token()
    try:
        instruction = next(operation)
        while True:
            asked.append(instruction)
            if not isinstance(instruction, RunExternal):
                instruction = operation.send(None)
            elif isinstance(answer, Exception):
                instruction = operation.throw(answer)
            else:
                instruction = operation.send(SimpleNamespace(delegationToken=answer))
    except StopIteration:
        return asked


def grow_old(spawned: Spawn) -> None:
    operation = spawned.operation
    sleep = next(operation)
    assert isinstance(sleep, Sleep)
    assert sleep.seconds == RENEW_AT_FRACTION * LIFE
    with pytest.raises(StopIteration):
        operation.send(None)


def test_a_token_whose_life_is_mostly_over_is_renewed_by_the_next_call_and_only_by_it():
    stores = new_stores()
    _, spawned = admitted(stores, token(1))
    assert admitted(stores, token(2)) == []
    grow_old(spawned)
    asked = admitted(stores, token(2))
    assert [type(one) for one in asked] == [RunExternal, Spawn]
    assert stores._token == token(2)
    assert admitted(stores, token(3)) == []


def test_a_token_that_was_replaced_does_not_age():
    stores = new_stores()
    _, spawned = admitted(stores, token(1))
    stores.invalidate_token()
    admitted(stores, token(2))
    grow_old(spawned)
    assert admitted(stores, token(3)) == []


def test_while_the_controller_is_away_the_token_that_there_is_serves_on():
    stores = new_stores()
    _, spawned = admitted(stores, token(1))
    grow_old(spawned)
    asked = admitted(stores, ConnectionLost("away"))
    assert [type(one) for one in asked] == [RunExternal]
    assert stores._token == token(1)
    assert [type(one) for one in admitted(stores, token(2))] == [RunExternal, Spawn]


@pytest.mark.parametrize(
    "told",
    [
        "",
        "opaque",
        "a.b.c",
        "a.!.c",
        token(1, {}),
        token(1, {"iat": 5, "exp": 5}),
        token(1, {"iat": "x", "exp": 5}),
        token(1, {"exp": 5}),
    ],
)
def test_a_token_that_does_not_say_how_long_it_lives_is_renewed_when_it_is_refused(told):
    assert token_lifetime(told) is None
    stores = new_stores()
    assert [type(one) for one in admitted(stores, told)] == [RunExternal]
    assert admitted(stores, told) == []
