"""A NameNode's client: every call once, for threads and for asyncio."""

from __future__ import annotations

import getpass
import os
import uuid
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Self

from jvmwire._core import HadoopReplyTable
from jvmwire.client import AsyncClient, Options, SyncClient, operation, stream
from jvmwire.drivers.limits import CONNECT_TIMEOUT
from jvmwire.errors import RemoteProtocolError
from jvmwire.hadoop.commands import (
    CLIENT_PROTOCOL,
    DirectoryListing,
    GetFileInfo,
    GetFileInfos,
    GetListing,
)
from jvmwire.hadoop.errors import FileNotFound
from jvmwire.hadoop.session import PING_INTERVAL, REPLY_LIMIT, HadoopClientSession
from jvmwire.hadoop.status import FileInfos, FileStatus
from jvmwire.link import Link
from jvmwire.operations import Emit
from jvmwire.retry import RetryPolicy

if TYPE_CHECKING:
    from collections.abc import Iterable

    from jvmwire.operations import Emission, Operation
    from jvmwire.transports import Endpoint


DEFAULT_RETRY = RetryPolicy()


def current_user() -> str:
    """Return the user that Hadoop takes us for: `HADOOP_USER_NAME`, else who runs this process."""
    return os.environ.get("HADOOP_USER_NAME") or getpass.getuser()


@dataclass(frozen=True, slots=True, kw_only=True)
class NameNodeOptions(Options):
    """What a NameNode's client may be told."""

    user: str = field(default_factory=current_user)
    """In whose name calls are made."""
    real_user: str | None = None
    """Who makes them, where that is another: the server must allow it."""
    caller_context: str | None = None
    """What the NameNode's audit log is told of our calls."""
    connect_timeout: float = CONNECT_TIMEOUT
    retry: RetryPolicy = DEFAULT_RETRY
    """Of what is safe to repeat; connections are made again as often."""
    ping_interval: float | None = PING_INTERVAL
    """Seconds of silence after which a server that owes replies is pinged; None is never."""
    reply_limit: int = REPLY_LIMIT
    """Bytes of a reply."""


class _Operations:
    _link: Link

    @operation
    def get_file_info(self, path: str) -> Operation[FileStatus | None]:
        """Return what stands at `path`, or None."""
        found: FileStatus | None = yield from self._link.call(GetFileInfo(path))
        return found

    @operation
    def get_file_infos(self, paths: Iterable[str]) -> Operation[FileInfos]:
        """Return what stands at each of `paths`: one call a path, all in flight together."""
        batch = GetFileInfos(list(paths))
        replies = HadoopReplyTable(0)
        if batch.paths:
            replies, *_ = yield from self._link.call(batch)
        return FileInfos(batch.paths, replies)

    @stream
    def get_listing(self, path: str, *, need_location: bool = False) -> Emission[FileStatus]:
        """Yield what is in a directory, in order of name; a file yields itself.

        A page is asked for when the one before it was read: what changes meanwhile shows, or not.

        Raises:
            FileNotFound: there is nothing at `path`, or no longer.
        """
        start_after = b""
        while True:
            page: DirectoryListing | None = yield from self._link.call(
                GetListing(path, start_after, need_location)
            )
            if page is None:
                raise FileNotFound(f"{path} does not exist", "java.io.FileNotFoundException")
            for status in page.entries:
                yield Emit(status)
            if not page.remaining_entries:
                return
            if page.last_name <= start_after:
                raise RemoteProtocolError(f"a page of {path} does not go on after {start_after!r}")
            start_after = page.last_name

    @operation
    def _connect(self) -> Operation[None]:
        yield from self._link.connection()


def _link(endpoint: Endpoint, options: NameNodeOptions) -> Link:
    # The same on every connection: with the call id it tells servers what was asked before.
    client_id = uuid.uuid4().bytes
    return Link(
        endpoint,
        lambda: HadoopClientSession(
            protocol=CLIENT_PROTOCOL,
            user=options.user,
            real_user=options.real_user,
            client_id=client_id,
            caller_context=options.caller_context,
            ping_interval=options.ping_interval,
            reply_limit=options.reply_limit,
        ),
        connect_timeout=options.connect_timeout,
        retry=options.retry,
    )


class NameNode(_Operations, SyncClient):
    """Blocking client of a NameNode; threads may share it."""

    def __init__(self, endpoint: Endpoint, options: NameNodeOptions | None = None) -> None:
        options = options or NameNodeOptions()
        super().__init__(options)
        self._link = _link(endpoint, options)

    @classmethod
    def connect(cls, endpoint: Endpoint, options: NameNodeOptions | None = None) -> Self:
        """Return a client that is connected; it connects again when it has to."""
        client = cls(endpoint, options)
        try:
            client._connect()
        except BaseException:
            client.close(linger=0.0)
            raise
        return client


class AsyncNameNode(_Operations, AsyncClient):
    """The same calls, awaited; they may overlap."""

    def __init__(self, endpoint: Endpoint, options: NameNodeOptions | None = None) -> None:
        options = options or NameNodeOptions()
        super().__init__(options)
        self._link = _link(endpoint, options)

    @classmethod
    async def connect(cls, endpoint: Endpoint, options: NameNodeOptions | None = None) -> Self:
        """Return a client that is connected; it connects again when it has to."""
        client = cls(endpoint, options)
        try:
            await client._connect()
        except BaseException:
            await client.close(linger=0.0)
            raise
        return client
