"""Applications behind another proxy are reached with the same bytes, in tunnels or in absolute form. The proxy is a tap."""

import asyncio
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.node.http2.speaking import Http2Server
from tests.node.loop import run
from tests.node.observe.intercepting import intercepting, server_tls, trusting
from tests.node.observe.tapping import OK, client_of, seen, tapping
from tests.node.test.sending import anywhere, asking, certificate, get, http2_ok
from tests.plain_http import PATIENCE

from gatecrash.core.errors import UserError
from gatecrash.core.testing.selection.hosts import AllowedHosts
from gatecrash.fakes.raw_server import RawServer
from gatecrash.node.observe.tap import Tap
from gatecrash.node.test.connections.destinations import NotAllowed, Unresolved, allowed_by
from gatecrash.node.test.connections.sender import Sender
from gatecrash.node.upstream_proxy import UpstreamProxy, read_upstream_proxy

SECRET = "user:pass word"
BASIC = b"Basic dXNlcjpwYXNzIHdvcmQ="


def at(tap: Tap, credentials: str = SECRET) -> UpstreamProxy:
    return UpstreamProxy("127.0.0.1", tap.port, credentials)


@asynccontextmanager
async def sending_through(tap: Tap, credentials: str = SECRET) -> AsyncIterator[Sender]:
    sender = Sender(anywhere(), verify_tls=False, proxy=at(tap, credentials))
    try:
        yield sender
    finally:
        await sender.close()


@run
async def test_plain_requests_go_through_it_with_the_bytes_they_have_without_it() -> None:
    requests = (
        b"GET //a/%2e./?q=http://b/ HTTP/1.1\r\nhOST: v.example\r\nX: 1\r\n\r\n",
        b"POST / HTTP/1.1\r\nHost: v.example\r\nContent-Length: 2\r\n\r\nhi",
    )
    async with RawServer().answering(OK) as server, tapping(credentials=SECRET) as corporate:
        async with tapping(server) as tap, client_of(tap) as client:
            direct = [await client.ask(request) for request in requests]
        async with tapping(server, proxy=at(corporate)) as tap, client_of(tap) as client:
            assert [await client.ask(request) for request in requests] == direct == [OK, OK]
        # The proxy sets Host by the address it was asked for (RFC 9112 section 3.2.2); all else is as it was.
        there = b"127.0.0.1:%d" % server.port
        assert server.received[2:] == [raw.replace(b"v.example", there) for raw in server.received[:2]]
        assert BASIC not in b"".join(server.received)
        assert len(await seen(corporate, 2)) == 2


@run
async def test_opened_and_blind_tunnels_lead_through_it(tmp_path: Path) -> None:
    tls = server_tls(tmp_path / "app")
    async with RawServer(tls=tls).answering(OK) as server, tapping(credentials=SECRET) as corporate:
        for allowed, folder in (("", "tap"), ("other.example", "app")):
            async with intercepting(tmp_path / "tap", allowed, proxy=at(corporate)) as tap:
                through = httpx.AsyncClient(
                    proxy=f"http://127.0.0.1:{tap.port}",
                    verify=trusting(tmp_path / folder),
                    trust_env=False,
                    timeout=PATIENCE,
                )
                async with through as client:
                    assert (await client.get(f"https://localhost:{server.port}/%2e?q")).text == "ok"
        assert [raw.split(b" ")[1] for raw in server.received] == [b"/%2e?q"] * 2
        assert corporate._count == 2


@pytest.mark.parametrize("wrong", ["", "user:other"])
@run
async def test_a_proxy_that_refuses_is_named_and_its_password_is_not(wrong: str, tmp_path: Path) -> None:
    async with tapping(credentials=SECRET) as corporate, intercepting(tmp_path, proxy=at(corporate, wrong)) as tap:
        async with client_of(tap) as client:
            client.writer.write(b"CONNECT localhost:1 HTTP/1.1\r\nHost: x\r\n\r\n")
            answer = (await client.reader.read()).decode()
        assert f"the upstream proxy 127.0.0.1:{corporate.port} refused it with 407" in answer
        assert "other" not in answer
        async with sending_through(corporate, wrong) as sender:
            assert (await sender.send(asking(1, scheme="https", version="1.1"))).failure == "refused"


@run
async def test_a_proxy_that_speaks_no_http_or_leaves_is_a_failure_in_plain_words(tmp_path: Path) -> None:
    async def leave(reader: asyncio.StreamReader, _writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")

    async def babble(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"SSH-2.0\r\n\r\n")
        await writer.drain()

    for talk, words in ((leave, b"gave no answer to CONNECT"), (babble, b"answered with something that is not HTTP")):
        async with (
            RawServer(talk) as proxy,
            intercepting(tmp_path, proxy=UpstreamProxy("127.0.0.1", proxy.port)) as tap,
            client_of(tap) as client,
        ):
            client.writer.write(b"CONNECT localhost:1 HTTP/1.1\r\nHost: x\r\n\r\n")
            assert words in await client.reader.read()


@run
async def test_test_requests_go_through_it_in_http_1_and_2_with_tls_and_without(tmp_path: Path) -> None:
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(certificate(tmp_path))
    tls.set_alpn_protocols(["h2"])
    async with tapping(credentials=SECRET) as corporate, sending_through(corporate) as sender:
        async with (
            RawServer().answering(OK) as plain,
            Http2Server(http2_ok, tls) as new,
            Http2Server(http2_ok) as clear,
        ):
            cases: tuple[tuple[Any, str, str], ...] = (
                (plain, "http", "1.1"),
                (new, "https", "2"),
                (clear, "http", "2"),
            )
            for server, scheme, version in cases:
                for _ in range(2):
                    answer = await sender.send(asking(server.port, scheme=scheme, version=version, target=b"/..;/%2f"))
                    assert (answer.failure, answer.exchange.response and answer.exchange.response.status) == ("", 200)
                assert await sender.reaches(asking(server.port, scheme=scheme, version=version))
            assert plain.received == [b"GET /..;/%%2f HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n" % plain.port] * 2
        assert not await sender.reaches(asking(new.port, scheme="https"))


@run
async def test_a_target_that_would_lead_the_proxy_elsewhere_is_not_sent() -> None:
    async with RawServer().answering(OK) as elsewhere, tapping() as corporate, sending_through(corporate, "") as sender:
        other = b"http://127.0.0.1:%d/" % elsewhere.port
        for target in (other, b"@" + other, b"/ HTTP/1.1\r\n\r\nGET " + other, b"/\nGET " + other):
            assert (await sender.send(get(elsewhere, target))).failure == "not_allowed"
        assert elsewhere.received == []
        assert (await sender.send(get(elsewhere))).failure == ""


def test_only_the_first_line_changes_and_an_asterisk_asks_for_the_whole_server() -> None:
    proxy = UpstreamProxy("p", 1)
    assert proxy.absolute(b"A /b HTTP/1.0\r\nHost: c\r\n\r\nd", "::1", 80) == (
        b"A http://[::1]:80/b HTTP/1.0\r\nHost: c\r\n\r\nd"
    )
    assert proxy.absolute(b"OPTIONS * HTTP/1.1\r\n\r\n", "e", 81) == b"OPTIONS http://e:81 HTTP/1.1\r\n\r\n"


def test_an_address_is_read_with_its_credentials_and_shown_without_them() -> None:
    proxy = read_upstream_proxy("http://user:pass%20word@Proxy.example:8080")
    assert proxy == UpstreamProxy("proxy.example", 8080, SECRET)
    assert proxy.header == b"\r\nProxy-Authorization: " + BASIC
    assert (proxy.url, proxy.pair) == ("http://proxy.example:8080", ("user", "pass word"))
    assert "pass" not in f"{proxy} {proxy!r}"
    assert read_upstream_proxy("http://[::1]") == UpstreamProxy("::1", 3128)


@pytest.mark.parametrize("url", ["proxy:3128", "socks5://u:secret@p:1", "http://p:x", "http://u:secret@p:1/a", "http://:secret@p"])  # fmt: skip
def test_another_address_is_refused_without_telling_the_password(url: str) -> None:
    with pytest.raises(UserError, match="--upstream-proxy") as told:
        read_upstream_proxy(url)
    assert "secret" not in str(told.value)


@run
async def test_a_name_that_only_the_proxy_can_resolve_has_to_be_named() -> None:
    named, pattern = AllowedHosts("nowhere.invalid"), AllowedHosts("*")
    assert await allowed_by([named], resolved_elsewhere=True).find("nowhere.invalid", 80) == "nowhere.invalid"
    for lists, elsewhere in (([pattern], True), ([named, pattern], True), ([AllowedHosts()], True), ([named], False)):
        with pytest.raises((NotAllowed, Unresolved), match=r"nowhere\.invalid"):
            await allowed_by(lists, resolved_elsewhere=elsewhere).find("nowhere.invalid", 80)
