"""`gatecrash up` with its collector and a followed log: what comes in is in the inventory, over the real API."""

import json
import time
from pathlib import Path

import httpx
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from tests.cli.running import Up
from tests.middleware.test_asgi import served
from tests.plain_http import PLAIN

from gatecrash.middleware.asgi import GatecrashMiddleware

PATIENCE = 120.0


def inventory(api: httpx.Client) -> dict[str, tuple[int, int, int | None]]:
    """Requests, authenticated and refused, by method and path."""
    listed = api.get("/v1/endpoints").json()["body"]["objects"]
    return {f"{one['method']} {one['path']}": (one["requests"], one["authenticated"], one["refused"]) for one in listed}


def test_call_mirror_log_and_middleware_reach_the_inventory(tmp_path: Path) -> None:
    log = tmp_path / "envoy.log"
    now = time.time() - 60
    line = {
        "start_time": str(now),
        "method": "GET",
        "authority": "logged.example",
        "path": "/logged",
        "response_code": 403,
        "request_headers": {"authorization": None, "cookie": None},
    }
    log.write_text((json.dumps(line) + "\n") * 4)

    async def hello(_: object) -> PlainTextResponse:
        return PlainTextResponse("hello")

    with Up(tmp_path, "--follow-log", f"envoy={log}") as up:
        known = up.known()
        collector = known["collector"]
        assert f"Collector    {collector}" in up.said
        app = Starlette(
            routes=[Route("/hello", hello)], middleware=[Middleware(GatecrashMiddleware, collector=collector)]
        )
        headers = {"X-Service-API-Token": known["token"]}
        with (
            served(app) as base,
            httpx.Client(base_url=known["api"], headers=headers, **PLAIN) as api,
            httpx.Client(**PLAIN) as client,
        ):
            for _ in range(5):
                client.get(base + "/hello", headers={"Authorization": "Bearer a-token-of-somebody"})
            called = {"method": "GET", "url": "http://called.example/called", "status": 200}
            sent = client.post(f"{collector}/gatecrash/v1/exchanges", content=(json.dumps(called) + "\n") * 6)
            assert sent.json()["taken"] == 6
            for _ in range(10):
                original = {"X-Original-URI": "/mirrored", "X-Original-Host": "mirrored.example", "X-API-Key": "k" * 20}
                assert client.get(f"{collector}/gatecrash/v1/mirror", headers=original).status_code == 204
            wanted = {
                "GET /hello": (5, 5, 0),
                "GET /called": (6, 0, 0),
                "GET /mirrored": (10, 10, None),
                "GET /logged": (4, 0, 4),
            }
            deadline = time.monotonic() + PATIENCE
            while (found := inventory(api)) != wanted:
                assert time.monotonic() < deadline, (found, up.complaints()[-2000:])
                time.sleep(0.2)
