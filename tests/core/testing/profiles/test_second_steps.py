"""What is the second step of a login, and what leads there."""

import json

import pytest

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.profiles.second_steps import gives_code, goes_beyond, leads_to_second_step


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
