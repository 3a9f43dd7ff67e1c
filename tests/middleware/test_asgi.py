"""The ASGI middleware with a real Starlette under a real uvicorn, and what it costs."""

import asyncio
import statistics
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, StreamingResponse
from starlette.routing import Route
from tests.middleware.receiving import collector, visited
from tests.plain_http import PLAIN

from gatecrash.middleware.asgi import GatecrashMiddleware
from gatecrash.middleware.note import Note


async def show(request: Request) -> JSONResponse:
    return JSONResponse({"id": request.path_params["id"]}, headers={"Set-Cookie": "sid=1"})


async def deny(_: Request) -> PlainTextResponse:
    return PlainTextResponse("no", 401, {"WWW-Authenticate": "Basic"})


async def echo(request: Request) -> StreamingResponse:
    body = await request.body()

    async def pieces() -> Any:
        yield body
        yield body

    return StreamingResponse(pieces())


async def fail(_: Request) -> None:
    raise RuntimeError("on purpose")


ROUTES = [
    Route("/items/{id}", show),
    Route("/deny", deny),
    Route("/echo", echo, methods=["POST"]),
    Route("/fail", fail),
]


@contextmanager
def served(app: Any) -> Iterator[str]:
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="critical", lifespan="on"))
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        deadline = time.monotonic() + 60
        while not server.started:
            assert time.monotonic() < deadline
            time.sleep(0.01)
        yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(10)


def test_what_a_real_starlette_serves_reaches_the_collector() -> None:
    with collector() as received:
        app = Starlette(
            routes=ROUTES, middleware=[Middleware(GatecrashMiddleware, collector=received.address, body_limit=64)]
        )
        with served(app) as base, httpx.Client(base_url=base, **PLAIN) as client:
            exchanges = visited(client, "/items/7%20b?q=%7e", received)
        assert [one.request.body for one in exchanges] == [b"", b"", b"small", b"", b""]
        first, second = exchanges[0], exchanges[1]
        assert first.request.first(b"Authorization") == b"Bearer abc"
        assert first.response is not None
        assert first.response.first(b"Set-Cookie") == b"sid=1"
        assert second.response is not None
        assert second.response.first(b"WWW-Authenticate") == b"Basic"
        assert first.request.origin == base
        assert first.client == "127.0.0.1"


async def plain(scope: Any, receive: Any, send: Any) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"0")]})
    await send({"type": "http.response.body", "body": b""})


def test_a_body_that_the_service_stops_reading_is_not_looked_at() -> None:
    pieces = [b'{"api_key": ', b'"abcdefgh"}']

    async def receive() -> Any:
        piece = pieces.pop(0)
        return {"type": "http.request", "body": piece, "more_body": bool(pieces)}

    async def once(scope: Any, receive: Any, send: Any) -> None:
        await receive()
        await plain(scope, receive, send)

    async def send(_: Any) -> None:
        pass

    app, noted = GatecrashMiddleware(once, "http://127.0.0.1:9", body_limit=64), list[Note]()
    app.sender.put = noted.append  # type: ignore[method-assign]
    asyncio.run(app(SCOPE, receive, send))
    asyncio.run(app(SCOPE, receive, send))
    assert [one.body for one in noted] == [b"", b'"abcdefgh"}'], "the second reads one that is whole"


SCOPE = {
    "type": "http",
    "method": "GET",
    "scheme": "http",
    "path": "/items/7",
    "raw_path": b"/items/7",
    "query_string": b"q=1",
    "client": ("127.0.0.1", 1),
    "server": ("127.0.0.1", 2),
    "headers": [
        (b"host", b"a.example"),
        (b"authorization", b"Bearer abc"),
        *[(b"x-%d" % n, b"value") for n in range(10)],
    ],
}


def median_of(app: Any, count: int) -> float:
    """Seconds of one call, at the median."""

    async def receive() -> Any:
        return {"type": "http.request", "body": b""}

    async def send(_: Any) -> None:
        pass

    async def run() -> float:
        taken = []
        for _ in range(count):
            begun = time.perf_counter()
            await app(SCOPE, receive, send)
            taken.append(time.perf_counter() - begun)
        return statistics.median(taken)

    return asyncio.run(run())


def test_it_adds_no_wait() -> None:
    """What it costs, some microseconds, is measured by `python -m bench middleware`; here a hundred times as much passes."""
    with collector() as received:
        watched = GatecrashMiddleware(plain, received.address)
        added = median_of(watched, 3_000) - median_of(plain, 3_000)
        watched.sender.close()
    assert added < 2e-3, f"{added * 1e6:.1f} µs"


@pytest.mark.parametrize("address", ["nonsense", "http://127.0.0.1:1"])
def test_without_a_collector_the_service_works_all_the_same(address: str) -> None:
    app = Starlette(routes=ROUTES, middleware=[Middleware(GatecrashMiddleware, collector=address)])
    with served(app) as base:
        assert httpx.get(base + "/items/1", **PLAIN).json() == {"id": "1"}


def test_other_kinds_of_connection_pass_untouched() -> None:
    seen = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        seen.append((scope, receive, send))

    watched = GatecrashMiddleware(app)
    given = ({"type": "websocket"}, object(), object())
    asyncio.run(watched(*given))  # type: ignore[arg-type]
    assert seen == [given]


def test_an_error_of_the_application_is_the_applications() -> None:
    async def app(scope: Any, receive: Any, send: Any) -> None:
        raise KeyError("mine")

    watched = GatecrashMiddleware(app, "http://127.0.0.1:1")
    with pytest.raises(KeyError, match="mine"):
        asyncio.run(watched(dict(SCOPE), None, None))  # type: ignore[arg-type]
    watched.sender.close(0)
