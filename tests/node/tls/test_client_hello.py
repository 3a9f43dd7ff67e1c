"""What real ClientHellos ask for, however their bytes are cut; anything else is no TLS."""

import ssl

import pytest

from gatecrash.node.tls.client_hello import ClientHello, NotTls, read_client_hello


def hello(name: str | None, *protocols: str) -> bytes:
    """The first bytes of Python's own TLS client."""
    context = ssl.create_default_context()
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    if protocols:
        context.set_alpn_protocols(list(protocols))
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    with pytest.raises(ssl.SSLWantReadError):
        context.wrap_bio(incoming, outgoing, server_hostname=name).do_handshake()
    return outgoing.read()


def test_name_and_protocols_are_read() -> None:
    assert read_client_hello(hello("API.example.com", "h2", "http/1.1")) == ClientHello(
        "api.example.com", ("h2", "http/1.1")
    )
    assert read_client_hello(hello(None)) == ClientHello()


def test_a_hello_in_parts_and_in_several_records_is_waited_for() -> None:
    whole = hello("a.example", "h2")
    for end in range(len(whole)):
        assert read_client_hello(whole[:end]) is None
    message = whole[5:]
    records = b"".join(
        b"\x16\x03\x01" + len(part).to_bytes(2, "big") + part for part in (message[:3], message[3:50], message[50:])
    )
    assert read_client_hello(records + b"more") == ClientHello("a.example", ("h2",))


@pytest.mark.parametrize(
    "data",
    [
        b"GET / HTTP/1.1\r\n",
        b"\x16abc",
        b"\x16\x03\x01\x00\x00",
        b"\x16\x03\x01\x00\x05\x02\x00\x00\x01\x00",
        b"\x16\x03\x01\x00\x06\x01\x00\x00\x02\x03\x03",
    ],
)
def test_anything_else_is_no_tls(data: bytes) -> None:
    with pytest.raises(NotTls):
        read_client_hello(data)
