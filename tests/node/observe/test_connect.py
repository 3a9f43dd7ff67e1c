"""CONNECT: opened towards allowed hosts, blind towards all others, and in plain words where it cannot be done."""

import asyncio
import ssl
from pathlib import Path

import httpx
import pytest
from tests.node.loop import run, until
from tests.node.observe.intercepting import intercepting, server_tls, trusting
from tests.node.observe.tapping import OK, client_of, exchange, seen
from tests.plain_http import PATIENCE

from gatecrash.fakes.raw_server import RawServer
from gatecrash.node.observe.tap import Tap


def through(tap: Tap, tls: ssl.SSLContext | bool) -> httpx.AsyncClient:
    return httpx.AsyncClient(proxy=f"http://127.0.0.1:{tap.port}", verify=tls, trust_env=False, timeout=PATIENCE)


@run
async def test_https_to_an_allowed_host_is_observed_as_it_was_sent(tmp_path: Path) -> None:
    tls = server_tls(tmp_path / "app")
    async with RawServer(tls=tls).answering(OK) as server, intercepting(tmp_path / "tap") as tap:
        async with through(tap, trusting(tmp_path / "tap")) as client:
            url = f"https://localhost:{server.port}//a/%2e./?q=1"
            assert [(await client.post(url, json={"a": 1})).text for _ in range(3)] == ["ok"] * 3
        first, second, _ = await seen(tap, 3)
        request = first.exchange.request
        assert (request.scheme, request.host, request.port) == ("https", "localhost", server.port)
        assert (request.target, request.body, first.whole) == (b"//a/%2e./?q=1", b'{"a":1}', True)
        assert first.exchange.response is not None
        assert first.exchange.response.body == b"ok"
        assert first.exchange.connection == second.exchange.connection != ""
        assert first.exchange.client == "127.0.0.1"
        assert server.connections == 1


@run
async def test_tls_to_other_hosts_is_a_blind_tunnel(tmp_path: Path) -> None:
    tls = server_tls(tmp_path / "app")
    async with RawServer(tls=tls).answering(OK) as server, intercepting(tmp_path / "tap", "other.example") as tap:
        async with through(tap, trusting(tmp_path / "app")) as client:
            assert (await client.get(f"https://localhost:{server.port}/")).text == "ok"
        assert tap.observations.take_now() == []


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1"])
@run
async def test_names_and_addresses_get_certificates_that_clients_accept(host: str, tmp_path: Path) -> None:
    tls = server_tls(tmp_path / "app", host=host)
    async with RawServer(tls=tls).answering(OK) as server, intercepting(tmp_path / "tap") as tap:
        async with through(tap, trusting(tmp_path / "tap")) as client:
            assert (await client.get(f"https://{host}:{server.port}/")).text == "ok"
        assert (await exchange(tap)).request.host == host


@run
async def test_an_application_that_is_not_trusted_is_a_502_in_plain_words(tmp_path: Path) -> None:
    tls = server_tls(tmp_path / "app")
    async with (
        RawServer(tls=tls).answering(OK) as server,
        intercepting(tmp_path / "tap", verify_tls=True) as tap,
        through(tap, trusting(tmp_path / "tap")) as client,
    ):
        answer = await client.get(f"https://localhost:{server.port}/")
        assert answer.status_code == 502
        assert "certificate is not trusted" in answer.text
        assert "--upstream-insecure" in answer.text
        assert server.received == []


@run
async def test_an_application_whose_ca_is_trusted_is_reached(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tls = server_tls(tmp_path / "app")
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "app" / "ca.pem"))
    async with (
        RawServer(tls=tls).answering(OK) as server,
        intercepting(tmp_path / "tap", verify_tls=True) as tap,
        through(tap, trusting(tmp_path / "tap")) as client,
    ):
        assert (await client.get(f"https://localhost:{server.port}/")).text == "ok"


@run
async def test_a_certificate_for_another_name_is_told_as_that_though_its_ca_is_trusted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tls = server_tls(tmp_path / "app", host="other.example")
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "app" / "ca.pem"))
    async with (
        RawServer(tls=tls).answering(OK) as server,
        intercepting(tmp_path / "tap", verify_tls=True) as tap,
        through(tap, trusting(tmp_path / "tap")) as client,
    ):
        answer = await client.get(f"https://localhost:{server.port}/")
        assert answer.status_code == 502
        assert "certificate is for another name" in answer.text
        assert "--upstream-insecure (Hostname mismatch" in answer.text
        assert "SSL_CERT_FILE" not in answer.text
        assert server.received == []


@run
async def test_the_application_sees_the_name_that_the_client_asked_for(tmp_path: Path) -> None:
    names: list[str | None] = []
    tls = server_tls(tmp_path / "app")
    tls.sni_callback = lambda _socket, name, _context: names.append(name)
    async with RawServer(tls=tls).answering(OK) as server, intercepting(tmp_path / "tap") as tap:
        async with client_of(tap) as client:
            connect = b"CONNECT 127.0.0.1:%d HTTP/1.1\r\nHost: x\r\n\r\n" % server.port
            assert (await client.ask(connect)).startswith(b"HTTP/1.1 200 ")
            await client.writer.start_tls(trusting(tmp_path / "tap"), server_hostname="localhost")
            assert await client.ask(b"GET / HTTP/1.1\r\nHost: api.localhost\r\n\r\n") == OK
        assert names == ["localhost"]
        request = (await exchange(tap)).request
        assert (request.host, request.first(b"host")) == ("127.0.0.1", b"api.localhost")


@run
async def test_what_is_not_http_passes_blindly_whoever_speaks_first(tmp_path: Path) -> None:
    async def greet(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"220 hello\r\n")
        writer.write(await reader.readexactly(3))
        await reader.read()

    async def echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(await reader.readexactly(3))
        await reader.read()

    async with RawServer(greet) as first, RawServer(echo) as second, intercepting(tmp_path) as tap:
        for server, greeting in ((first, b"220 hello\r\n"), (second, b"")):
            async with client_of(tap) as client:
                await client.ask(b"CONNECT 127.0.0.1:%d HTTP/1.1\r\nHost: x\r\n\r\n" % server.port)
                assert await client.reader.readexactly(len(greeting)) == greeting
                client.writer.write(b"\x16ab")
                assert await client.reader.readexactly(3) == b"\x16ab"


@run
async def test_plain_http_in_a_tunnel_is_observed(tmp_path: Path) -> None:
    async with RawServer().answering(OK) as server, intercepting(tmp_path) as tap, client_of(tap) as client:
        await client.ask(b"CONNECT 127.0.0.1:%d HTTP/1.1\r\nHost: x\r\n\r\n" % server.port)
        assert await client.ask(b"GET /plain HTTP/1.1\r\nHost: x\r\n\r\n") == OK
        assert (await exchange(tap)).request.url == f"http://127.0.0.1:{server.port}/plain"


@run
async def test_websocket_inside_tls_passes_both_ways(tmp_path: Path) -> None:
    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        assert b"Upgrade: websocket" in head
        writer.write(b"HTTP/1.1 101 X\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\nfirst")
        while data := await reader.read(100):
            writer.write(data.upper())

    async with RawServer(talk, tls=server_tls(tmp_path / "app")) as server, intercepting(tmp_path / "tap") as tap:
        async with client_of(tap) as client:
            await client.ask(b"CONNECT localhost:%d HTTP/1.1\r\nHost: x\r\n\r\n" % server.port)
            await client.writer.start_tls(trusting(tmp_path / "tap"), server_hostname="localhost")
            upgrade = b"GET /ws HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n"
            assert (await client.ask(upgrade)).startswith(b"HTTP/1.1 101 ")
            assert await client.reader.readexactly(5) == b"first"
            client.writer.write(b"second")
            assert await client.reader.readexactly(6) == b"SECOND"
        observed = (await exchange(tap)).response
        assert observed is not None
        assert observed.status == 101


@run
async def test_a_client_that_does_not_trust_our_ca_costs_itself_only(tmp_path: Path) -> None:
    tls = server_tls(tmp_path / "app")
    async with RawServer(tls=tls).answering(OK) as server, intercepting(tmp_path / "tap") as tap:
        async with through(tap, trusting(tmp_path / "app")) as client:
            with pytest.raises(httpx.ConnectError):
                await client.get(f"https://localhost:{server.port}/")
        await until(lambda: not tap.connections)
        async with through(tap, trusting(tmp_path / "tap")) as client:
            assert (await client.get(f"https://localhost:{server.port}/")).text == "ok"


@run
async def test_an_application_that_speaks_no_tls_is_told_of(tmp_path: Path) -> None:
    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if await reader.read(100):
            writer.write(b"HTTP/1.1 400 What?\r\n\r\n")

    async with RawServer(talk) as server, intercepting(tmp_path) as tap:
        async with through(tap, trusting(tmp_path)) as client:
            answer = await client.get(f"https://localhost:{server.port}/")
        assert answer.status_code == 502
        assert "does not speak TLS there; perhaps http:// was meant." in answer.text
