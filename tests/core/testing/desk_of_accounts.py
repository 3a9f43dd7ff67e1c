"""A desk that registers accounts, lets them in and sets their passwords; what it compares, the beginning of the path says."""

from hashlib import sha256
from urllib.parse import parse_qsl

import msgspec
import orjson
from tests.core.testing.driving import credentials_of, record

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.derive import Check, plan
from gatecrash.core.testing.policy import DEFAULT, Policy
from gatecrash.core.testing.probe import Probe
from gatecrash.core.testing.surroundings.pages import Pages

JSON = ((b"Content-Type", b"application/json"),)
CODE = "482913"


def answer(document: object, status: int = 200) -> Response:
    return Response(status, JSON, orjson.dumps(document))


class Desk:
    """passwords: of its accounts, Ann's from the beginning on."""

    def __init__(self) -> None:
        self.passwords = {"ann@example.org": "first-snow-3"}

    def __call__(self, request: Request) -> Response:
        kind, rest = request.path.decode().split("/", 2)[1:]
        json = request.body[:1] == b"{"
        sent = orjson.loads(request.body) if json else dict(parse_qsl(request.body.decode()))
        name = sent.get("email", "") or self._numbered(sent.get("userId", ""))
        number, slash, last = rest.partition("/")[2].partition("/")
        if slash and last == "password":
            name = self._numbered(number)
        if rest == "register":
            if name in self.passwords or kind == "closed":
                return answer({"error": "there is one"}, 409)
            self.passwords[name] = sent["password"]
            told = {} if kind == "quiet" else {"email": name}
            return answer({"id": len(self.passwords), **told}, 201)
        if rest in ("login", "enter"):
            return self._login(kind, name, sent["password"])
        if name not in self.passwords or (kind == "code" and (sent.get("code") != CODE or name != "ann@example.org")):
            return answer({"error": "that is not right"}, 400)
        if kind != "link":
            self.passwords[name] = sent.get("new_password") or sent.get("newPassword") or sent["password"]
        return answer({"message": "done"})

    def _numbered(self, number: str) -> str:
        """Whose number it is: they are counted as they come."""
        return dict(enumerate(self.passwords, 1)).get(int(number) if number.isdigit() else 0, "")

    def _login(self, kind: str, name: str, password: str) -> Response:
        waits = kind == "waiting" and name != "ann@example.org"
        if waits or (kind != "open" and self.passwords.get(name) != password):
            return answer({"error": "wrong"}, 401)
        return answer({"token": sha256(name.encode()).hexdigest()})


def posted(path: str, **sent: str) -> Request:
    return Request("POST", path.encode(), (*JSON, (b"Host", b"desk.example")), orjson.dumps(sent), host="desk.example")


def checks_of(
    request: Request,
    desk: Desk,
    probe: Probe,
    *,
    beside: tuple[str, ...] = ("register", "login"),
    policy: Policy = DEFAULT,
) -> list[Check]:
    """Those of a request in a run that holds a registration and a login."""
    pages, kind = Pages(), request.path.decode().split("/")[1]
    for each in beside:
        name = "bea@example.org" if each == "register" else "ann@example.org"
        asked = posted(f"/{kind}/{each}", email=name, password="first-snow-3")
        asked = msgspec.structs.replace(asked, scheme=request.scheme, host=request.host, port=request.port)
        pages.meet(Exchange(asked, desk(asked)), visited=False)
    return plan(record(desk, request), policy, credentials_of(request), (probe,), makers=pages.makers_of(request))
