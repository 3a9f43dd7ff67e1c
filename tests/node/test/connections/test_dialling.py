"""What a target speaks is found out when it is connected to, and a target that never says costs no more than its time."""

import asyncio
import ssl
from pathlib import Path
from typing import Any

import pytest
from tests.node.http2.speaking import Http2Server
from tests.node.loop import run
from tests.node.test.sending import OK, anywhere, asking, certificate
from tests.node.test.sending import http2_ok as ok

from gatecrash.fakes.raw_server import RawServer
from gatecrash.node.http1.head import BrokenMessage
from gatecrash.node.test.connections.connection import Bounds, TargetConnection
from gatecrash.node.test.connections.dialling import Dialler, Unusable, is_one_request
from gatecrash.node.test.connections.http2_target import Http2Target
from gatecrash.node.test.connections.sender import Sender


@run
async def test_in_tls_the_target_picks(tmp_path: Path) -> None:
    for offered in (["h2", "http/1.1"], ["http/1.1"]):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate(tmp_path))
        context.set_alpn_protocols(offered)
        server: Any = Http2Server(ok, context) if "h2" in offered else RawServer(tls=context).answering(OK)
        async with server:
            sender = Sender(anywhere(), verify_tls=False)
            for version in ("1.1", "2"):
                requests = [asking(server.port, scheme="https", version=version) for _ in range(20)]
                answers = await asyncio.gather(*map(sender.send, requests))
                assert {answer.failure for answer in answers} == {""}
                seen = {answer.exchange.response.version for answer in answers if answer.exchange.response}
                assert seen == ({"2"} if "h2" in offered else {"1.1"})
            old = (await sender.send(asking(server.port, scheme="https", version="1.0"))).failure
            assert bool(old) == ("h2" in offered), "a request of HTTP/1.0 is never sent in HTTP/2"
            if "h2" in offered:
                assert sum(not speaker.lost.is_set() for speaker in server.speakers) <= 2
            await sender.close()


@run
async def test_in_the_clear_what_was_recorded_decides() -> None:
    dialler = Dialler(Bounds(), verify_tls=True)
    async with RawServer().answering(OK) as old, Http2Server(ok) as new:
        for version, server, kind in (("1.1", old, TargetConnection), ("2", new, Http2Target)):
            request = asking(server.port, version=version)
            connection = await dialler.dial("127.0.0.1", request, only_http1=False)
            assert type(connection) is kind
            connection.drop()
        connection = await dialler.dial("127.0.0.1", asking(old.port), only_http1=True)
        assert type(connection) is TargetConnection
        connection.drop()


@run
async def test_a_target_that_does_not_say_what_it_takes_is_given_up() -> None:
    async def silent(reader: asyncio.StreamReader, _writer: asyncio.StreamWriter) -> None:
        await reader.read()

    async with RawServer(silent) as server, RawServer().answering(OK) as old:
        with pytest.raises(TimeoutError):
            await Dialler(Bounds(connect=0.05), verify_tls=True).dial(
                "127.0.0.1", asking(server.port), only_http1=False
            )
        with pytest.raises(Unusable):
            await Dialler(Bounds(connect=5), verify_tls=True).dial("127.0.0.1", asking(old.port), only_http1=False)


def test_an_upstream_proxy_is_given_one_request_and_nothing_behind_it() -> None:
    more = b"GET http://elsewhere/ HTTP/1.1\r\n\r\n"
    for whole in (
        b"GET / HTTP/1.1\r\nHost: a\r\n\r\n",
        b"POST / HTTP/1.1\r\nContent-Length: 2\r\n\r\nhi",
        b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n",
    ):
        assert is_one_request(whole)
        assert not is_one_request(whole + more)
        assert not is_one_request(whole[:-1])
    for broken in (b"GET /\r\n\r\n" + more, b"GET / HTTP/1.1\r\nX : 1\r\n\r\n", b"a\nb\n\n"):
        with pytest.raises(BrokenMessage):
            is_one_request(broken)
