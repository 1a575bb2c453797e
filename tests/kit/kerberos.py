"""Keytabs and credential caches as files: `keytab_file_format`, `ccache_file_format` of MIT."""

import struct
from dataclasses import dataclass
from pathlib import Path

from jvmwire.hadoop.sasl import _gssapi


def write_keytab(path: Path, principal: str, key: bytes, *, key_type: int = 17) -> Path:
    """Write a keytab of one key, by default of AES with 128 bits."""
    name, _, realm = principal.partition("@")
    parts = [realm, *name.split("/")]
    entry = struct.pack(">H", len(parts) - 1)
    entry += b"".join(_counted(">H", part.encode()) for part in parts)
    entry += struct.pack(">IIB", 1, 0, 1) + struct.pack(">H", key_type) + _counted(">H", key)
    path.write_bytes(b"\x05\x02" + _counted(">i", entry))
    return path


def make_ccache(path: Path, principal: str, keytab: Path) -> Path:
    """Have the Kerberos library fetch a ticket into a file, as kinit does."""
    store = {"client_keytab": f"FILE:{keytab}", "ccache": f"FILE:{path}"}
    # The ticket is fetched on first use.
    _gssapi.GssCredential(_gssapi.Name(principal), store).principal()
    return path


def _counted(form: str, data: bytes) -> bytes:
    return struct.pack(form, len(data)) + data


@dataclass
class Ccache:
    """A credential cache whose times can be changed."""

    path: Path

    def put_clock_off(self, seconds: int) -> None:
        """Set the clock of the KDC ahead of the local one."""
        data = bytearray(self.path.read_bytes())
        assert data[:6] == b"\x05\x04\0\x0c\0\x01"
        struct.pack_into(">i", data, 8, seconds)
        self.path.write_bytes(data)

    def expire(self, seconds: int) -> None:
        """Set the times of all tickets so far back that they have expired."""
        data = bytearray(self.path.read_bytes())
        (header,) = struct.unpack_from(">H", data, 2)
        at = self._principal(data, 4 + header)
        while at < len(data):
            at = self._principal(data, self._principal(data, at))
            at = self._counted(data, at + 2)  # the key
            for _ in range(4):
                (time,) = struct.unpack_from(">I", data, at)
                struct.pack_into(">I", data, at, max(0, time - seconds))
                at += 4
            at += 1 + 4
            for _ in range(2):  # addresses, authorization data
                (count,) = struct.unpack_from(">I", data, at)
                at += 4
                for _ in range(count):
                    at = self._counted(data, at + 2)
            at = self._counted(data, self._counted(data, at))
        self.path.write_bytes(data)

    @staticmethod
    def _counted(data: bytearray, at: int) -> int:
        (length,) = struct.unpack_from(">I", data, at)
        return int(at + 4 + length)

    def _principal(self, data: bytearray, at: int) -> int:
        (count,) = struct.unpack_from(">I", data, at + 4)
        at += 8
        for _ in range(count + 1):
            at = self._counted(data, at)
        return at
