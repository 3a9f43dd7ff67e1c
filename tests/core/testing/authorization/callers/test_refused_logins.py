"""A login that was refused in words is known by its fields and its answer, whatever its address is called."""

import pytest

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.authorization.callers.refused_logins import RefusedLogin, refused_login

FORM = ((b"Content-Type", b"application/x-www-form-urlencoded"),)
WRONG = Response(200, ((b"Content-Type", b"text/html"),), b"<p>Wrong name or password.</p>")


def told(body: bytes = b"user=ann&pass=x", path: bytes = b"/gate", answer: Response = WRONG, method: str = "POST"):
    return refused_login(Exchange(Request(method, path, FORM, body), answer))


def test_a_name_and_a_password_that_were_wrong_are_a_login():
    assert told() == RefusedLogin(("post", "form_urlencoded", "user"), ("post", "form_urlencoded", "pass"))


@pytest.mark.parametrize(
    "otherwise",
    [
        {"answer": Response(200, (), b"<p>Your password was set.</p>")},
        {"answer": Response(500, (), b"Login failed")},
        {"body": b"user=ann&pass=x&new_password=y"},
        {"body": b"user=ann"},
        {"body": b"text=hello&pass=x"},
        {"path": b"/change-password"},
        {"method": "PUT"},
    ],
    ids=["something was done", "a fault", "a new password", "no password", "no name", "a change", "no POST"],
)
def test_all_else_is_none(otherwise: dict):
    assert told(**otherwise) is None
