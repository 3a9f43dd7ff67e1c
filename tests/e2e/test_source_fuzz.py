"""Mutated input through every source of a running node: nothing that a client sends ends it, stops the collector, or
keeps what it counted from being written.
"""

import asyncio
import gzip
import io
import json
import logging
import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.node.loop import until

from gatecrash.fakes.control_plane import TOKEN, ControlPlane
from gatecrash.formats.capture import Malformed, UnreadableCapture
from gatecrash.formats.opening import opened
from gatecrash.node.observe.collector import Collector, CollectorSettings
from gatecrash.node.observe.folding import Folding
from gatecrash.node.observe.log_file import LogFile
from gatecrash.node.observe.log_follower import LogFollower
from gatecrash.node.observe.observations import Observations
from gatecrash.node.session import Session
from gatecrash.node.spool import Spool
from gatecrash.node.uplink import HELLO, Uplink
from gatecrash.wire.session import Hello, Welcome

MIRROR = (
    b"GET /gatecrash/v1/mirror HTTP/1.1\r\nHost: collector\r\nX-Original-Method: PUT\r\nX-Original-URI: /a/7?b=1\r\n"
    b"X-Original-Host: api.example.com\r\nX-Original-Scheme: https\r\nAuthorization: Bearer abcdefgh\r\n"
    b"Cookie: sid=a1b2c3; jwt=eyJhbGciOiJub25lIn0.e30.\r\n\r\n"
)
DIRECT = (
    b"POST /graphql?x=%zz HTTP/1.1\r\nHost: b.example:8443\r\nContent-Type: application/json\r\nContent-Length: 33\r\n"
    b'\r\n{"query":"query Q { a { b } }"}  '
)
CHUNKED = b"POST /soap HTTP/1.1\r\nHost: c.example\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n<a/> \r\n0\r\nT: x\r\n\r\n"
JSONL = json.dumps(
    {
        "method": "GET",
        "url": "https://a.example:444/x/7?y=%41#z",
        "headers": {"Authorization": "Basic dTpw", "Cookie": ["a=b", "c"]},
        "time": 1795168800.5,
        "status": 401,
        "response_headers": [["WWW-Authenticate", "Negotiate"], ["Set-Cookie", "sid=1; HttpOnly"]],
        "body_base64": "e30=",
        "connection": "c1",
        "client": "192.0.2.7",
    }
).encode()
NGINX = json.dumps(
    {
        "msec": "1795168800.500",
        "request_time": "0.1",
        "request_method": "GET",
        "scheme": "https",
        "http_host": "a.example",
        "request_uri": "/x/7?api_key=12345678",
        "status": "200",
        "http_authorization": "Digest username=u",
        "http_cookie": "PHPSESSID=1",
        "sent_http_set_cookie": "PHPSESSID=2",
        "connection": "7",
    }
).encode()
ENVOY = json.dumps(
    {
        "start_time": "2026-11-20T10:00:00.250Z",
        "method": "POST",
        "authority": "a.example:8443",
        "path": "/a?x=1",
        "protocol": "HTTP/2",
        "response_code": 200,
        "request_headers": {"authorization": "Bearer abcdefgh", "cookie": None},
        "response_headers": {"set-cookie": "a=b"},
    }
).encode()
HAR = json.dumps(
    {
        "log": {
            "entries": [
                {
                    "startedDateTime": "2026-11-20T10:00:00Z",
                    "connection": "1",
                    "request": {
                        "method": "POST",
                        "url": "http://a.example/x?y=z",
                        "headers": [{"name": "Authorization", "value": "NTLM TlRMTVNTUAABAAAA"}],
                        "postData": {"mimeType": "application/json", "text": "{}"},
                    },
                    "response": {"status": 200, "headers": [], "content": {"text": "e30=", "encoding": "base64"}},
                    "timings": {"wait": 3},
                }
            ]
        }
    }
).encode()
LINES = (JSONL, NGINX, ENVOY)
WIRE = (MIRROR, DIRECT, CHUNKED)
PIECES = (
    b"\x00", b"\xff", b"\r\n", b"\n", b'"', b"\\", b"{", b"}", b"[", b"]", b":", b",", b"\\ud800", b"1e999", b"-1", b"null",
    b"99999999999999999999", b"\xed\xa0\x80", b"%00", b" ", b"\xe2\x80\xa8", b"[" * 2000, b"Content-Length: 5\r\n",
)  # fmt: skip


def mutated(draw: random.Random, value: bytes, others: tuple[bytes, ...]) -> bytes:
    """One to four changes: a byte, a cut, a repetition, a piece of another input, a sign that means something."""
    changed = bytearray(value)
    for _ in range(draw.randint(1, 4)):
        at = draw.randint(0, len(changed))
        kind = draw.randrange(5)
        if kind == 0:
            changed[at : at + 1] = bytes((draw.randrange(256),))
        elif kind == 1:
            del changed[at : at + draw.randint(1, 30)]
        elif kind == 2:
            changed[at:at] = changed[at : at + draw.randint(1, 20)] * draw.randint(1, 30)
        elif kind == 3:
            other = draw.choice(others)
            start = draw.randint(0, len(other))
            changed[at:at] = other[start : start + draw.randint(1, 60)]
        else:
            changed[at:at] = draw.choice(PIECES)
    return bytes(changed)


def call(body: bytes) -> bytes:
    return b"POST /gatecrash/v1/exchanges HTTP/1.1\r\nHost: c\r\nContent-Length: %d\r\n\r\n%b" % (len(body), body)


def to_the_collector(draw: random.Random) -> bytes:
    """A connection's bytes: mirrored requests, calls, both broken, or sound ones with a broken body."""
    kind = draw.randrange(4)
    if kind == 0:
        return mutated(draw, draw.choice(WIRE), WIRE + LINES)
    if kind == 1:
        return call(b"\n".join(mutated(draw, JSONL, LINES) for _ in range(3)))
    if kind == 2:
        return mutated(draw, call(JSONL), WIRE + LINES)
    return b"".join(draw.choice(WIRE) for _ in range(3)) + mutated(draw, draw.choice(WIRE), LINES)


async def _send(port: int, data: bytes, draw: random.Random) -> None:
    """Sends it in a few pieces, and hangs up without waiting for the answers."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        cut = draw.randint(0, len(data))
        for piece in (data[:cut], data[cut:]):
            writer.write(piece)
            await writer.drain()
            await asyncio.sleep(0)
        # One read, so that the collector has had its turn.
        await asyncio.wait_for(reader.read(1), 0.01)
    except (TimeoutError, ConnectionError):
        pass
    finally:
        writer.close()


async def _collector(count: int, draw: random.Random, folder: Path) -> None:
    spool = Spool(folder / "spool")
    folding, observations = Folding(spool), Observations()
    collector = Collector(CollectorSettings(port=0), observations)
    await collector.start()
    try:
        for number in range(count):
            await _send(collector.port, to_the_collector(draw), draw)
            folding.add(observations.take_now(1000))
            if number % 500 == 0:
                await folding.write(ended=False)
        # It is as well as on its first day: a sound request is answered and counted.
        reader, writer = await asyncio.open_connection("127.0.0.1", collector.port)
        sound = MIRROR.replace(b"api.example.com", b"last.example")
        for _ in range(12):
            writer.write(sound)
            assert await reader.readuntil(b"\r\n\r\n") == b"HTTP/1.1 204 No Content\r\n\r\n"
        writer.close()
        await until(lambda: not collector._raw)
        folding.add(observations.take_now(10**6))
        await folding.write()
        await _deliver(folding, spool, "last.example")
    finally:
        await collector.close()
        spool.close()


async def _deliver(folding: Folding, spool: Spool, host: str) -> None:
    """What was counted can be written, sent and read."""
    async with ControlPlane() as control:
        uplink, session = Uplink(control.api, TOKEN), Session()
        session.set(await uplink.call(HELLO, Hello("n", "native", "1", spool.name), Welcome))
        await folding.send(uplink, session)
        await uplink.close()
        assert sum(row.requests for row in control.endpoints() if row.host == host) == 12


def log_lines(count: int, draw: random.Random) -> Iterator[bytes]:
    for _ in range(count):
        yield mutated(draw, draw.choice(LINES), LINES).replace(b"\n", b" ")


async def _follower(count: int, draw: random.Random, folder: Path) -> None:
    spool = Spool(folder / "spool")
    folding = Folding(spool)
    for kind, seed in (("nginx", NGINX), ("envoy", ENVOY), ("jsonl", JSONL)):
        path = folder / f"{kind}.log"
        last = seed.replace(b"a.example", b"last-" + kind.encode())
        lines = [*log_lines(count // 3, draw), *[last] * 12]
        path.write_bytes(b"".join(line + b"\n" for line in lines))
        follower = LogFollower(path, kind, folding, spool)
        follower._file = LogFile(path, b"key")
        while await follower.read_some():
            pass
        assert follower.counted + follower.unread >= count // 3
        follower._file.close()
    await folding.write()
    hosts = {row.host.partition(":")[0] for batch in spool.counts(10**6) for row in batch.endpoints}
    assert {"last-nginx", "last-envoy", "last-jsonl"} <= hosts
    spool.close()


def _files(count: int, draw: random.Random) -> None:
    for number in range(count):
        data = mutated(draw, draw.choice((HAR, *LINES)), (HAR, *LINES))
        if number % 5 == 0:
            data = gzip.compress(data, mtime=0)
            data = mutated(draw, data, LINES) if draw.random() < 0.5 else data
        try:
            for item in opened(io.BytesIO(data)).items:
                assert isinstance(item, Malformed) or item.request.method is not None
        except UnreadableCapture:
            pass


def fuzz(count: int, seed: int, folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    """So many inputs over all sources, a fixed share each."""
    draw = random.Random(seed)
    for name in ("collector", "follower"):
        (folder / name).mkdir()
    try:
        asyncio.run(_collector(count // 5, draw, folder / "collector"))
        asyncio.run(_follower(count * 2 // 5, draw, folder / "follower"))
        _files(count * 2 // 5, draw)
    except Exception as error:
        raise AssertionError(f"seed {seed}") from error
    # asyncio tells what a protocol or a task let through; the folding tells an exchange that broke it.
    told = {record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR}
    assert told <= {"the log is neither JSON lines nor a JSON access log of nginx or Envoy"}, f"seed {seed}"


def test_five_thousand_inputs(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    fuzz(5_000, 20261121, tmp_path, caplog)


@pytest.mark.soak
def test_a_hundred_thousand_inputs_of_another_seed_each_time(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    fuzz(100_000, random.SystemRandom().randrange(2**32), tmp_path, caplog)
