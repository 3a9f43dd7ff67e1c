"""One host's dialogue about sessions: what its tests share."""

from gatecrash.core.auth.recogniser import compile_recogniser
from gatecrash.core.auth.sessions import Sessions
from gatecrash.core.message import Exchange, Request, Response

RECOGNISER = compile_recogniser()
FORM = (b"Content-Type", b"application/x-www-form-urlencoded")
JSON = (b"Content-Type", b"application/json")
RANDOM = "9f8e7d6c5b4a39281706f5e4d3c2b1a0"


class Host:
    """One host's dialogue: what a request with these cookies is taken for, then what its answer issues."""

    def __init__(self, name: str = "shop.example", sessions: Sessions | None = None) -> None:
        self.name = name
        self.sessions = sessions or Sessions()

    def tested(self, cookie: str) -> list[str]:
        """What tests take the request for."""
        request = Request("GET", b"/", _cookie(cookie))
        found = self.sessions.follow(self.name, Exchange(request), RECOGNISER.recognise(request), likely=True)
        return [one.point[-1] for one in found if one.valid]

    def get(self, cookie: str = "", *issues: str, status: int = 200, headers=()) -> list[str]:
        return self._say(Request("GET", b"/", _cookie(cookie) + tuple(headers)), issues, status)

    def login(self, cookie: str = "", *issues: str, status: int = 302, to: bytes = b"", form: str = "") -> list[str]:
        request = Request("POST", b"/login", (*_cookie(cookie), FORM), b"user=a&password=b" + form.encode())
        return self._say(request, issues, status, to)

    def script_login(self, cookie: str, told: bytes) -> list[str]:
        """A login by a script, with what its answer says in JSON."""
        request = Request("POST", b"/api/login", (*_cookie(cookie), JSON), b'{"user": "a", "password": "b"}')
        return self._say(request, (), 200, told=told)

    def _say(
        self, request: Request, issues: tuple[str, ...], status: int, to: bytes = b"", told: bytes = b""
    ) -> list[str]:
        answered = tuple((b"Set-Cookie", value.encode()) for value in issues)
        answered += ((b"Location", to),) if to else ()
        answered += (JSON,) if told else ()
        exchange = Exchange(request, Response(status, answered, told))
        found = self.sessions.follow(self.name, exchange, RECOGNISER.recognise(request))
        return [
            f"{one.point[-1]} {'valid' if one.valid else 'unproven' if one.unproven else 'invalid'}" for one in found
        ]


def _cookie(cookie: str):
    return ((b"Cookie", cookie.encode()),) if cookie else ()
