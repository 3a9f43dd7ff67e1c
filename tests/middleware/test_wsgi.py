"""The WSGI middleware with a real Flask under a real server, and what it costs."""

import statistics
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from wsgiref.util import FileWrapper, setup_testing_defaults

import httpx
import pytest
from flask import Flask, Response, request
from tests.middleware.receiving import collector, visited
from tests.plain_http import PLAIN
from werkzeug.serving import make_server

from gatecrash.middleware.wsgi import GatecrashMiddleware


def shop() -> Flask:
    app = Flask("shop")

    @app.get("/items/<path:name>")
    def show(name: str) -> Response:
        return Response(name, headers={"Set-Cookie": "sid=1"})

    @app.get("/deny")
    def deny() -> tuple[str, int, dict[str, str]]:
        return "no", 401, {"WWW-Authenticate": "Basic"}

    @app.post("/echo")
    def echo() -> Response:
        body = request.get_data()
        return Response(iter([body, body]))

    @app.get("/fail")
    def fail() -> str:
        raise RuntimeError("on purpose")

    return app


@contextmanager
def served(app: Any) -> Iterator[str]:
    server = make_server("127.0.0.1", 0, app, threaded=True)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.port}"
    finally:
        server.shutdown()
        thread.join(10)
        server.server_close()


@pytest.mark.parametrize("limit", [0, 64])
def test_what_a_real_flask_serves_reaches_the_collector(limit: int) -> None:
    app = shop()
    with collector() as received:
        app.wsgi_app = GatecrashMiddleware(app.wsgi_app, received.address, body_limit=limit)  # type: ignore[method-assign]
        with served(app) as base, httpx.Client(base_url=base, **PLAIN) as client:
            exchanges = visited(client, "/items/7%20b%2fc?q=%7e", received)
        assert [one.request.body for one in exchanges] == [b"", b"", b"small" if limit else b"", b"", b""]
        assert exchanges[0].request.first(b"Authorization") == b"Bearer abc"
        assert exchanges[1].response is not None
        assert exchanges[1].response.first(b"WWW-Authenticate") == b"Basic"
        assert exchanges[0].request.origin == base
        assert exchanges[0].client == "127.0.0.1"


def environ(**more: Any) -> dict[str, Any]:
    made: dict[str, Any] = {f"HTTP_X_{n}": "value" for n in range(10)}
    made |= {"HTTP_AUTHORIZATION": "Bearer abc", "PATH_INFO": "/items/\xc3\xa9", "QUERY_STRING": "q=1", **more}
    setup_testing_defaults(made)
    return made


def plain(environ: Any, start_response: Any) -> list[bytes]:
    start_response("200 OK", [("Content-Length", "0")])
    return [b""]


def median_of(app: Any, count: int) -> float:
    """Seconds of one call, at the median."""
    taken = []
    for _ in range(count):
        asked = environ()
        begun = time.perf_counter()
        app(asked, lambda status, headers: None)
        taken.append(time.perf_counter() - begun)
    return statistics.median(taken)


def test_it_adds_no_wait() -> None:
    """What it costs, some microseconds, is measured by `python -m bench middleware`; here a hundred times as much passes."""
    with collector() as received:
        watched = GatecrashMiddleware(plain, received.address)
        added = median_of(watched, 3_000) - median_of(plain, 3_000)
        watched.sender.close()
    assert added < 2e-3, f"{added * 1e6:.1f} µs"


def test_without_the_raw_target_it_is_put_together() -> None:
    with collector() as received:
        watched = GatecrashMiddleware(plain, received.address)
        watched(environ(), lambda status, headers: None)
        [exchange] = received.wait(1)
        watched.sender.close()
    assert exchange.request.target == b"/items/%C3%A9?q=1"


def test_what_the_application_gives_is_given_on() -> None:
    """A server recognises its own file wrapper by its type."""

    def app(environ: Any, start_response: Any) -> Any:
        start_response("200 OK", [])
        return FileWrapper(Path("/dev/null").open("rb"))

    watched = GatecrashMiddleware(app, "http://127.0.0.1:1")
    answer = watched(environ(), lambda status, headers: None)
    assert isinstance(answer, FileWrapper)
    answer.close()
    watched.sender.close(0)


def test_an_answer_that_starts_late_is_noted_when_it_is_done() -> None:
    def app(environ: Any, start_response: Any) -> Iterator[bytes]:
        start_response("418 Late", [])
        yield b"tea"

    with collector() as received:
        watched = GatecrashMiddleware(app, received.address)
        answer = watched(environ(), lambda status, headers: None)
        assert list(answer) == [b"tea"]
        answer.close()  # type: ignore[attr-defined]
        [exchange] = received.wait(1)
        watched.sender.close()
    assert exchange.response is not None
    assert exchange.response.status == 418


@pytest.mark.parametrize("broken", [{"HTTP_X": 7}, {"REQUEST_METHOD": None}])
def test_an_odd_environment_costs_the_note_and_not_the_request(broken: dict[str, Any]) -> None:
    watched = GatecrashMiddleware(plain, "http://127.0.0.1:1")
    assert watched(environ() | broken, lambda status, headers: None) == [b""]
    watched.sender.close(0)


def test_an_error_of_the_application_is_the_applications() -> None:
    def app(environ: Any, start_response: Any) -> Any:
        raise KeyError("mine")

    watched = GatecrashMiddleware(app, "http://127.0.0.1:1")
    with pytest.raises(KeyError, match="mine"):
        watched(environ(), lambda status, headers: None)
    watched.sender.close(0)
