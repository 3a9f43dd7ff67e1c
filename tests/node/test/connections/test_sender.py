"""The sender against real sockets: what arrives is what was given, and every bad target is a kind of failure."""

import asyncio
import ssl
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.node.loop import run
from tests.node.test.sending import OK, anywhere, certificate, get, sending

from gatecrash.core.message import Request
from gatecrash.fakes.raw_server import RawServer
from gatecrash.node.test.connections.connection import Bounds
from gatecrash.node.test.connections.destinations import Destinations
from gatecrash.node.test.connections.dialling import Dialler
from gatecrash.node.test.connections.sender import Sender
from gatecrash.node.tls.authority import CertificateAuthority


@run
async def test_target_headers_and_body_arrive_byte_for_byte() -> None:
    request = Request(
        method="PoST",
        target=b"//a/../b/%2e%2E;x=1?q=\xff%00'\"<>&&=&q#frag",
        headers=((b"hOsT", b"x"), (b"X-A", b"1"), (b"x-a", b"\xff 2"), (b"X-A", b""), (b"Content-Length", b"3")),
        body=b"\x00\xffz",
        host="127.0.0.1",
    )
    async with RawServer().answering(OK) as server, sending() as sender:
        request = Request(
            request.method, request.target, request.headers, request.body, "http", "127.0.0.1", server.port
        )
        answer = await sender.send(request, ((b"X-Marker", b"m"),))
        assert answer.failure == ""
        assert answer.exchange.request is request
        assert server.received == [
            (
                b"PoST //a/../b/%2e%2E;x=1?q=\xff%00'\"<>&&=&q#frag HTTP/1.1\r\n"
                b"hOsT: x\r\nX-A: 1\r\nx-a: \xff 2\r\nX-A: \r\nContent-Length: 3\r\nX-Marker: m\r\n\r\n\x00\xffz"
            )
        ]


@run
async def test_a_chunked_request_is_sent_chunked() -> None:
    async with RawServer().answering(OK) as server, sending() as sender:
        headers = ((b"Host", b"x"), (b"Transfer-Encoding", b"chunked"))
        await sender.send(Request("POST", b"/", headers, b"hello", "http", "127.0.0.1", server.port))
        assert server.received[0].endswith(b"\r\n\r\n5\r\nhello\r\n0\r\n\r\n")


@run
async def test_an_answer_is_kept_losslessly() -> None:
    raw = b"HTTP/1.1 404 Nicht Gefunden\r\nSet-Cookie: a=1\r\nset-COOKIE:  b=2 \r\nContent-Length: 3\r\n\r\nx\r\n"
    async with RawServer().answering(raw) as server, sending() as sender:
        response = (await sender.send(get(server))).exchange.response
        assert response is not None
        assert (response.status, response.reason, response.body) == (404, b"Nicht Gefunden", b"x\r\n")
        assert response.headers == ((b"Set-Cookie", b"a=1"), (b"set-COOKIE", b"b=2"), (b"Content-Length", b"3"))
        assert (response.truncated, response.size) == (False, 3)


@run
async def test_connections_are_kept_and_bounded() -> None:
    async with RawServer().answering(OK) as server:
        sender = Sender(anywhere(), connections=3)
        answers = await asyncio.gather(*(sender.send(get(server)) for _ in range(60)))
        assert [answer.failure for answer in answers] == [""] * 60
        assert server.connections <= 3
        await sender.close()


@pytest.mark.parametrize(
    ("raw", "body", "kept"),
    [
        (b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n" + OK, b"ok", True),
        (b"HTTP/1.1 204 No Content\r\nContent-Length: 9\r\n\r\n", b"", True),
        (b"HTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\n\r\n", b"", True),
        (
            b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2;x=y\r\nab\r\n1\r\nc\r\n0\r\nT: v\r\n\r\n",
            b"abc",
            True,
        ),
        (b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok", b"ok", False),
        (b"HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok", b"ok", False),
        (b"HTTP/1.0 200 OK\r\nConnection: Keep-Alive\r\nContent-Length: 2\r\n\r\nok", b"ok", True),
        (OK + b"HTTP/1.1 200 OK\r\n", b"ok", False),
        # What broke over a request may close behind its answer without a word.
        (b"HTTP/1.1 500 Broken\r\nContent-Length: 2\r\n\r\nno", b"no", False),
        (b"HTTP/1.1 200 OK\nContent-Length: 2\n\nok", b"ok", True),
        (b"HTTP/1.1 200\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n", b"ok", False),
        (b"HTTP/1.1 200 OK\r\nX-Folded: a\r\n b\r\nContent-Length: 2\r\n\r\nok", b"ok", True),
    ],
)
@run
async def test_every_way_of_ending_an_answer_is_read(raw: bytes, body: bytes, kept: bool) -> None:
    async with RawServer().answering(raw) as server, sending() as sender:
        for _ in range(2):
            answer = await sender.send(get(server))
            assert answer.failure == ""
            assert answer.exchange.response is not None
            assert answer.exchange.response.body == body
        assert server.connections == (1 if kept else 2)


@run
async def test_the_answer_to_head_has_no_body_and_keeps_the_connection() -> None:
    raw = b"HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n"
    async with RawServer().answering(raw, OK) as server, sending() as sender:
        request = Request("HEAD", b"/", ((b"Host", b"x"),), b"", "http", "127.0.0.1", server.port)
        answer = await sender.send(request)
        assert answer.exchange.response is not None
        assert answer.exchange.response.body == b""
        assert (await sender.send(get(server))).failure == ""
        assert server.connections == 1


@run
async def test_a_body_that_the_close_ends_is_whole() -> None:
    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await server.read_request(reader)
        writer.write(b"HTTP/1.1 200 OK\r\n\r\nall of it")
        await writer.drain()

    server = RawServer(talk)
    async with server, sending() as sender:
        answer = await sender.send(get(server))
        assert answer.failure == ""
        assert answer.exchange.response is not None
        assert answer.exchange.response.body == b"all of it"


async def _silence(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await reader.read(65536)
    await asyncio.Event().wait()


async def _drop(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await reader.read(65536)


def _saying(raw: bytes) -> Callable[[asyncio.StreamReader, asyncio.StreamWriter], Coroutine[Any, Any, None]]:
    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(65536)
        writer.write(raw)
        await writer.drain()

    return talk


async def _endless_body(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await reader.read(65536)
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 10737418240\r\n\r\n")
    while True:
        writer.write(b"x" * 65536)
        await writer.drain()


async def _endless_head(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await reader.read(65536)
    writer.write(b"HTTP/1.1 200 OK\r\n")
    while True:
        writer.write(b"X-A: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\r\n" * 100)
        await writer.drain()


async def _half_answer_then_silence(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await reader.read(65536)
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf")
    await asyncio.Event().wait()


async def _endless_interim(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await reader.read(65536)
    while True:
        writer.write(b"HTTP/1.1 102 Processing\r\n\r\n" * 1000)
        await writer.drain()
        await asyncio.sleep(0)


@pytest.mark.parametrize(
    ("talk", "failure"),
    [
        (_silence, "timeout"),
        (_half_answer_then_silence, "timeout"),
        (_endless_interim, "timeout"),
        (_drop, "closed"),
        (_saying(b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf"), "closed"),
        (_saying(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhal"), "closed"),
        (_saying(b"HTTP/1.1 200 OK\r\nX-A"), "closed"),
        (_saying(b"SSH-2.0-OpenSSH_9.2\r\n\r\n"), "broken"),
        (_saying(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\nx"), "broken"),
        (_saying(b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx"), "broken"),
        (_endless_body, "too_large"),
        (_endless_head, "too_large"),
    ],
)
@run
async def test_a_bad_target_is_a_kind_of_failure(talk: Any, failure: str) -> None:
    async with RawServer(talk) as server, sending(first_byte=0.3, total=0.5, keep=1000, read=200_000) as sender:
        answer = await sender.send(get(server))
        assert answer.failure == failure
        if answer.exchange.response is not None:
            assert answer.exchange.response.truncated
            assert len(answer.exchange.response.body) <= 1000


@run
async def test_an_endless_body_is_kept_up_to_the_bound_and_its_announced_size_told() -> None:
    async with RawServer(_endless_body) as server, sending(keep=1000, read=200_000) as sender:
        response = (await sender.send(get(server))).exchange.response
        assert response is not None
        assert (len(response.body), response.size, response.truncated) == (1000, 10737418240, True)


@run
async def test_a_body_over_the_kept_size_is_read_to_its_end_and_marked() -> None:
    raw = b"HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n" + b"x" * 5000
    async with RawServer().answering(raw) as server, sending(keep=1000) as sender:
        answer = await sender.send(get(server))
        assert answer.failure == ""
        assert answer.exchange.response is not None
        assert (len(answer.exchange.response.body), answer.exchange.response.size) == (1000, 5000)
        assert answer.exchange.response.truncated


@run
async def test_nobody_listening_is_refused() -> None:
    async with RawServer().answering(OK) as server:
        request = get(server)
    async with sending() as sender:
        assert (await sender.send(request)).failure == "refused"


@run
async def test_whether_a_target_takes_connections_is_found_out_without_a_request() -> None:
    async def drop(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.transport.abort()

    async with RawServer().answering(OK) as server, RawServer(drop) as dropping, sending() as sender:
        request = get(server)
        assert await sender.reaches(request)
        assert not await sender.reaches(get(dropping))
        assert server.received == []
    async with sending() as sender:
        assert not await sender.reaches(request)
        assert not await sender.reaches(Request("GET", b"/", host="no-such-name.invalid"))
    async with sending() as sender:
        sender._destinations = Destinations(lambda *_: "no", lambda *_: None)
        assert not await sender.reaches(request)


@run
async def test_plain_http_where_tls_is_wanted_is_broken() -> None:
    async with RawServer(_saying(OK)) as server, sending(connect=5.0) as sender:
        assert (await sender.send(get(server, scheme="https"))).failure == "broken"


@run
async def test_a_certificate_that_nobody_trusts_is_told_as_that(tmp_path: Path) -> None:
    tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    tls.load_cert_chain(certificate(tmp_path))
    async with RawServer(_saying(OK), tls=tls) as server:
        sender = Sender(anywhere(), Bounds(connect=5.0))
        assert (await sender.send(get(server, scheme="https"))).failure == "untrusted"
        await sender.close()


@run
async def test_a_certificate_for_another_name_is_told_as_that(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tls = CertificateAuthority.open(tmp_path).context("other.example", ())
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "ca.pem"))
    async with RawServer(_saying(OK), tls=tls) as server:
        sender = Sender(anywhere(), Bounds(connect=5.0))
        assert (await sender.send(get(server, scheme="https"))).failure == "other_name"
        await sender.close()


def _closing_after_one(server: RawServer) -> Any:
    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await server.read_request(reader)
        writer.write(OK)
        await writer.drain()
        await server.read_request(reader)  # the second request is read and never answered

    return talk


@run
async def test_a_stale_connection_is_retried_once_for_a_request_that_may_be_repeated() -> None:
    server = RawServer()
    server._talk = _closing_after_one(server)
    async with server, sending() as sender:
        assert (await sender.send(get(server))).failure == ""
        assert (await sender.send(get(server))).failure == ""
        assert server.connections == 2
        assert len(server.received) == 3


@run
async def test_a_request_that_may_not_be_repeated_is_never_sent_twice() -> None:
    server = RawServer()
    server._talk = _closing_after_one(server)
    async with server, sending() as sender:
        await sender.send(get(server))
        headers = ((b"Host", b"x"), (b"Content-Length", b"0"))
        answer = await sender.send(Request("POST", b"/pay", headers, b"", "http", "127.0.0.1", server.port))
        assert answer.failure == "closed"
        assert sum(raw.startswith(b"POST") for raw in server.received) == 1


@run
async def test_a_body_without_its_length_costs_the_connection() -> None:
    async with RawServer().answering(OK) as server, sending() as sender:
        await sender.send(Request("GET", b"/", ((b"Host", b"x"),), b"stray", "http", "127.0.0.1", server.port))
        await sender.send(get(server))
        assert server.connections == 2


@run
async def test_the_time_of_an_answer_counts_to_its_first_byte_and_from_the_final_answer() -> None:
    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await server.read_request(reader)
        writer.write(b"HTTP/1.1 100 Continue\r\n\r\n")
        await writer.drain()
        await asyncio.get_running_loop().create_future()

    server = RawServer(talk)
    async with server, sending(first_byte=0.2, total=0.2) as sender:
        answer = await sender.send(get(server))
        assert (answer.failure, answer.exchange.elapsed) == ("timeout", None)


@run
async def test_a_host_that_is_not_allowed_is_never_connected_to() -> None:
    async with RawServer().answering(OK) as server:
        sender = Sender(Destinations(lambda host, _port: f"{host} is not allowed", lambda *_: None))
        assert sender.excludes(get(server))
        assert (await sender.send(get(server))).failure == "not_allowed"
        assert server.connections == 0


@run
async def test_a_name_is_resolved_once_and_its_address_stays() -> None:
    asked: list[str] = []

    async def lookup(host: str, _port: int) -> list[str]:
        asked.append(host)
        return ["127.0.0.1"] if len(asked) == 1 else ["169.254.169.254"]

    async with RawServer().answering(OK) as server:
        sender = Sender(Destinations(lambda *_: None, lambda *_: None, lookup))
        request = Request("GET", b"/", ((b"Host", b"x"),), b"", "http", "app.example.test", server.port)
        for _ in range(3):
            assert (await sender.send(request)).failure == ""
        assert asked == ["app.example.test"]
        await sender.close()


@run
async def test_a_name_that_leads_to_a_refused_address_is_not_tested() -> None:
    async def lookup(_host: str, _port: int) -> list[str]:
        return ["127.0.0.1", "169.254.169.254"]

    def check(_host: str, address: str, _port: int) -> str | None:
        return "link-local" if address.startswith("169.254.") else None

    sender = Sender(Destinations(lambda *_: None, check, lookup))
    request = Request("GET", b"/", ((b"Host", b"x"),), b"", "http", "app.example.test", 1)
    assert (await sender.send(request)).failure == "not_allowed"


@pytest.mark.parametrize(("verify", "mode"), [(True, ssl.CERT_REQUIRED), (False, ssl.CERT_NONE)])
def test_certificates_are_verified_unless_told_otherwise(verify: bool, mode: ssl.VerifyMode) -> None:
    dialler = Dialler(Bounds(), verify_tls=verify)
    assert {dialler.context(only_http1=only).verify_mode for only in (True, False)} == {mode}


@run
async def test_where_a_kept_connection_lost_a_request_others_like_it_go_over_new_ones() -> None:
    """The server takes one request more over a connection that it kept, and closes it without a word."""
    lost: list[bytes] = []

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await server.read_request(reader)
        writer.write(OK)
        lost.append(await server.read_request(reader))

    async with RawServer(talk) as server, sending() as sender:
        posting = msgspec.structs.replace(get(server), method="POST")
        failures = [(await sender.send(posting)).failure for _ in range(6)]
        assert failures == ["", "closed", "", "", "", ""], "one was lost, and none after it"
        assert sum(map(bool, lost)) == 1
        assert (await sender.send(get(server))).failure == "", "what may be repeated is, as ever"
