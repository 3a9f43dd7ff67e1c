"""An account is confirmed with what the answer that made it tells, and with nothing else."""

import json
from typing import Any

import pytest

from gatecrash.core.message import Request, Response
from gatecrash.core.point import Point
from gatecrash.core.testing.profiles.entrance import Account
from gatecrash.formats.draft import Draft, Hole
from gatecrash.node.scan.accounts.confirming import confirming

ADA = Account(user="ada", mail="ada@example.com", password="p")
JSON = ((b"Content-Type", b"application/json"),)


def draft(path: str, body: Any = None, method: str = "POST", *holes: Hole) -> Draft:
    written = json.dumps(body).encode() if body is not None else b""
    return Draft(request=Request(method, path.encode(), JSON, written), drafted=True, holes=holes)


def made(one: Draft, told: Any) -> list[Request]:
    return list(confirming([one], ADA, Response(201, JSON, json.dumps(told).encode())))


@pytest.mark.parametrize(
    ("told", "field"),
    [
        ({"code": "381"}, "code"),
        ({"data": {"verification_code": 381}}, "code"),
        ({"token": "381", "id": 4}, "activationToken"),
    ],
)
def test_the_code_goes_where_it_is_called_alike_beside_the_address(told: Any, field: str) -> None:
    (request,) = made(draft("/signup/verify", {"email": "user@example.com", field: "x", "lang": "en"}), told)
    assert json.loads(request.body) == {"email": "ada@example.com", field: "381", "lang": "en"}


def test_a_code_may_stand_in_the_path_or_in_the_query() -> None:
    hole = Hole("token", Point(("path", "1")))
    assert [one.target for one in made(draft("/confirm/1", None, "GET", hole), {"token": "abc"})] == [b"/confirm/abc"]
    query = draft("/activate?key=x&user_id=1", None, "GET")
    assert [one.target for one in made(query, {"key": "abc", "userId": 7})] == [b"/activate?key=abc&user_id=7"]


@pytest.mark.parametrize(
    ("path", "body", "told"),
    [
        ("/signup/verify", {"email": "x", "code": "x"}, {"id": 4}),
        ("/signup/verify", {"email": "x", "code": "x"}, ["381"]),
        ("/signup/verify", {"email": "x"}, {"code": "381"}),
        ("/password/confirm", {"code": "x"}, {"code": "381"}),
        ("/orders/confirm", {"code": "x"}, {"code": "381"}),
        ("/coupons", {"code": "x"}, {"code": "381"}),
        ("/users/{id}/verify", {"id": 1}, {"id": 4}),
    ],
)
def test_nothing_is_sent_where_no_code_is_told_or_asked_for(path: str, body: Any, told: Any) -> None:
    assert made(draft(path, body), told) == []
