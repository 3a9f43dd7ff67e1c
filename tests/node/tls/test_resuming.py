"""A second connection to a server resumes the first one's session; a name that was not checked never does."""

import ssl
from pathlib import Path

import pytest

from gatecrash.node.tls.authority import CertificateAuthority
from gatecrash.node.tls.resuming import MAX_SERVERS, ResumingContext


def shake(client: ssl.SSLContext, server: ssl.SSLContext, name: str = "a.test") -> ssl.SSLObject:
    """A whole handshake in memory, and a byte of the server's, with which the client gets its ticket."""
    to_client, to_server = ssl.MemoryBIO(), ssl.MemoryBIO()
    one = client.wrap_bio(to_client, to_server, server_hostname=name)
    other = server.wrap_bio(to_server, to_client, server_side=True)
    for step in (one.do_handshake, other.do_handshake, one.do_handshake, other.do_handshake):
        try:
            step()
        except ssl.SSLWantReadError:
            continue
    other.write(b"x")
    assert one.read(1) == b"x"
    return one


@pytest.fixture
def authority(tmp_path: Path) -> CertificateAuthority:
    return CertificateAuthority.open(tmp_path)


def test_the_second_connection_to_a_server_resumes_the_first(authority: CertificateAuthority) -> None:
    server = authority.context("a.test", ("http/1.1",))
    client = ResumingContext.offering(("h2", "http/1.1"), verify=False)
    first, second, third = (shake(client, server) for _ in range(3))
    assert [each.session_reused for each in (first, second, third)] == [False, True, True]
    assert third.selected_alpn_protocol() == "http/1.1"


def test_a_session_that_a_server_no_longer_takes_is_followed_by_its_next(authority: CertificateAuthority) -> None:
    client = ResumingContext.offering((), verify=False)
    # A server that was started anew has other keys for its tickets.
    reused = [
        shake(client, server).session_reused
        for server in (CertificateAuthority.open(authority.path.parent).context("a.test", ()) for _ in range(2))
        for _ in range(3)
    ]
    assert reused == [False, True, True, False, True, True]


def test_a_session_is_offered_to_its_own_name_only(authority: CertificateAuthority) -> None:
    client = ResumingContext.offering((), verify=False)
    server = authority.context("a.test", ())
    shake(client, server)
    assert not shake(client, server, "b.test").session_reused


def test_a_server_that_gives_no_ticket_is_shaken_hands_with_in_full(authority: CertificateAuthority) -> None:
    server = authority.context("a.test", ())
    server.num_tickets = 0
    client = ResumingContext.offering((), verify=False)
    assert [shake(client, server).session_reused for _ in range(2)] == [False, False]


def test_an_application_is_verified_before_its_session_is_known(
    authority: CertificateAuthority, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = authority.context("a.test", ())
    with pytest.raises(ssl.SSLCertVerificationError):
        shake(ResumingContext.offering((), verify=True), server)
    monkeypatch.setenv("SSL_CERT_FILE", str(authority.path))
    trusting = ResumingContext.offering((), verify=True)
    assert not shake(trusting, server).session_reused
    assert shake(trusting, server).session_reused
    with pytest.raises(ssl.SSLCertVerificationError):
        shake(trusting, server, "b.test")


def test_a_handshake_that_failed_leaves_nothing_to_resume(authority: CertificateAuthority) -> None:
    client = ResumingContext.offering((), verify=False)
    read = ssl.MemoryBIO()
    read.write(b"HTTP/1.1 400 What?\r\n\r\n")
    failing = client.wrap_bio(read, ssl.MemoryBIO(), server_hostname="a.test")
    with pytest.raises(ssl.SSLError):
        failing.do_handshake()
    assert not shake(client, authority.context("a.test", ())).session_reused


def test_only_so_many_servers_are_remembered() -> None:
    client = ResumingContext.offering((), verify=False)
    for number in range(MAX_SERVERS + 10):
        client.wrap_bio(ssl.MemoryBIO(), ssl.MemoryBIO(), server_hostname=f"{number}.test")
    assert len(client._servers) == MAX_SERVERS
