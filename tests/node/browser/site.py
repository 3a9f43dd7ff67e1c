"""A small application that lives in the browser, answered from memory, and a real browser to walk through it."""

import re
from collections.abc import Iterable
from pathlib import Path

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.probe import Answer
from gatecrash.core.testing.profiles.entrance import Account
from gatecrash.node.browser.walking import walked

FRONT = Request("GET", b"/", ((b"Host", b"notes.example"), (b"User-Agent", b"us")), host="notes.example")
ANN = Account(user="ann", mail="ann@notes.example", password="lighthouse-9")
HTML, SCRIPT, JSON = b"text/html", b"text/javascript", b"application/json"
APP = (Path(__file__).parent / "app.js").read_text("utf-8")


class Site:
    """Who answers the browser. asked: what it was asked, as `GET /path`. cookies: what scripts have set."""

    def __init__(self, script: str = APP, most: int = 10_000) -> None:
        self.script, self.most = script, most
        self.asked: list[str] = []
        self.bodies: list[bytes] = []
        self.cookies: list[bytes] = []

    async def ask(self, request: Request) -> Answer:
        self.asked.append(f"{request.method} {request.target.decode()}")
        self.bodies.append(request.body)
        return Answer(Exchange(request, self._answer(request)))

    def put(self, request: Request, headers: Iterable[bytes]) -> None:
        self.cookies += headers

    def goes_on(self) -> bool:
        return len(self.asked) < self.most

    def _answer(self, request: Request) -> Response:
        path = request.path.decode()
        if path == "/app.js":
            return _told(SCRIPT, self.script)
        if path == "/api/login":
            good = b'"ann"' in request.body and ANN.password.encode() in request.body
            return _told(JSON, '{"token": "t-ann"}') if good else _told(JSON, "{}", 401)
        if path == "/api/notes":
            known = request.first(b"Authorization") == b"Bearer t-ann"
            return _told(JSON, '[{"id": 71, "text": "tea"}]') if known else _told(JSON, "[]", 401)
        if path.startswith("/api/"):
            return _told(JSON, "{}")
        return _told(HTML, "<!doctype html><div id=app></div><script src=/app.js></script>")

    async def walked(self, program: str, account: Account | None = None) -> list[str]:
        """What was found, as `GET /path body`."""
        return [
            re.sub(r"\s+", " ", f"{each.method} {each.target.decode()} {each.body.decode()}").strip()
            for each in await walked(program, FRONT, self, account)
        ]


def _told(kind: bytes, body: str, status: int = 200) -> Response:
    return Response(status, ((b"Content-Type", kind),), body.encode())
