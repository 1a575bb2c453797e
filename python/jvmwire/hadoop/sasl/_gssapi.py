"""Bindings of the system's MIT GSSAPI, loaded on first use: RFC 2744, and `gssapi_ext.h`."""

from __future__ import annotations

import ctypes
import functools
import weakref
from ctypes import POINTER, byref, c_char_p, c_int, c_size_t, c_uint32, c_void_p
from typing import TYPE_CHECKING, Any, ClassVar

from jvmwire.errors import MissingExtra

if TYPE_CHECKING:
    from collections.abc import Mapping

LIBRARY = "libgssapi_krb5.so.2"

MUTUAL, REPLAY, SEQUENCE, CONFIDENTIALITY, INTEGRITY = 2, 4, 8, 16, 32
"""The flags of a context: RFC 2744, section 5.19."""
FLAGS = MUTUAL | REPLAY | SEQUENCE | CONFIDENTIALITY | INTEGRITY

CONTINUE = 1
"""The status of a routine that needs the peer's answer."""
ROUTINE_ERROR = 0xFFFF0000
"""The bits of a status that are errors."""
SUPPLEMENTARY = 0x1E
"""The bits of a status for messages that are old, duplicated, or out of sequence."""
INITIATE = 1
"""The usage of a credential: to initiate contexts."""
BY_ROUTINE, BY_MECHANISM = 1, 2
"""The kinds of a status: of GSSAPI, or of the mechanism."""


class _Oid(ctypes.Structure):
    _fields_: ClassVar = [("length", c_uint32), ("elements", c_char_p)]

    def __init__(self, content: bytes) -> None:
        super().__init__(len(content), content)


class _OidSet(ctypes.Structure):
    _fields_: ClassVar = [("count", c_size_t), ("elements", POINTER(_Oid))]


class _Buffer(ctypes.Structure):
    _fields_: ClassVar = [("length", c_size_t), ("value", c_void_p)]


class _KeyValue(ctypes.Structure):
    _fields_: ClassVar = [("key", c_char_p), ("value", c_char_p)]


class _CredentialStore(ctypes.Structure):
    _fields_: ClassVar = [("count", c_uint32), ("elements", POINTER(_KeyValue))]


KERBEROS = _Oid(b"\x2a\x86\x48\x86\xf7\x12\x01\x02\x02")
PRINCIPAL_NAME = _Oid(b"\x2a\x86\x48\x86\xf7\x12\x01\x02\x02\x01")
"""The type of a complete principal, without lookups: GSS_KRB5_NT_PRINCIPAL_NAME."""
SERVICE_OF_HOST = _Oid(b"\x2a\x86\x48\x86\xf7\x12\x01\x02\x01\x04")
"""The type of a service and its host, with the realm of `krb5.conf`: GSS_C_NT_HOSTBASED_SERVICE."""


class GssError(Exception):
    """Error of a GSSAPI routine: `major` is the status of GSSAPI, `minor` that of Kerberos.

    Args:
        routine: Name of the routine.
        major: Status of GSSAPI.
        minor: Number of the Kerberos error.
        text: Text of the error.
    """

    def __init__(self, routine: str, major: int, minor: int, text: str) -> None:
        super().__init__(text)
        self.routine = routine
        self.major = major
        self.minor = minor


@functools.cache
def _library() -> ctypes.CDLL:
    try:
        library = ctypes.CDLL(LIBRARY)
        library.gss_acquire_cred_from  # noqa: B018  # in MIT Kerberos since 1.11
    except (OSError, AttributeError) as error:
        raise MissingExtra(
            f"Kerberos needs the system's {LIBRARY} (Debian: libgssapi-krb5-2): {error}"
        ) from error
    return library


def _call(routine: str, *arguments: Any) -> int:
    minor = c_uint32()
    function = getattr(_library(), routine)
    function.restype = c_uint32
    major: int = function(byref(minor), *arguments)
    if major & ROUTINE_ERROR:
        number = ctypes.c_int32(minor.value).value
        text = _text(minor.value, BY_MECHANISM)
        if text in ("", "Success"):  # Kerberos has no text for it
            text = _text(major, BY_ROUTINE)
        raise GssError(routine, major, number, text)
    return major


def _text(status: int, of: int) -> str:
    more, minor, text = c_uint32(), c_uint32(), _Buffer()
    display = _library().gss_display_status
    said = display(
        byref(minor), c_uint32(status), c_int(of), byref(KERBEROS), byref(more), byref(text)
    )
    return "" if said & ROUTINE_ERROR else _from_buffer(text).decode("utf-8", "replace")


def _to_buffer(data: bytes) -> _Buffer:
    buffer = _Buffer(len(data), ctypes.cast(ctypes.c_char_p(data), c_void_p))
    buffer.kept = data  # the pointer does not keep it alive
    return buffer


def _from_buffer(buffer: _Buffer) -> bytes:
    """Return the contents of a routine's buffer, and release the buffer."""
    data = ctypes.string_at(buffer.value, buffer.length) if buffer.value else b""
    _library().gss_release_buffer(byref(c_uint32()), byref(buffer))
    return data


def _release(routine: str, handle: c_void_p, *more: Any) -> None:
    getattr(_library(), routine)(byref(c_uint32()), byref(handle), *more)


class _Handle:
    """Handle of an object of the library, which is released with its last reference."""

    _routine: ClassVar[str]

    def __init__(self) -> None:
        self.handle = c_void_p()
        weakref.finalize(self, _release, self._routine, self.handle, *self._extra_release_args())

    def _extra_release_args(self) -> tuple[Any, ...]:
        return ()


class Name(_Handle):
    """Kerberos principal.

    Args:
        principal: Text of the principal, with or without a realm.
    """

    _routine = "gss_release_name"

    def __init__(self, principal: str) -> None:
        super().__init__()
        buffer = _to_buffer(principal.encode())
        _call("gss_import_name", byref(buffer), byref(PRINCIPAL_NAME), byref(self.handle))

    def __str__(self) -> str:
        """Return the complete principal, with the default realm if it was given none."""
        return _canonical(self.handle)


def realm_of(host: str) -> str:
    """Return the realm of a host by `krb5.conf`.

    Args:
        host: Name of the host.

    Returns:
        The realm; empty if `krb5.conf` has none.
    """
    given = c_void_p()
    buffer = _to_buffer(f"host@{host}".encode())
    _call("gss_import_name", byref(buffer), byref(SERVICE_OF_HOST), byref(given))
    try:
        return _canonical(given).rpartition("@")[2]
    finally:
        _release("gss_release_name", given)


def _canonical(name: c_void_p) -> str:
    canonical = c_void_p()
    _call("gss_canonicalize_name", name, byref(KERBEROS), byref(canonical))
    try:
        return _shown(canonical)
    finally:
        _release("gss_release_name", canonical)


def _shown(name: c_void_p) -> str:
    text = _Buffer()
    _call("gss_display_name", name, byref(text), None)
    return _from_buffer(text).decode("utf-8", "replace")


class GssCredential(_Handle):
    """Credential of a principal.

    Args:
        name: The principal, or None for the one of the credential cache.
        store: Locations of keys and tickets, such as `client_keytab` and `ccache`.

    Raises:
        GssError: there are no credentials.
    """

    _routine = "gss_release_cred"

    def __init__(self, name: Name | None, store: Mapping[str, str]) -> None:
        super().__init__()
        pairs = [_KeyValue(key.encode(), value.encode()) for key, value in store.items()]
        elements = (_KeyValue * len(pairs))(*pairs)
        mechanisms = _OidSet(1, ctypes.pointer(KERBEROS))
        _call(
            "gss_acquire_cred_from",
            name.handle if name is not None else None,
            c_uint32(0),
            byref(mechanisms),
            c_int(INITIATE),
            byref(_CredentialStore(len(pairs), elements)) if pairs else None,
            byref(self.handle),
            None,
            None,
        )

    def principal(self) -> str:
        """Return the principal of the credential.

        Returns:
            The complete principal.
        """
        name = c_void_p()
        _call("gss_inquire_cred", self.handle, byref(name), None, None, None)
        try:
            return _shown(name)
        finally:
            _release("gss_release_name", name)


class GssContext(_Handle):
    """Client side of a security context with a service.

    Args:
        credential: Credential of the client.
        service: Principal of the service.
    """

    _routine = "gss_delete_sec_context"

    def __init__(self, credential: GssCredential, service: Name) -> None:
        super().__init__()
        self._credential = credential
        self._service = service
        self.complete = False

    def _extra_release_args(self) -> tuple[Any, ...]:
        return (None,)

    def step(self, token: bytes) -> bytes:
        """Process a token of the service.

        Args:
            token: Token of the service; empty at the start.

        Returns:
            The token to send; empty if there is none.

        Raises:
            GssError: the token is rejected, or the service did not authenticate itself.
        """
        output, flags = _Buffer(), c_uint32()
        given = _to_buffer(token)
        major = _call(
            "gss_init_sec_context",
            self._credential.handle,
            byref(self.handle),
            self._service.handle,
            byref(KERBEROS),
            c_uint32(FLAGS),
            c_uint32(0),
            None,
            byref(given) if token else None,
            None,
            byref(output),
            byref(flags),
            None,
        )
        answer = _from_buffer(output)
        self.complete = not major & CONTINUE
        if self.complete and not flags.value & MUTUAL:
            raise GssError("gss_init_sec_context", major, 0, "the service has not proved itself")
        return answer

    def wrap(self, data: bytes, *, private: bool) -> bytes:
        """Return a message with integrity protection.

        Args:
            data: The message.
            private: Whether to encrypt it too.

        Returns:
            The token.
        """
        output, given = _Buffer(), _to_buffer(data)
        _call(
            "gss_wrap",
            self.handle,
            c_int(private),
            c_uint32(0),
            byref(given),
            byref(c_int()),
            byref(output),
        )
        return _from_buffer(output)

    def unwrap(self, token: bytes, *, private: bool) -> bytes:
        """Return the message of a token, which must be the next in sequence.

        Args:
            token: The token.
            private: Whether it must be encrypted.

        Returns:
            The message.

        Raises:
            GssError: the token is not valid, out of sequence, or not encrypted.
        """
        output, given, state = _Buffer(), _to_buffer(token), c_int()
        major = _call(
            "gss_unwrap", self.handle, byref(given), byref(output), byref(state), byref(c_uint32())
        )
        data = _from_buffer(output)
        if major & SUPPLEMENTARY:
            raise GssError("gss_unwrap", major, 0, "a message is old, doubled, or not the next")
        if private and not state.value:
            raise GssError("gss_unwrap", major, 0, "a message is not in cipher")
        return data

    def wrap_limit(self, size: int, *, private: bool) -> int:
        """Return the longest message whose token fits into a size.

        Args:
            size: Largest size of the token in bytes.
            private: Whether messages are encrypted.

        Returns:
            The length in bytes.
        """
        limit = c_uint32()
        _call(
            "gss_wrap_size_limit",
            self.handle,
            c_int(private),
            c_uint32(0),
            c_uint32(size),
            byref(limit),
        )
        return limit.value
