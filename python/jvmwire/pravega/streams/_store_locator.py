"""Locator of the segment stores that own a stream's segments, with channels that fail over."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmwire._runtime.channel import FailoverChannel, RetryingChannel
from jvmwire._runtime.operations import Sleep, Spawn
from jvmwire.errors import ServerError, TransportError
from jvmwire.pravega._session import PravegaClientSession
from jvmwire.pravega.errors import AuthTokenCheckFailed
from jvmwire.pravega.streams import _controller_pb2 as messages
from jvmwire.pravega.streams._names import stream_info
from jvmwire.pravega.streams._token_lifetime import RENEW_AT_FRACTION, token_lifetime
from jvmwire.transports import Tcp

if TYPE_CHECKING:
    from jvmwire._runtime.operations import Connection, Operation
    from jvmwire.errors import JvmWireError
    from jvmwire.pravega.streams._controller import Controller
    from jvmwire.pravega.streams._options import StreamOptions


class Stores:
    """The segment stores of one stream, and the delegation token for them."""

    def __init__(self, controller: Controller, stream: str, options: StreamOptions) -> None:
        self.stream = stream
        self._controller = controller
        self._info = stream_info(stream)
        self.options = options
        self._links: dict[tuple[str, int], FailoverChannel] = {}
        self._token = ""
        self._token_wanted = bool(options.user)
        self._token_ages = False
        """Whether most of the token's lifetime is over; it is still valid."""

    def ensure_token(self) -> Operation[None]:
        """Fetch a token if there is none, if it was invalidated, or if it expires soon."""
        if self._token_wanted:
            yield from self._renew_token()
        elif self._token_ages:
            self._token_ages = False  # one call renews it; others use the present one meanwhile
            try:
                yield from self._renew_token()
            except (TransportError, ServerError):
                self._token_ages = True

    def _renew_token(self) -> Operation[None]:
        token = self._token = yield from self.fetch_token()
        self._token_wanted = self._token_ages = False
        if (life := token_lifetime(token)) is not None:
            yield Spawn(self._note_age(token, life), f"time the token of {self.stream}")

    def _note_age(self, token: str, life: float) -> Operation[None]:
        yield Sleep(RENEW_AT_FRACTION * life)
        if token == self._token:
            self._token_ages = True

    def fetch_token(self) -> Operation[str]:
        """Fetch a new token, with the lifetime that the controller chooses."""
        self._info.accessOperation = messages.StreamInfo.READ_WRITE
        answer = yield from self._controller.call("getDelegationToken", self._info)
        token: str = answer.delegationToken
        return token

    def invalidate_token(self) -> None:
        """Note that the token may have expired: the next connection fetches another."""
        self._token_wanted = bool(self.options.user)

    def locate(self, segment_id: int) -> Operation[FailoverChannel]:
        """Return the channel to the store that owns a segment."""
        request = messages.SegmentId(streamInfo=self._info, segmentId=segment_id)
        node = yield from self._controller.call("getURI", request)
        place = (node.endpoint, node.port)
        if place not in self._links:
            options = self.options
            self._links[place] = FailoverChannel(
                Tcp(*place, tls=self._controller.tls),
                lambda: PravegaClientSession(
                    delegation_token=lambda: self._token,
                    keep_alive_interval=options.keep_alive_interval,
                ),
                connect_timeout=options.connect_timeout,
                retry=options.retry,
            )
        return self._links[place]

    def segment_channel(self, segment_id: int) -> SegmentLine:
        """Return a channel to a segment that follows it between stores."""
        return SegmentLine(self, segment_id, self.options)


class SegmentLine(RetryingChannel[None]):
    """Channel to a segment; after each failure its store is looked up again."""

    def __init__(self, stores: Stores, segment_id: int, options: StreamOptions) -> None:
        super().__init__(options.retry, None)
        self._stores = stores
        self._segment_id = segment_id
        self._link: FailoverChannel | None = None

    def connect(self, _: None) -> Operation[Connection]:
        yield from self._stores.ensure_token()
        if self._link is None:
            self._link = yield from self._stores.locate(self._segment_id)
        return (yield from self._link.connection())

    def fail_over(self, _: None, error: JvmWireError) -> int:
        # A store may close the connection without a reply when it receives an expired token.
        self._stores.invalidate_token()
        if not isinstance(error, AuthTokenCheckFailed):
            self._link = None
        return 0
