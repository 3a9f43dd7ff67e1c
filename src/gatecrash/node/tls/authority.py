"""The node's own certificate authority, and the certificates it makes for the hosts that the proxy opens.

One CA a node, for a year, its key readable by its owner only. All hosts' certificates share one key that never leaves
this process but for the moment in which Python's ssl, which reads only files, loads it.
"""

import datetime as dt
import ipaddress
import os
import ssl
import tempfile
from collections import OrderedDict
from contextlib import suppress
from pathlib import Path
from typing import Self

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from gatecrash.core.errors import UserError

CA_DAYS = 365
HOST_DAYS = 90
MAX_CONTEXTS = 1024
CERTIFICATE_FILE = "ca.pem"
KEY_FILE = "ca.key"


class CertificateAuthority:
    """A CA whose files lie in a folder. path: its certificate in PEM."""

    def __init__(self, folder: Path, certificate: x509.Certificate, key: ec.EllipticCurvePrivateKey) -> None:
        self.path = folder / CERTIFICATE_FILE
        self._folder = folder
        self._certificate = certificate
        self._key = key
        self._host_key = ec.generate_private_key(ec.SECP256R1())
        self._contexts: OrderedDict[tuple[str, tuple[str, ...]], ssl.SSLContext] = OrderedDict()

    @classmethod
    def open(cls, folder: Path) -> Self:
        """The folder's CA, made where there is none or where it is about to end.

        Raises UserError where the folder cannot be used.
        """
        try:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            known = _read(folder)
            certificate, key = known or _create(folder)
        except (OSError, ValueError) as error:
            raise UserError(
                f"The proxy's certificate authority in {folder} cannot be used: {error}. "
                f"Give another --data-dir, or remove {CERTIFICATE_FILE} and {KEY_FILE} there to have a new one made."
            ) from error
        return cls(folder, certificate, key)

    @property
    def pem(self) -> bytes:
        """The CA's certificate, for the clients that are to trust it."""
        return self._certificate.public_bytes(serialization.Encoding.PEM)

    def context(self, host: str, protocols: tuple[str, ...]) -> ssl.SSLContext:
        """A server's TLS for a DNS name or an address, offering these ALPN protocols; remembered for the latest hosts."""
        wanted = (host, protocols)
        context = self._contexts.get(wanted)
        if context is None:
            context = self._contexts[wanted] = self._make_context(host, protocols)
            if len(self._contexts) > MAX_CONTEXTS:
                self._contexts.popitem(last=False)
        self._contexts.move_to_end(wanted)
        return context

    def certificate_for(self, host: str) -> x509.Certificate:
        """A fresh certificate of a DNS name or an address, signed by this CA."""
        now = dt.datetime.now(dt.UTC)
        # A common name over 64 characters is against X.520, and clients look at the alternative name only.
        name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, host)] if len(host) <= 64 else [])
        end = min(now + dt.timedelta(days=HOST_DAYS), self._certificate.not_valid_after_utc)
        return (
            x509.CertificateBuilder()
            .subject_name(name)
            .issuer_name(self._certificate.subject)
            .public_key(self._host_key.public_key())
            .serial_number(x509.random_serial_number())
            # A day back: clocks of clients differ.
            .not_valid_before(now - dt.timedelta(days=1))
            .not_valid_after(end)
            .add_extension(x509.SubjectAlternativeName([_general_name(host)]), critical=not list(name))
            .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
            .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
            .add_extension(_usage(ca=False), critical=True)
            .add_extension(
                x509.AuthorityKeyIdentifier.from_issuer_public_key(self._key.public_key()),
                critical=False,
            )
            .sign(self._key, hashes.SHA256())
        )

    def _make_context(self, host: str, protocols: tuple[str, ...]) -> ssl.SSLContext:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        if protocols:
            context.set_alpn_protocols(list(protocols))
        certificate = self.certificate_for(host).public_bytes(serialization.Encoding.PEM)
        # The CA goes along, so that a browser can be told to trust its key alone (SPKI pins look at what was sent).
        chain = _private_pem(self._host_key) + certificate + self.pem
        handle, name = tempfile.mkstemp(dir=self._folder, prefix="host-", suffix=".pem")  # 0600
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(chain)
            context.load_cert_chain(name)
        finally:
            Path(name).unlink()
        return context


def _read(folder: Path) -> tuple[x509.Certificate, ec.EllipticCurvePrivateKey] | None:
    """The CA of the folder; None where there is none, or only a day of it is left. Raises ValueError."""
    if not (folder / CERTIFICATE_FILE).exists() or not (folder / KEY_FILE).exists():
        return None
    certificate = x509.load_pem_x509_certificate((folder / CERTIFICATE_FILE).read_bytes())
    key = serialization.load_pem_private_key((folder / KEY_FILE).read_bytes(), None)
    if not isinstance(key, ec.EllipticCurvePrivateKey) or key.public_key() != certificate.public_key():
        raise ValueError(f"{KEY_FILE} is not the key of {CERTIFICATE_FILE}")
    left = certificate.not_valid_after_utc - dt.datetime.now(dt.UTC)
    return (certificate, key) if left > dt.timedelta(days=1) else None


def _create(folder: Path) -> tuple[x509.Certificate, ec.EllipticCurvePrivateKey]:
    key = ec.generate_private_key(ec.SECP256R1())
    certificate = _sign_itself(key)
    _write_private(folder / KEY_FILE, _private_pem(key))
    _write_private(folder / CERTIFICATE_FILE, certificate.public_bytes(serialization.Encoding.PEM))
    return certificate, key


def _sign_itself(key: ec.EllipticCurvePrivateKey) -> x509.Certificate:
    now = dt.datetime.now(dt.UTC)
    # The serial in the name tells two nodes' CAs apart in a browser's list.
    serial = x509.random_serial_number()
    name = x509.Name(
        [
            x509.NameAttribute(NameOID.ORGANIZATION_NAME, "Gatecrash"),
            x509.NameAttribute(NameOID.COMMON_NAME, f"Gatecrash node CA {serial % 16**8:08x}"),
        ]
    )
    return (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(serial)
        .not_valid_before(now - dt.timedelta(days=1))
        .not_valid_after(now + dt.timedelta(days=CA_DAYS))
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(_usage(ca=True), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .sign(key, hashes.SHA256())
    )


def _usage(*, ca: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not ca,
        key_cert_sign=ca,
        crl_sign=ca,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        encipher_only=False,
        decipher_only=False,
    )


def _general_name(host: str) -> x509.GeneralName:
    with suppress(ValueError):
        return x509.IPAddress(ipaddress.ip_address(host))
    return x509.DNSName(host)


def _private_pem(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )


def _write_private(path: Path, data: bytes) -> None:
    """Writes beside the file and puts it in place, so that a kill leaves no half of it. mkstemp makes it 0600."""
    handle, name = tempfile.mkstemp(dir=path.parent)
    with os.fdopen(handle, "wb") as file:
        file.write(data)
    Path(name).replace(path)
