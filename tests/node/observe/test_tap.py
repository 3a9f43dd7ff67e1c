"""The tap as a whole: what passes, what is copied, who may pass, and how many."""

import asyncio
import base64
import shutil

import httpx
import pytest
from tests.node.loop import run, until
from tests.node.observe.tapping import OK, client_of, exchange, seen, tapping
from tests.plain_http import PLAIN

from gatecrash.core.errors import UserError
from gatecrash.fakes.raw_server import RawServer
from gatecrash.node.observe.observations import Observations
from gatecrash.node.observe.route import Origin
from gatecrash.node.observe.tap import Tap, TapSettings


@run
async def test_forward_the_request_passes_unchanged_but_for_its_hop() -> None:
    async with RawServer().answering(OK) as server, tapping() as tap, client_of(tap) as client:
        authority = f"127.0.0.1:{server.port}".encode()
        answer = await client.ask(
            b"GET http://" + authority + b"//a/%2e./?q=\xff\"'<>&&=#f HTTP/1.1\r\n"
            b"hOsT: other\r\nX-A: 1\r\nx-a: 2\r\nProxy-Connection: keep-alive\r\nConnection: X-Hop, close, host\r\n"
            b"X-Hop: 1\r\nTE: trailers\r\nX-A:  3 \r\nProxy-Authorization: Basic eDp5\r\nKeep-Alive: 5\r\n\r\n"
        )
        assert answer == b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok"
        assert await client.reader.read() == b""
        assert server.received == [
            b"GET //a/%2e./?q=\xff\"'<>&&=#f HTTP/1.1\r\nhOsT: " + authority + b"\r\nX-A: 1\r\nx-a: 2\r\nX-A: 3\r\n\r\n"
        ]
        request = (await exchange(tap)).request
        assert request.target == b"//a/%2e./?q=\xff\"'<>&&=#f"
        assert (request.host, request.port, request.scheme) == ("127.0.0.1", server.port, "http")
        assert request.headers == ((b"hOsT", authority), (b"X-A", b"1"), (b"x-a", b"2"), (b"X-A", b"3"))


@run
async def test_the_exchange_holds_both_bodies_and_the_connections_name() -> None:
    async with RawServer().answering(OK) as server, tapping(server) as tap, client_of(tap) as client:
        for body in (b"one", b"two"):
            await client.ask(b"POST /x HTTP/1.1\r\nHost: a.example\r\nContent-Length: 3\r\n\r\n" + body)
        first, second = await seen(tap, 2)
        assert first.whole
        assert [first.exchange.request.body, second.exchange.request.body] == [b"one", b"two"]
        assert first.exchange.response is not None
        assert (first.exchange.response.status, first.exchange.response.body) == (200, b"ok")
        assert first.exchange.connection == second.exchange.connection != ""
        assert first.exchange.elapsed is not None
        assert server.connections == 1


@pytest.mark.parametrize(
    ("host", "passed"), [(b"api.example.com", b"api.example.com"), (b"127.0.0.1:1", None), (b"localhost", None)]
)
@run
async def test_reverse_a_host_that_means_the_proxy_becomes_the_upstreams(host: bytes, passed: bytes | None) -> None:
    async with RawServer().answering(OK) as server, tapping(server) as tap, client_of(tap) as client:
        await client.ask(b"GET / HTTP/1.1\r\nHost: " + host + b"\r\n\r\n")
        expected = passed or f"127.0.0.1:{server.port}".encode()
        assert server.received == [b"GET / HTTP/1.1\r\nHost: " + expected + b"\r\n\r\n"]


@run
async def test_a_thousand_connections_are_held_at_once() -> None:
    release = asyncio.Event()

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await server.read_request(reader)
        await release.wait()
        writer.write(OK)
        await writer.drain()

    server = RawServer(talk)
    async with server, tapping(server) as tap:
        clients = [await asyncio.open_connection("127.0.0.1", tap.port) for _ in range(1000)]
        for _, writer in clients:
            writer.write(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        await until(lambda: len(server.received) == 1000)
        release.set()
        answers = await asyncio.gather(*(reader.readexactly(len(OK)) for reader, _ in clients))
        assert set(answers) == {OK}
        for _, writer in clients:
            writer.close()


@run
async def test_a_request_to_the_proxy_itself_is_noticed() -> None:
    async with tapping() as tap, client_of(tap) as client:
        answer = await client.ask(b"GET http://127.0.0.1:%d/ HTTP/1.1\r\nHost: x\r\n\r\n" % tap.port)
        assert answer.startswith(b"HTTP/1.1 508 ")


@run
async def test_with_credentials_only_who_shows_them_passes_and_they_go_no_further() -> None:
    async with RawServer().answering(OK) as server, tapping(credentials="me:secret") as tap:
        line = b"GET http://127.0.0.1:%d/ HTTP/1.1\r\nHost: x\r\n" % server.port
        async with client_of(tap) as client:
            assert (await client.ask(line + b"\r\n")).startswith(b"HTTP/1.1 407 ")
            wrong = base64.b64encode(b"me:wrong")
            assert (await client.ask(line + b"Proxy-Authorization: Basic " + wrong + b"\r\n\r\n")).startswith(
                b"HTTP/1.1 407 "
            )
            right = base64.b64encode(b"me:secret")
            assert await client.ask(line + b"Proxy-Authorization: basic " + right + b"\r\n\r\n") == OK
        assert b"secret" not in server.received[0]
        assert b"Proxy-Authorization" not in server.received[0]


def test_an_open_proxy_off_loopback_is_refused() -> None:
    with pytest.raises(UserError, match="could be used by anybody"):
        Tap(TapSettings(host="0.0.0.0"), Observations())
    Tap(TapSettings(host="0.0.0.0", credentials="a:b"), Observations())
    Tap(TapSettings(host="0.0.0.0", upstream=Origin("http", "a", 1)), Observations())


@run
async def test_observers_that_are_too_slow_lose_observations_and_never_traffic() -> None:
    observations = Observations(max_waiting=2)
    async with RawServer().answering(OK) as server, tapping(server, observations=observations) as tap:
        async with client_of(tap) as client:
            for _ in range(5):
                assert await client.ask(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n") == OK
        assert observations.dropped == 3


@run
async def test_httpx_works_through_both_kinds_of_proxy() -> None:
    async with RawServer().answering(OK) as server, tapping() as forward, tapping(server) as reverse:
        url = f"http://127.0.0.1:{server.port}/x"
        async with httpx.AsyncClient(proxy=f"http://127.0.0.1:{forward.port}", **PLAIN) as client:
            assert [(await client.post(url, json={"a": 1})).text for _ in range(3)] == ["ok"] * 3
        async with httpx.AsyncClient(**PLAIN) as client:
            assert (await client.get(f"http://127.0.0.1:{reverse.port}/x")).text == "ok"


@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")
@run
async def test_curl_works_through_the_proxy() -> None:
    async with RawServer().answering(OK) as server, tapping() as tap:
        curl = await asyncio.create_subprocess_exec(
            *("curl", "-s", "-x", f"http://127.0.0.1:{tap.port}", "--noproxy", "", "--http2"),
            *("-d", "x" * 5000, "-H", "Expect: 100-continue", "--expect100-timeout", "0.1"),
            *(f"http://127.0.0.1:{server.port}/a", f"http://127.0.0.1:{server.port}/b"),
            stdout=asyncio.subprocess.PIPE,
        )
        out, _ = await curl.communicate()
        assert (curl.returncode, out) == (0, b"okok")
        assert len(server.received) == 2


@run
async def test_a_mistake_of_ours_is_told_by_its_place_and_never_by_its_text(caplog: pytest.LogCaptureFixture) -> None:
    async def fail() -> None:
        raise ValueError("Bearer 0123456789")

    async with tapping() as tap:
        tap.keep(fail())
        await until(lambda: bool(caplog.records))
    [told] = caplog.records
    assert (told.levelname, told.getMessage()) == ("ERROR", "a connection was given up")
    assert vars(told)["error"] == "ValueError"
    assert "test_tap.py" in vars(told)["where"][-1]
    assert "0123456789" not in str(vars(told))


@run
async def test_a_client_whose_connection_to_the_application_fails_by_our_mistake_is_not_left_waiting(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def broken(*_: object) -> None:
        raise RuntimeError

    async with RawServer().answering(OK) as server, tapping(server) as tap, client_of(tap) as client:
        monkeypatch.setattr(tap, "_connect", broken)
        client.writer.write(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        with pytest.raises((ConnectionResetError, asyncio.IncompleteReadError)):
            await client.answer()
        await until(lambda: "a connection was given up" in caplog.messages)
