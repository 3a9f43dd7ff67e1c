"""What tests of sending share: a sender without limits of hosts, a plain request, a server's certificate."""

import datetime as dt
import ipaddress
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from tests.node.http2.speaking import Call, Speaker

from gatecrash.core.message import Request
from gatecrash.fakes.raw_server import RawServer
from gatecrash.node.test.connections.connection import Bounds
from gatecrash.node.test.connections.destinations import Destinations
from gatecrash.node.test.connections.sender import Sender

OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"


def anywhere() -> Destinations:
    return Destinations(lambda _host, _port: None, lambda _host, _address, _port: None)


@asynccontextmanager
async def sending(**bounds: Any) -> AsyncIterator[Sender]:
    sender = Sender(anywhere(), Bounds(**bounds))
    try:
        yield sender
    finally:
        await sender.close()


def get(server: RawServer, target: bytes = b"/", **named: Any) -> Request:
    return Request(method="GET", target=target, headers=((b"Host", b"x"),), host="127.0.0.1", port=server.port, **named)


def certificate(folder: Path) -> Path:
    """A self-signed certificate for 127.0.0.1 with its key, in one file."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "127.0.0.1")])
    now = dt.datetime.now(dt.UTC)
    signed = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - dt.timedelta(days=1))
        .not_valid_after(now + dt.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]), critical=False)
        .sign(key, hashes.SHA256())
    )
    plain = serialization.NoEncryption()
    pem = key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, plain)
    path = folder / "server.pem"
    path.write_bytes(signed.public_bytes(serialization.Encoding.PEM) + pem)
    return path


def asking(port: int, method: str = "GET", target: bytes = b"/", **named: Any) -> Request:
    fields = {"headers": ((b"Host", b"x"),), "host": "127.0.0.1", "port": port, "version": "2", **named}
    return Request(method, target, **fields)


async def http2_ok(speaker: Speaker, stream: int, call: Call) -> None:
    speaker.h2.send_headers(stream, [(b":status", b"200"), (b"content-type", b"text/plain")])
    await speaker.send(stream, b"got " + dict(call.head)[b":path"], end=True)
