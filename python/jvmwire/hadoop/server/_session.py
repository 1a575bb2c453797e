"""Server side of Hadoop RPC, without I/O.

A client sends a header, optionally SASL messages, a connection context, and then calls; the answers
may be in any order.
"""

from __future__ import annotations

import enum
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Final, NoReturn

from jvmwire._core import HadoopRequest, HadoopRequestDecoder, encode_old_version, encode_refusal
from jvmwire._runtime.session import (
    CLOSED,
    NEED_DATA,
    OPEN,
    Buffer,
    NeedData,
    RequestReceived,
    Session,
)
from jvmwire.errors import DecodeError, RemoteProtocolError
from jvmwire.hadoop.rpc._writable import CLASSES
from jvmwire.hadoop.sasl._message import SaslAuth, SaslMessage
from jvmwire.hadoop.sasl._server import MechanismNotOffered, call_user_hook
from jvmwire.hadoop.sasl._wraps import wrapped
from jvmwire.hadoop.sasl.errors import AuthenticationFailed
from jvmwire.hadoop.server import _error_responses
from jvmwire.hadoop.server._call import KINDS, CallBatch, Caller
from jvmwire.hadoop.server._error_responses import CODES

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from jvmwire._core import HadoopCalls, JavaClass
    from jvmwire._runtime.session import Event
    from jvmwire.hadoop.errors import HadoopError
    from jvmwire.hadoop.rpc._interface import Engine
    from jvmwire.hadoop.sasl._protection import SecurityLayer
    from jvmwire.hadoop.sasl._server import SaslServer

DATA_LIMIT = 128 << 20
"""The longest request in bytes: `ipc.maximum.data.length`."""
VERSION = 9
"""The version of Hadoop RPC: `RpcConstants.CURRENT_VERSION`."""
FINAL_PACKET = 0
"""The only operation of `OperationProto` that was ever sent."""
BUILT_IN = 0
"""The engine of messages that are not calls: `RpcKindProto.RPC_BUILTIN`."""

NOT_HTTP = (
    b"HTTP/1.1 404 Not Found\r\nContent-type: text/plain\r\n\r\n"
    b"This port speaks Hadoop RPC, not HTTP: the pages of this service are on another port.\r\n"
)


class CallId(enum.IntEnum):
    """Call ids of messages that are not calls: `RpcConstants`, `Server.AuthProtocol`."""

    NONE = -1
    CONTEXT = -3
    PING = -4
    SASL = -33


class AuthProtocol(enum.IntEnum):
    """Authentication protocols in the header of a connection: `Server.AuthProtocol`."""

    NONE = 0x00
    SASL = 0xDF


class Stage(enum.Enum):
    """Stages of a connection."""

    HEADER = enum.auto()
    NEGOTIATION = enum.auto()
    CONTEXT = enum.auto()
    CALLS = enum.auto()


_CALLS: Final = Stage.CALLS
"""A module variable, since it is read for each event, as with `OPEN` of the sessions."""


@dataclass(frozen=True, slots=True)
class ClientIdentified(RequestReceived):
    """The client has sent its context: reject it now, or process its calls."""

    caller: Caller


@dataclass(frozen=True, slots=True)
class CallsReceived(RequestReceived):
    """The client has sent calls of one method in a row."""

    batch: CallBatch


@dataclass(slots=True)
class SendReplies:
    """Answers of calls: values of the Java class, or the bytes of messages if it is None.

    The values from `at` on are written, for the calls from `first` on, up to a value that is an
    exception or cannot be written.
    """

    idempotent: ClassVar[bool] = False
    expected_replies: ClassVar[int] = 0

    calls: HadoopCalls
    java_class: JavaClass | None
    values: list[Any]
    at: int
    first: int
    written: int = 0
    """The number of values that were written."""


@dataclass(slots=True)
class Refuse:
    """Refusal of a call."""

    idempotent: ClassVar[bool] = False
    expected_replies: ClassVar[int] = 0

    calls: HadoopCalls
    index: int
    error: HadoopError


class HadoopServerSession(Session[SendReplies | Refuse]):
    """Server side of one connection.

    Args:
        address: Address of the client.
        engines: Engines of the served protocols. Default: both.
        data_limit: The longest request in bytes. Default: 128 MiB.
        beta: Whether to accept clients of Hadoop 2.1.0-beta too. Default: False.
        sasl: SASL server of this connection; None serves clients without authentication.
        user_of: Function that returns the user of a token's identifier.
    """

    def __init__(
        self,
        *,
        address: str,
        engines: Collection[Engine] = ("writable", "protobuf"),
        data_limit: int = DATA_LIMIT,
        beta: bool = False,
        sasl: SaslServer | None = None,
        user_of: Callable[[bytes], str] | None = None,
    ) -> None:
        super().__init__()
        self.caller = Caller(address)
        self._engines = engines
        self._data_limit = data_limit
        self._decoder = HadoopRequestDecoder(limit=data_limit, beta=beta)
        self._within: HadoopRequestDecoder | None = None
        """The decoder of the frames inside SASL wraps."""
        self._sasl = sasl
        self._user_of = user_of
        """The function that returns the user of a token's identifier."""
        self._seal: SecurityLayer | None = None
        self._stage = Stage.HEADER
        self.room = sys.maxsize
        """The largest number of calls of the next event."""

    def turn_away(self, error: HadoopError) -> None:
        """Refuse a client after its context, and process nothing more from it.

        Args:
            error: Error that the client receives.
        """
        code = CODES.get(error.code or "", CODES["FATAL_UNAUTHORIZED"])
        self._queue(encode_refusal(CallId.CONTEXT, CallId.NONE, error.java_class, str(error), code))
        self.state = CLOSED

    @property
    def opening(self) -> bool:
        """Whether the client has yet to send its context."""
        return self._stage is not _CALLS

    @property
    def buffered(self) -> int:
        """The bytes of received requests that are not processed yet."""
        within = 0 if self._within is None else self._within.buffered
        return self._decoder.buffered + within

    def _encode(self, command: SendReplies | Refuse, call_id: int) -> bytes:
        del call_id  # each command has its own call ids
        match command:
            case SendReplies(to, java_class, values, at, first):
                if java_class is None:
                    data, command.written = to.answer_messages(values, at, first)
                else:
                    data, command.written = to.answer_objects(java_class, values, at, first)
                return data
            case Refuse(to, index, error):
                code = CODES.get(error.code or "", CODES["ERROR_APPLICATION"])
                return to.refuse(index, error.java_class, _describe(error), code)

    def _feed(self, data: bytes) -> None:
        self._decoder.feed(data)

    def _buffered(self) -> int:
        return self.buffered

    def _queue(self, data: Buffer) -> None:
        super()._queue(data if self._seal is None else wrapped("server", self._seal, data))

    def _next_event(self) -> Event | NeedData:
        while True:
            frames = self._decoder if self._within is None else self._within
            event: Event | None = None
            if (
                self._stage is _CALLS
                and (calls := frames.next_calls(CLASSES, self.room)) is not None
            ):
                event = self._calls_received(calls)
            elif (request := frames.next_request()) is not None:
                event = self._control_message(request)
            elif not self._unwrap():
                return NEED_DATA
            if event is not None:
                return event

    def _unwrap(self) -> bool:
        """Unwrap the next SASL message, if there is one."""
        if self._within is None or self._seal is None:
            return False
        request = self._decoder.next_request()
        if request is None:
            return False
        self._check_header(request)
        if request.call_id != CallId.SASL:
            self._give_up(request, f"call {request.call_id} is in no wrap")
        message = self._sasl_message(request)
        if message.state != "WRAP":
            text, code = f"{message.state} where WRAP belongs", "FATAL_INVALID_RPC_HEADER"
            self._end(request.call_id, request.retry_count, code, _error_responses.SASL, text)
        # DigestMD5Base.unwrap: the result of an empty message is empty.
        if message.token:
            self._within.feed(self._seal.unwrap(message.token))
        return True

    def _control_message(self, request: HadoopRequest) -> Event | None:
        """Process a message that is not a call to execute."""
        if request.opening is not None:
            self._open(request.opening)
            return None
        self._check_header(request)
        call_id = request.call_id
        match self._stage, call_id:
            case _, CallId.PING:
                pass
            case Stage.NEGOTIATION, CallId.SASL:
                self._negotiate(request)
            case Stage.CONTEXT, CallId.CONTEXT:
                return self._identify_client(request)
            case Stage.CALLS, CallId.CONTEXT:
                self._give_up(request, "the connection has its context already")
            case Stage.NEGOTIATION, CallId.CONTEXT:
                self._give_up(request, "a connection context amid a negotiation")
            case _, CallId.SASL:
                self._give_up(request, "no negotiation was asked for")
            case Stage.CALLS, _ if call_id >= 0:
                self._give_up(request, _not_served(request))
            case _ if call_id >= 0:
                self._give_up(request, "a call before the connection context")
            case _:
                self._give_up(request, f"there is no call {call_id}")
        return None

    def _open(self, opening: bytes) -> None:
        """`Server.Connection.readAndProcess`: check the magic first, then the version."""
        magic, version, auth = opening[:4], opening[4], opening[6]
        if magic == b"GET ":
            self._queue(NOT_HTTP)
            raise RemoteProtocolError("the client speaks HTTP")
        if magic != b"hrpc" or version != VERSION:
            self._answer_version(version)
        match auth:
            case AuthProtocol.NONE:
                if self._sasl is not None:
                    text = "who is not authenticated is not served; available: TOKEN"
                    kind = _error_responses.ACCESS_CONTROL
                    self._end(CallId.NONE, CallId.NONE, "FATAL_UNAUTHORIZED", kind, text)
                self._stage = Stage.CONTEXT
            case AuthProtocol.SASL:
                self._stage = Stage.NEGOTIATION
            case _:
                text = f"there is no authentication protocol {auth}"
                self._end(
                    CallId.NONE,
                    CallId.NONE,
                    "FATAL_UNAUTHORIZED",
                    f"{_error_responses.IPC}IpcException",
                    text,
                )

    def _answer_version(self, version: int) -> NoReturn:
        signed = version - 256 if version > 127 else version
        text = f"this server speaks version {VERSION} of Hadoop RPC, the client {signed}"
        if signed >= VERSION:
            self._end(
                CallId.NONE,
                CallId.NONE,
                "FATAL_VERSION_MISMATCH",
                _error_responses.VERSION_MISMATCH,
                text,
            )
        self._queue(encode_old_version(signed, _error_responses.VERSION_MISMATCH, text))
        raise RemoteProtocolError(text)

    def _check_header(self, request: HadoopRequest) -> None:
        """`Server.Connection.checkRpcHeaders`: reject a header without its required fields."""
        if request.error is not None or request.client_id is None:
            text = request.error or "client_id: it must be there and is not"
            self._end(
                CallId.NONE,
                CallId.NONE,
                "FATAL_DESERIALIZING_REQUEST",
                _error_responses.RPC_SERVER,
                text,
            )
        if request.rpc_op != FINAL_PACKET:
            self._give_up(request, f"there is no operation {request.rpc_op}")
        if request.rpc_kind not in (BUILT_IN, *KINDS):
            self._give_up(request, f"there is no engine {request.rpc_kind}")

    def _negotiate(self, request: HadoopRequest) -> None:
        message = self._sasl_message(request)
        if message.state == "WRAP":
            code = "FATAL_INVALID_RPC_HEADER"
            self._end(
                CallId.SASL, CallId.NONE, code, _error_responses.SASL, "nothing is wrapped yet"
            )
        try:
            answer = self._answer_sasl(message)
        except (AuthenticationFailed, RemoteProtocolError) as error:
            # Server.Connection.processSaslMessage distinguishes these two.
            kind = (
                _error_responses.ACCESS_CONTROL
                if isinstance(error, MechanismNotOffered)
                else _error_responses.SASL
            )
            self._end(CallId.SASL, CallId.NONE, "FATAL_UNAUTHORIZED", kind, str(error))
        self._queue(answer)
        if self._sasl is None:
            self._stage = Stage.CONTEXT
        elif self._sasl.done:
            self._stage = Stage.CONTEXT
            self._seal = self._sasl.seal
            if self._seal is not None:
                self._within = HadoopRequestDecoder(limit=self._data_limit, within=True)

    def _answer_sasl(self, message: SaslMessage) -> bytes:
        if self._sasl is not None:
            return self._sasl.receive(message)
        # Server.Connection.switchToSimple: a server without authentication accepts at once.
        if message.state != "NEGOTIATE":
            raise RemoteProtocolError(f"the client says {message.state}, and nothing was offered")
        return SaslMessage("SUCCESS").encode("server")

    def _sasl_message(self, request: HadoopRequest) -> SaslMessage:
        try:
            state, token, auths = request.decode_sasl()
        except DecodeError as error:
            self._undecodable(request, str(error))
        return SaslMessage(state, token, [SaslAuth(*auth) for auth in auths])

    def _identify_client(self, request: HadoopRequest) -> ClientIdentified:
        try:
            user, real_user, protocol = request.decode_context()
        except DecodeError as error:
            self._undecodable(request, str(error))
        token = None if self._sasl is None else self._sasl.identifier
        if token is not None and self._user_of is not None:
            # The token determines the user; the context of such a connection names no user.
            user = call_user_hook(token, self._user_of)
        self.caller = Caller(self.caller.address, user, real_user, protocol, token)
        self._stage = Stage.CALLS
        self.state = OPEN
        return ClientIdentified(self.caller)

    def _calls_received(self, calls: HadoopCalls) -> CallsReceived | None:
        engine = KINDS[calls.rpc_kind]
        if engine not in self._engines:
            self._give_up(calls, _not_served(calls))
        if calls.error is None:
            return CallsReceived(CallBatch(calls, self.caller))
        if engine == "writable":
            self._undecodable(calls, calls.error)
        # Java's server reports this for an argument, and leaves a header that it cannot read
        # without an answer; in both cases it continues with the next call.
        code = CODES["ERROR_APPLICATION"]
        self._queue(calls.refuse(0, _error_responses.INVALID_MESSAGE, calls.error, code))
        return None

    def _undecodable(self, asked: HadoopRequest | HadoopCalls, text: str) -> NoReturn:
        code = "FATAL_DESERIALIZING_REQUEST"
        self._end(_call_id(asked), asked.retry_count, code, _error_responses.FATAL, text)

    def _give_up(self, asked: HadoopRequest | HadoopCalls, text: str) -> NoReturn:
        code = "FATAL_INVALID_RPC_HEADER"
        self._end(_call_id(asked), asked.retry_count, code, _error_responses.FATAL, text)

    def _end(
        self, call_id: int, retry_count: int, code: str, java_class: str, text: str
    ) -> NoReturn:
        self._queue(encode_refusal(call_id, retry_count, java_class, text, CODES[code]))
        raise RemoteProtocolError(text)


def _call_id(asked: HadoopRequest | HadoopCalls) -> int:
    return asked.call_id if isinstance(asked, HadoopRequest) else asked.call_id(0)


def _not_served(asked: HadoopRequest | HadoopCalls) -> str:
    return f"the engine {asked.rpc_kind} is not served"


def _describe(error: HadoopError) -> str:
    return f"{error}\n{error.stack}" if error.stack else str(error)
