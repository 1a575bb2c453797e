"""Certificates, made when they are needed."""

import datetime
import ssl
from pathlib import Path

import pytest
import trustme


class Authority:
    """A CA of our own, its file, and servers that it vouches for."""

    def __init__(self, folder: Path) -> None:
        self._ca = trustme.CA()
        self.folder = folder
        self.file = folder / "ca.pem"
        self._ca.cert_pem.write_to_path(self.file)

    def issue(self, name: str = "localhost", *, expires: datetime.datetime | None = None) -> Path:
        """Issue a certificate; give the file that holds it and its key."""
        path = self.folder / f"{name}{'-expired' if expires else ''}.pem"
        issued = self._ca.issue_cert(name, not_after=expires)
        issued.private_key_and_cert_chain_pem.write_to_path(path)
        return path

    def server(
        self,
        name: str = "localhost",
        *,
        expires: datetime.datetime | None = None,
        asks: bool = False,
        newest: ssl.TLSVersion = ssl.TLSVersion.TLSv1_3,
    ) -> ssl.SSLContext:
        """Give what a server of that name shows, and whether it asks who we are."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.issue(name, expires=expires))
        context.maximum_version = newest
        if asks:
            context.verify_mode = ssl.CERT_REQUIRED
            context.load_verify_locations(self.file)
        return context


@pytest.fixture(scope="session")
def ca(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    """Whom the tests' clients trust."""
    return Authority(tmp_path_factory.mktemp("ca"))
