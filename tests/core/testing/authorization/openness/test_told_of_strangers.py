"""What is told of several customers is seen by its fields and by what they are called, and masks are respected."""

import json

import pytest

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.authorization.openness.told_of_strangers import kept_of_strangers, sessions_of_several

ANN = {"name": "Ann", "email": "ann@post.example", "birth_date": "1981-03-02"}
BEN = {"name": "Ben", "email": "ben@post.example", "birth_date": "1979-11-20"}


def kept(path: str, body: object) -> str:
    answer = Response(200, ((b"Content-Type", b"application/json"),), json.dumps(body, ensure_ascii=False).encode())
    return kept_of_strangers(Request("GET", path.encode()), answer)


def test_the_answer_or_the_address_calls_them_customers() -> None:
    assert kept("/export", {"clients": [ANN, BEN]}) == "birth_date"
    assert kept("/v1/patients", [ANN, BEN]) == "birth_date"
    assert kept("/v1/kunden", [ANN, BEN]) == "birth_date", "in other languages, too"


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/authors", [ANN, BEN]),
        ("/patients", [ANN]),
        ("/patients", [ANN, {**BEN, "birth_date": ANN["birth_date"]}]),
        ("/patients", [{"email": one["email"], "ward": "3"} for one in (ANN, BEN)]),
        ("/patients", [{"full_name": one["name"], "birth_date": one["birth_date"]} for one in (ANN, BEN)]),
        ("/patients", [{**one, "birth_date": one["birth_date"][:4] + "-**-**"} for one in (ANN, BEN)]),
        ("/patients", [{**one, "birth_date": "••" + one["birth_date"][-2:]} for one in (ANN, BEN)]),
        ("/patients", "nothing but a text with an @"),
    ],
)
def test_less_than_that_is_nothing(path: str, body: object) -> None:
    assert kept(path, body) == ""


FIRST, SECOND = "3f9a0c77de114b0281b2e6d0957c4fa3", "81b2e6d0957c4fa33f9a0c77de114b02"


@pytest.mark.parametrize(
    ("body", "tells"),
    [
        ([{"token": FIRST, "user_id": 7}, {"token": SECOND, "user_id": 8}], True),
        ({"sessions": [{"sid": FIRST, "login": "ann"}, {"sid": SECOND, "login": "ben"}]}, True),
        ([{"token": FIRST, "user_id": 7}, {"token": SECOND, "user_id": 7}], False),
        ([{"token": FIRST, "user_id": 7}], False),
        ([{"push_token": FIRST, "user_id": 7}, {"push_token": SECOND, "user_id": 8}], False),
        ([{"token": "****", "user_id": 7}, {"token": "****", "user_id": 8}], False),
        ([{"token": FIRST, "title": "Kite"}, {"token": SECOND, "title": "Oar"}], False),
    ],
)
def test_session_tokens_of_several_people_are_told_beside_who_has_them(body: object, tells: bool) -> None:
    answer = Response(200, ((b"Content-Type", b"application/json"),), json.dumps(body).encode())
    assert bool(sessions_of_several(answer)) is tells
