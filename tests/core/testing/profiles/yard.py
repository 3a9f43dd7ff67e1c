"""Records of users who sign in to one application: what tests of their logins share."""

import json

from gatecrash.core.message import Exchange, Headers, Request, Response
from gatecrash.core.testing.profiles.profile import AuthProfile
from gatecrash.core.testing.profiles.recorded_sign_ins import SignIns, origin_host

HOST = "yard.example"
JSON = (b"Content-Type", b"application/json")
FIRST, SECOND = "tk-71354a2dfb0ab172a69d7032", "tk-0b6a340d188355597f2a1eae"
FORM = (b"Content-Type", b"application/x-www-form-urlencoded")


def asked(target: str, *headers: tuple[bytes, bytes], body: str = "", answer: Response | None = None) -> Exchange:
    sent: Headers = ((b"Host", HOST.encode()), *headers)
    request = Request("POST" if body else "GET", target.encode(), sent, body.encode(), "http", HOST, 80)
    return Exchange(request, answer or Response(200, body=b'{"ok": true}'))


def dead(*exchanges: Exchange) -> AuthProfile:
    """How they sign in whose sessions are all over."""
    sign_ins = SignIns([(origin_host(each.request), each.request.path) for each in exchanges])
    for exchange in exchanges:
        sign_ins.see(exchange)
    profile = sign_ins.profile()
    assert profile is not None
    return profile


def posted(target: str, body: dict[str, object], answer: dict[str, object], *headers: tuple[bytes, bytes]) -> Exchange:
    given = Response(200, (JSON,), json.dumps(answer).encode())
    return asked(target, JSON, *headers, body=json.dumps(body), answer=given)


def bearing(token: str) -> Exchange:
    return asked("/me", (b"Authorization", f"Bearer {token}".encode()))
