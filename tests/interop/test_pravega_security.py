"""TLS and tokens, with a real controller and segment store that require authentication."""

import base64
import itertools
import logging
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from jvmwire.errors import ConfigError, ConnectFailed
from jvmwire.options import NEVER, RetryPolicy
from jvmwire.pravega import SegmentStore, SegmentStoreOptions
from jvmwire.pravega.errors import AuthTokenCheckFailed, TokenExpired
from jvmwire.pravega.streams import (
    AsyncStreamClient,
    KeyValueTableConfig,
    ReaderGroupConfig,
    StreamClient,
)
from jvmwire.pravega.streams._token_lifetime import token_lifetime
from jvmwire.pravega.streams.errors import NotAllowed
from jvmwire.transports import Tcp, Tls
from kit.certificates import Authority
from kit.client_flavours import STYLES, Style, in_every_style
from kit.command import jvmwire
from kit.pravega import Security, StandalonePeer
from kit.stream_clients import opened

PATIENT = 60.0
LONG = 600
"""Default lifetime of tokens in seconds."""

numbers = itertools.count()


@pytest.fixture(scope="module")
def security(ca: Authority) -> Security:
    return Security(ca)


@pytest.fixture(scope="module")
def peer(tmp_path_factory: pytest.TempPathFactory, security: Security) -> Iterator[StandalonePeer]:
    with StandalonePeer(tmp_path_factory.mktemp("secure"), security=security) as peer:
        with StreamClient(peer.controller, peer.options(timeout=PATIENT)) as client:
            client.create_scope("secure")
        yield peer


@pytest.fixture
def stranger(tmp_path: Path) -> Tls:
    """TLS settings that trust a CA other than that of the servers."""
    return Tls(ca_file=Authority(tmp_path).file)


@pytest.fixture
def name(peer: StandalonePeer) -> str:
    """A stream that no other test uses."""
    name = f"secure/stream-{next(numbers)}"
    with StreamClient(peer.controller, peer.options(timeout=PATIENT)) as client:
        client.create_stream(name)
    return name


@pytest.mark.parametrize("style", STYLES, ids=lambda style: style.name)
@in_every_style
async def test_a_stream_is_written_and_read_by_tls_and_nothing_secret_is_said(
    style: Style,
    peer: StandalonePeer,
    security: Security,
    name: str,
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.DEBUG)
    options = peer.options(timeout=PATIENT, trace=True)
    async with style.connect(StreamClient, AsyncStreamClient, peer.controller, options) as client:
        token = await client.get_delegation_token(name)
        assert token
        transaction = await client.begin_transaction(name)
        if style.name == "sync":
            transaction.write(b"in", "a")
            transaction.commit()
        else:
            await transaction.write(b"in", "a")
            await transaction.commit()
        found = [batch async for batch in style.each(client, client.read_events(name))]
        assert [event for batch in found for event in batch.events] == [b"in"]
        said = caplog.text + repr(options) + repr(client)
    basic = base64.b64encode(f"{security.user}:{security.password}".encode()).decode()
    assert "SetupAppend" in said
    for secret in (security.password, basic, token.rpartition(".")[2], token.partition(".")[0]):
        assert secret not in said


def test_who_trusts_somebody_else_does_not_connect(peer: StandalonePeer, stranger: Tls) -> None:
    controller = Tcp(peer.controller.host, peer.controller.port, tls=stranger)
    with (
        StreamClient(controller, peer.options(retry=NEVER, timeout=PATIENT)) as client,
        pytest.raises(ConnectFailed),
    ):
        client.create_scope("never")
    store = Tcp(peer.store.host, peer.store.port, tls=stranger)
    with pytest.raises(ConnectFailed, match="certificate is refused"):
        SegmentStore.connect(store, SegmentStoreOptions(retry=NEVER))


def test_a_wrong_password_is_refused_and_not_repeated_in_the_error(peer: StandalonePeer) -> None:
    options = peer.options(password="wrong, and a secret", timeout=PATIENT)  # noqa: S106 - no more
    with (
        StreamClient(peer.controller, options) as client,
        pytest.raises(NotAllowed) as refused,
    ):
        client.create_scope("never")
    assert options.password not in repr(refused.value) + str(refused.value.__cause__)


def test_what_grpc_does_not_do_is_refused_before_anything_is_sent(tmp_path: Path) -> None:
    for tls, why in [
        (Tls(verify=False), "every certificate"),
        (Tls(ca_file=tmp_path / "none"), "CA file"),
    ]:
        with (
            StreamClient(Tcp("127.0.0.1", 9, tls=tls)) as client,
            pytest.raises(ConfigError, match=why),
        ):
            client.create_scope("never")


def test_a_segment_is_only_for_who_has_its_token(peer: StandalonePeer, name: str) -> None:
    store = Tcp(peer.store.host, peer.store.port, tls=peer.tls)
    with StreamClient(peer.controller, peer.options(timeout=PATIENT)) as client:
        [segment] = client.segments(name)
        token = client.get_delegation_token(name)
    assert token_lifetime(token) == LONG
    options = SegmentStoreOptions(delegation_token=token, timeout=PATIENT)
    with SegmentStore(store, options) as bearer, bearer.appender(segment.name) as appender:
        appender.append(b"let in")
        assert list(bearer.read_events(segment.name)) == [[b"let in"]]
    with SegmentStore(store, SegmentStoreOptions(timeout=PATIENT, retry=NEVER)) as nobody:
        with pytest.raises(AuthTokenCheckFailed):
            nobody.get_segment_info(segment.name)
        with pytest.raises(AuthTokenCheckFailed):
            nobody.appender(segment.name).append(b"in vain")


def test_the_command_line_proves_who_asks(
    peer: StandalonePeer,
    security: Security,
    name: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("JVMWIRE_PRAVEGA_PASSWORD", security.password)
    (tmp_path / "lines").write_bytes(b"one\ntwo\n")
    where = ("--ca-file", security.authority.file, "--server", str(peer.controller))
    who = (*where, "--user", security.user)
    jvmwire("pravega", "append", "--stream", *who, name, tmp_path / "lines")
    assert jvmwire("pravega", "cat", "--stream", *who, name).stdout.split() == [b"one", b"two"]
    refused = jvmwire("pravega", "scopes", *where, status=3)
    assert security.password not in refused.stderr


def test_tokens_that_expire_are_renewed_while_events_are_written_and_read(
    peer: StandalonePeer, name: str
) -> None:
    retry = RetryPolicy(attempts=50, first_wait=0.01, longest_wait=0.5)
    options = peer.options(timeout=PATIENT, retry=retry)
    found: list[bytes] = []
    with (
        StreamClient(peer.controller, options) as client,
        StreamClient(peer.controller, options) as other,
        ThreadPoolExecutor(1) as pool,
    ):
        tokens = [""]
        peer.let_tokens_live(2)
        try:
            follow = other.within(None).read_events(name, follow=True)

            def read() -> None:
                for batch in follow:
                    found.extend(batch.events)

            reading = pool.submit(read)
            written = 0
            deadline = time.monotonic() + PATIENT
            with client.writer(name) as writer:
                while len(tokens) < 4 and time.monotonic() < deadline:
                    writer.write_all([b"%d" % at for at in range(written, written + 50)])
                    written += 50
                    if (token := client._stores[name]._token) != tokens[-1]:
                        tokens.append(token)
                    time.sleep(0.02)
                writer.flush()
        finally:
            peer.let_tokens_live(LONG)
        assert len(tokens) == 4
        [segment] = client.segments(name)
        expired = SegmentStoreOptions(delegation_token=tokens[1], timeout=PATIENT, retry=NEVER)
        client.seal_stream(name)
        reading.result(PATIENT)
    assert found == [b"%d" % at for at in range(written)]
    store = Tcp(peer.store.host, peer.store.port, tls=peer.tls)
    with SegmentStore(store, expired) as late, pytest.raises(TokenExpired):
        late.get_segment_info(segment.name)


@pytest.mark.parametrize("style", STYLES[:2], ids=lambda style: style.name)
@in_every_style
async def test_a_table_by_tls_and_a_token_keeps_its_entries(
    style: Style, peer: StandalonePeer
) -> None:
    name = f"secure/table-{next(numbers)}"
    options = peer.options(timeout=PATIENT)
    async with style.connect(StreamClient, AsyncStreamClient, peer.controller, options) as client:
        await client.create_table(name, KeyValueTableConfig(2, 4, 0))
        table = await opened(client, "key_value_table", name)
        await table.put(b"key1", b"value")
        found = await table.get(b"key1")
        assert found.value == b"value"
    wrong = peer.options(password="wrong", timeout=PATIENT)  # noqa: S106 - no more
    async with style.connect(StreamClient, AsyncStreamClient, peer.controller, wrong) as client:
        with pytest.raises(NotAllowed):
            await client.key_value_table(name)


@pytest.mark.parametrize("style", STYLES[:2], ids=lambda style: style.name)
@in_every_style
async def test_a_reader_group_by_tls_and_a_token_reads_every_event(
    style: Style, peer: StandalonePeer, name: str
) -> None:
    with StreamClient(peer.controller, peer.options(timeout=PATIENT)) as client:
        client.create_reader_group(name, ReaderGroupConfig({name: None}))
        with client.writer(name) as writer:
            writer.write_all([b"%d" % number for number in range(100)], ["key"] * 100)
        client.seal_stream(name)
    options = peer.options(timeout=PATIENT)
    async with style.connect(StreamClient, AsyncStreamClient, peer.controller, options) as client:
        reader = await opened(client, "group_reader", name, "reader")
        events: list[bytes] = []
        while not (batch := await reader.read()).is_end:
            events += batch.events
        await reader.close()
    assert events == [b"%d" % number for number in range(100)]
