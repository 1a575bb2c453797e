"""Hadoop RPC, seen from a server.

A header, maybe a negotiation of who the client is, a context, then calls; answers in any order.
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
from jvmwire.hadoop.sasl.errors import AuthenticationFailed
from jvmwire.hadoop.sasl.message import SaslAuth, SaslMessage
from jvmwire.hadoop.sasl.server import MechanismNotOffered, call_user_hook
from jvmwire.hadoop.sasl.wraps import wrapped
from jvmwire.hadoop.server import error_responses
from jvmwire.hadoop.server.call import KINDS, CallBatch, Caller
from jvmwire.hadoop.server.error_responses import CODES
from jvmwire.hadoop.writable import CLASSES

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from jvmwire._core import HadoopCalls, JavaClass
    from jvmwire._runtime.session import Event
    from jvmwire.hadoop.errors import HadoopError
    from jvmwire.hadoop.interface import Engine
    from jvmwire.hadoop.sasl.protection import SecurityLayer
    from jvmwire.hadoop.sasl.server import SaslServer

DATA_LIMIT = 128 << 20
"""Bytes of a request. `ipc.maximum.data.length`."""
VERSION = 9
"""`RpcConstants.CURRENT_VERSION`."""
FINAL_PACKET = 0
"""`OperationProto`: the one that was ever sent."""
BUILT_IN = 0
"""`RpcKindProto.RPC_BUILTIN`, by which nothing is called."""

NOT_HTTP = (
    b"HTTP/1.1 404 Not Found\r\nContent-type: text/plain\r\n\r\n"
    b"This port speaks Hadoop RPC, not HTTP: the pages of this service are on another port.\r\n"
)


class CallId(enum.IntEnum):
    """What is no call: `RpcConstants`, `Server.AuthProtocol`."""

    NONE = -1
    CONTEXT = -3
    PING = -4
    SASL = -33


class AuthProtocol(enum.IntEnum):
    """`Server.AuthProtocol`."""

    NONE = 0x00
    SASL = 0xDF


class Stage(enum.Enum):
    """How far a connection has come."""

    HEADER = enum.auto()
    NEGOTIATION = enum.auto()
    CONTEXT = enum.auto()
    CALLS = enum.auto()


_CALLS: Final = Stage.CALLS
"""By itself: see `sansio.OPEN`."""


@dataclass(frozen=True, slots=True)
class ClientIdentified(RequestReceived):
    """The client has said who it is: turn it away now, or take its calls."""

    caller: Caller


@dataclass(frozen=True, slots=True)
class CallsReceived(RequestReceived):
    """The client calls a method, as often as it has asked for it in a row."""

    batch: CallBatch


@dataclass(slots=True)
class SendReplies:
    """What calls are answered: values of the Java class, or of none messages' bytes.

    Of the values those from `at` on are written, to the calls from `first` on, up to one that is an
    exception or does not fit.
    """

    idempotent: ClassVar[bool] = False
    expected_replies: ClassVar[int] = 0

    calls: HadoopCalls
    java_class: JavaClass | None
    values: list[Any]
    at: int
    first: int
    written: int = 0
    """How many were, once it was sent."""


@dataclass(slots=True)
class Refuse:
    """Why a call is refused."""

    idempotent: ClassVar[bool] = False
    expected_replies: ClassVar[int] = 0

    calls: HadoopCalls
    index: int
    error: HadoopError


class HadoopServerSession(Session[SendReplies | Refuse]):
    """The server's side of one connection."""

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
        """Of what comes in wraps, the frames that are in them."""
        self._sasl = sasl
        self._user_of = user_of
        """Whose a token is, by its identifier."""
        self._seal: SecurityLayer | None = None
        self._stage = Stage.HEADER
        self.room = sys.maxsize
        """How many calls are taken at most before the next event."""

    def turn_away(self, error: HadoopError) -> None:
        """Refuse who was introduced; nothing of theirs is taken any more."""
        code = CODES.get(error.code or "", CODES["FATAL_UNAUTHORIZED"])
        self._queue(encode_refusal(CallId.CONTEXT, CallId.NONE, error.java_class, str(error), code))
        self.state = CLOSED

    @property
    def opening(self) -> bool:
        """Whether the client has not said who it is."""
        return self._stage is not _CALLS

    @property
    def buffered(self) -> int:
        """Bytes of requests that were not taken yet."""
        within = 0 if self._within is None else self._within.buffered
        return self._decoder.buffered + within

    def _encode(self, command: SendReplies | Refuse, call_id: int) -> bytes:
        del call_id  # the call says its own
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
                event = self._called(calls)
            elif (request := frames.next_request()) is not None:
                event = self._asked(request)
            elif not self._unwrap():
                return NEED_DATA
            if event is not None:
                return event

    def _unwrap(self) -> bool:
        """Open the next wrap, if there is one."""
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
            self._end(request.call_id, request.retry_count, code, error_responses.SASL, text)
        # DigestMD5Base.unwrap: of nothing it makes nothing.
        if message.token:
            self._within.feed(self._seal.unwrap(message.token))
        return True

    def _asked(self, request: HadoopRequest) -> Event | None:
        """Take what is no call that can be carried out."""
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
                return self._introduce(request)
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
        """`Server.Connection.readAndProcess`: the magic is judged first, then the version."""
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
                    kind = error_responses.ACCESS_CONTROL
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
                    f"{error_responses.IPC}IpcException",
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
                error_responses.VERSION_MISMATCH,
                text,
            )
        self._queue(encode_old_version(signed, error_responses.VERSION_MISMATCH, text))
        raise RemoteProtocolError(text)

    def _check_header(self, request: HadoopRequest) -> None:
        """`Server.Connection.checkRpcHeaders`; a header without what it must have is none."""
        if request.error is not None or request.client_id is None:
            text = request.error or "client_id: it must be there and is not"
            self._end(
                CallId.NONE,
                CallId.NONE,
                "FATAL_DESERIALIZING_REQUEST",
                error_responses.RPC_SERVER,
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
                CallId.SASL, CallId.NONE, code, error_responses.SASL, "nothing is wrapped yet"
            )
        try:
            answer = self._answer_sasl(message)
        except (AuthenticationFailed, RemoteProtocolError) as error:
            # Server.Connection.processSaslMessage tells one from the other.
            kind = (
                error_responses.ACCESS_CONTROL
                if isinstance(error, MechanismNotOffered)
                else error_responses.SASL
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
        # Server.Connection.switchToSimple: who serves everybody is content at once.
        if message.state != "NEGOTIATE":
            raise RemoteProtocolError(f"the client says {message.state}, and nothing was offered")
        return SaslMessage("SUCCESS").encode("server")

    def _sasl_message(self, request: HadoopRequest) -> SaslMessage:
        try:
            state, token, auths = request.decode_sasl()
        except DecodeError as error:
            self._undecodable(request, str(error))
        return SaslMessage(state, token, [SaslAuth(*auth) for auth in auths])

    def _introduce(self, request: HadoopRequest) -> ClientIdentified:
        try:
            user, real_user, protocol = request.decode_context()
        except DecodeError as error:
            self._undecodable(request, str(error))
        token = None if self._sasl is None else self._sasl.identifier
        if token is not None and self._user_of is not None:
            # Whose the token is, is known; the context of such a connection names nobody.
            user = call_user_hook(token, self._user_of)
        self.caller = Caller(self.caller.address, user, real_user, protocol, token)
        self._stage = Stage.CALLS
        self.state = OPEN
        return ClientIdentified(self.caller)

    def _called(self, calls: HadoopCalls) -> CallsReceived | None:
        engine = KINDS[calls.rpc_kind]
        if engine not in self._engines:
            self._give_up(calls, _not_served(calls))
        if calls.error is None:
            return CallsReceived(CallBatch(calls, self.caller))
        if engine == "writable":
            self._undecodable(calls, calls.error)
        # Java's server says this of an argument, and leaves a header that it cannot read
        # without an answer; in both cases it goes on with the next call.
        code = CODES["ERROR_APPLICATION"]
        self._queue(calls.refuse(0, error_responses.INVALID_MESSAGE, calls.error, code))
        return None

    def _undecodable(self, asked: HadoopRequest | HadoopCalls, text: str) -> NoReturn:
        code = "FATAL_DESERIALIZING_REQUEST"
        self._end(_call_id(asked), asked.retry_count, code, error_responses.FATAL, text)

    def _give_up(self, asked: HadoopRequest | HadoopCalls, text: str) -> NoReturn:
        code = "FATAL_INVALID_RPC_HEADER"
        self._end(_call_id(asked), asked.retry_count, code, error_responses.FATAL, text)

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
