"""Codes of sessions that are long in use sign nobody in."""

import json

from tests.core.testing.profiles.yard import HOST, JSON

from gatecrash.core.message import Exchange, Headers, Request, Response
from gatecrash.core.testing.profiles.profile import AuthProfile
from gatecrash.core.testing.profiles.recorded_sign_ins import SignIns
from gatecrash.core.testing.profiles.taking import take_all

SID, CSRF, FEED = "71354a2dfb0ab172a69d7032", "cdba23f1dea831b1cb84e204", "feed-0d2b1c4e5f60718293a4"
LOGIN = {"username": "ann", "password": "sesame"}
GIVEN = Response(
    200,
    ((b"Set-Cookie", b"sid=" + SID.encode()), (b"Content-Type", b"application/json")),
    json.dumps({"csrfToken": CSRF}).encode(),
)
NOTHING = Response(200, ((b"Content-Type", b"application/json"),), b"{}")


def asked(method: str, path: str, body: object = None, answer: Response = NOTHING, token: str = "") -> Exchange:
    sent = b"" if body is None else json.dumps(body).encode()
    headers: Headers = ((b"Host", HOST.encode()), *((JSON,) if sent else ()))
    if path != "/login":
        headers += ((b"Cookie", b"sid=" + SID.encode()), (b"X-XSRF-TOKEN", CSRF.encode()))
    headers += ((b"Authorization", f"Bearer {token}".encode()),) if token else ()
    return Exchange(Request(method, path.encode(), headers, sent, "http", "yard.example", 80), answer)


ENTERED, GONE = asked("POST", "/login", LOGIN, GIVEN), asked("POST", "/logout", {})
WORK = [asked("POST", path, {"label": "figs"}) for path in ("/crates", "/boats", "/ropes")]
CODE = asked("POST", "/confirm", {"code": "246810"})


def seen(*exchanges: Exchange) -> AuthProfile:
    sign_ins = SignIns()
    for exchange in exchanges:
        sign_ins.see(exchange)
    profile = sign_ins.profile()
    assert profile is not None
    return profile


def paths(profile: AuthProfile) -> list[str]:
    return [step.url.partition(HOST)[2] or step.url for step in profile.identities[0].login]


def test_a_code_in_a_session_that_has_worked_is_no_step_of_its_login() -> None:
    assert [path.rpartition("/")[2] for path in paths(seen(ENTERED, *WORK, CODE, GONE))] == ["login"]
    assert [path.rpartition("/")[2] for path in paths(seen(ENTERED, CODE, *WORK, GONE))] == ["login", "confirm"]


def test_a_new_pin_beside_the_password_is_no_step_of_the_login() -> None:
    chosen = asked("POST", "/account/pin", {"pin": "2468", "current_password": "sesame"})
    assert [path.rpartition("/")[2] for path in paths(seen(ENTERED, chosen, GONE))] == ["login"]


def test_the_token_that_guards_a_second_step_is_that_of_the_new_session() -> None:
    login, code = seen(ENTERED, CODE, *WORK, GONE).identities[0].login
    fresh = Response(200, GIVEN.headers, GIVEN.body.replace(CSRF.encode(), b"fresh-8293a4"))
    taken = take_all(login.take, fresh)
    guards = [value for name, value in code.headers if name.upper() == "X-XSRF-TOKEN"]
    assert [taken[value.strip("${}")] for value in guards] == ["fresh-8293a4"]
