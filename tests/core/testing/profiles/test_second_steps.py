"""What is the second step of a login, and what leads there."""

import json

import pytest
from tests.core.testing.profiles.recording import signing_in
from tests.core.testing.profiles.yard import HOST, JSON

from gatecrash.core.message import Exchange, Headers, Request, Response
from gatecrash.core.testing.profiles.profile import AuthProfile
from gatecrash.core.testing.profiles.second_steps import gives_code, goes_beyond, leads_to_second_step
from gatecrash.core.testing.profiles.taking import take_all


@pytest.mark.parametrize(
    ("body", "is_one"),
    [
        ({"code": "246810"}, True),
        ({"challenge": "c-1", "otp": 246810}, True),
        ({"code": "SAVE20"}, False),
        ({"email": "a@b.example", "code": "246810"}, False),
        ({"zip": "24103"}, False),
        ({"pin": "2468"}, True),
        ({"pin": "2468", "current_password": "tide"}, False),
    ],
)
def test_a_short_code_without_a_name_is_the_second_step(body: dict[str, object], is_one: bool) -> None:
    kind = ((b"Content-Type", b"application/json"),)
    request = Request("POST", b"/login/code", kind, json.dumps(body).encode(), "http", "yard.example", 80)
    assert gives_code(request) is is_one


@pytest.mark.parametrize(
    ("method", "path", "body", "does"),
    [
        ("POST", b"/crates", {"label": "figs"}, True),
        ("GET", b"/crates", {}, False),
        ("POST", b"/login/sms", {"to": "phone"}, False),
        ("POST", b"/confirm", {"code": "246810"}, False),
        ("POST", b"/login", {"user": "ann", "password": "tide"}, False),
    ],
)
def test_who_changes_something_that_is_no_login_is_in(
    method: str, path: bytes, body: dict[str, object], does: bool
) -> None:
    kind = ((b"Content-Type", b"application/json"),)
    request = Request(method, path, kind, json.dumps(body).encode() if body else b"", "http", "yard.example", 80)
    assert goes_beyond(request) is does


@pytest.mark.parametrize(("to", "leads"), [(b"/login/code", True), (b"/2fa", True), (b"/login?error=1", False)])
def test_a_redirect_to_where_the_code_is_asked_for_leads_on(to: bytes, leads: bool) -> None:
    assert leads_to_second_step(Response(302, ((b"Location", to),))) is leads


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


def paths(profile: AuthProfile) -> list[str]:
    return [step.url.partition(HOST)[2] or step.url for step in profile.identities[0].login]


def test_a_code_in_a_session_that_has_worked_is_no_step_of_its_login() -> None:
    assert [path.rpartition("/")[2] for path in paths(signing_in(ENTERED, *WORK, CODE, GONE))] == ["login"]
    assert [path.rpartition("/")[2] for path in paths(signing_in(ENTERED, CODE, *WORK, GONE))] == ["login", "confirm"]


def test_a_new_pin_beside_the_password_is_no_step_of_the_login() -> None:
    chosen = asked("POST", "/account/pin", {"pin": "2468", "current_password": "sesame"})
    assert [path.rpartition("/")[2] for path in paths(signing_in(ENTERED, chosen, GONE))] == ["login"]


def test_the_token_that_guards_a_second_step_is_that_of_the_new_session() -> None:
    login, code = signing_in(ENTERED, CODE, *WORK, GONE).identities[0].login
    fresh = Response(200, GIVEN.headers, GIVEN.body.replace(CSRF.encode(), b"fresh-8293a4"))
    taken = take_all(login.take, fresh)
    guards = [value for name, value in code.headers if name.upper() == "X-XSRF-TOKEN"]
    assert [taken[value.strip("${}")] for value in guards] == ["fresh-8293a4"]
