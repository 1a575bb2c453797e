"""Certificates that are generated on demand."""

import datetime
import ssl
from pathlib import Path

import pytest
import trustme
from cryptography import x509
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.serialization import pkcs12


class Authority:
    """A test CA, its file, and the servers whose certificates it issues."""

    def __init__(self, folder: Path) -> None:
        self._ca = trustme.CA()
        self.folder = folder
        self.file = folder / "ca.pem"
        self._ca.cert_pem.write_to_path(self.file)

    def issue(
        self, name: str = "localhost", *others: str, expires: datetime.datetime | None = None
    ) -> Path:
        """Issue a certificate for one or more names; return the file that holds it and its key."""
        path = self.folder / f"{name}{'-expired' if expires else ''}.pem"
        issued = self._ca.issue_cert(name, *others, not_after=expires)
        issued.private_key_and_cert_chain_pem.write_to_path(path)
        return path

    def trust_store(self, password: str) -> Path:
        """Return the PKCS 12 file that holds the CA, as Java trusts it."""
        authority = x509.load_pem_x509_certificate(self._ca.cert_pem.bytes())
        store = pkcs12.serialize_java_truststore(
            [pkcs12.PKCS12Certificate(authority, b"ca")],
            serialization.BestAvailableEncryption(password.encode()),
        )
        path = self.folder / "trust.p12"
        path.write_bytes(store)
        return path

    def key_store(self, password: str) -> Path:
        """Issue a certificate for localhost; return the PKCS 12 file that holds it and its key."""
        issued = self._ca.issue_cert("localhost")
        key = serialization.load_pem_private_key(issued.private_key_pem.bytes(), None)
        certificate, *others = (
            x509.load_pem_x509_certificate(c.bytes()) for c in issued.cert_chain_pems
        )
        store = pkcs12.serialize_key_and_certificates(
            b"localhost",
            key,  # type: ignore[arg-type]  # trustme makes such as these files hold
            certificate,
            others,
            serialization.BestAvailableEncryption(password.encode()),
        )
        path = self.folder / "localhost.p12"
        path.write_bytes(store)
        return path

    def server(
        self,
        name: str = "localhost",
        *,
        expires: datetime.datetime | None = None,
        asks: bool = False,
        newest: ssl.TLSVersion = ssl.TLSVersion.TLSv1_3,
    ) -> ssl.SSLContext:
        """Return the TLS context of a server; with `asks` it requires a client certificate."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.issue(name, expires=expires))
        context.maximum_version = newest
        if asks:
            context.verify_mode = ssl.CERT_REQUIRED
            context.load_verify_locations(self.file)
        return context


@pytest.fixture(scope="session")
def ca(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    """The CA that the tests' clients trust."""
    return Authority(tmp_path_factory.mktemp("ca"))
