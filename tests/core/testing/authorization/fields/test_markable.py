"""What a changing request sends that may be marked."""

import json
import re
from random import Random

import pytest

from gatecrash.core.message import Request, Response
from gatecrash.core.point import Point
from gatecrash.core.testing.authorization.fields.markable import Markable, markable

JSON = ((b"Content-Type", b"application/json"),)
NOTHING = Point()


def sent(document: object) -> Request:
    return Request("PUT", b"/cards/7", JSON, json.dumps(document).encode())


def shown(document: object) -> Response:
    return Response(200, JSON, json.dumps(document).encode())


def fields(request: Request) -> dict[str, Markable]:
    return {each.name: each for each in markable(request, NOTHING)}


def test_texts_numbers_that_count_and_what_is_done_may_be_marked():
    assert fields(sent({"title": "Roof", "estimate": 3, "done": False})).keys() == {"title", "estimate", "done"}


@pytest.mark.parametrize(
    "body",
    [
        {"status": "open"},
        {"amount": 30},
        {"account": 30},
        {"discount": 5},
        {"enabled": True},
        {"is_admin": False},
        {"password": "sesame77"},
        {"role": "user"},
    ],
)
def test_what_something_depends_on_is_left_alone(body):
    assert fields(sent(body)) == {}


def test_the_token_of_a_form_is_left_alone_though_its_page_shows_it():
    form = ((b"Content-Type", b"application/x-www-form-urlencoded"),)
    assert fields(Request("POST", b"/plots/7/edit", form, b"csrf=7d5424b5612a48e6&growing=beans")).keys() == {"growing"}


def test_what_is_frozen_or_paused_and_a_moment_later_is_not_may_be_marked():
    assert fields(sent({"frozen": False, "is_paused": True})).keys() == {"frozen", "is_paused"}


def test_a_limit_may_be_marked():
    assert fields(sent({"monthly_limit": 250})).keys() == {"monthly_limit"}


@pytest.mark.parametrize(
    ("value", "form"),
    [("+15550100", r"\+1[2-9]\d\d55501\d\d"), ("0664 1234567", r"[2-9]\d\d55501\d\d"), ("ask at the desk", "[a-z]{8}")],
)
def test_a_telephones_number_is_marked_by_one_that_is_nobodys(value, form):
    field = fields(sent({"mobile_phone": value}))["mobile_phone"]
    assert re.fullmatch(form, field.mark(Random(1)))
    assert field.mark(Random(1)) != field.mark(Random(2))


@pytest.mark.parametrize("body", [{"phone": "112"}, {"serial": "12345678"}])
def test_digits_that_call_nobody_are_left_alone(body):
    assert fields(sent(body)) == {}


def test_free_texts_come_first():
    found = markable(sent({"done": True, "city": "Delft", "note": "call back"}), NOTHING)
    assert [each.name for each in sorted(found, key=lambda each: each.freedom)] == ["note", "city", "done"]


def test_a_number_and_what_is_done_are_shown_by_the_very_field():
    number, done = fields(sent({"estimate": 3, "done": False}))["estimate"], fields(sent({"done": False}))["done"]
    assert number.shown(shown({"estimate": 3}))
    assert not number.shown(shown({"id": 3}))
    assert done.shown(shown({"done": False}))
    assert done.shows(shown({"done": True}), done.contrary)
    assert not done.shows(shown({"urgent": True}), done.contrary)


def test_another_word_is_shown_by_the_very_field_however_it_is_written():
    stage = fields(sent({"stage": "draft"}))["stage"]._replace(is_text=False, choice="review")
    assert (stage.contrary, stage.is_number) == ("review", False)
    assert stage.shows(shown({"stage": "REVIEW"}), stage.contrary)
    assert not stage.shows(shown({"note": "review"}), stage.contrary)


def test_a_variable_is_called_as_the_argument_that_it_is_given_to():
    query = "mutation T($i: ID!, $d: Boolean!) { toggle(cardId: $i, done: $d) { ok } }"
    request = Request(
        "POST", b"/graphql", JSON, json.dumps({"query": query, "variables": {"i": "7", "d": True}}).encode()
    )
    assert fields(request)["done"].point[-1] == "d"


def test_a_field_of_xml_is_called_as_answers_call_it():
    body = b'<o:order xmlns:o="urn:o"><o:note>ring twice</o:note><o:token>9f2c4be07d1a46c8</o:token></o:order>'
    assert fields(Request("POST", b"/orders/7", ((b"Content-Type", b"text/xml"),), body)).keys() == {"note"}


def test_who_calls_is_no_field_of_the_object():
    header = "<Session><sessionKey>9f2c4be07d1a46c8</sessionKey></Session>"
    body = f'<e:Envelope xmlns:e="urn:e"><e:Header>{header}</e:Header><e:Body><Save><book>Emma</book></Save></e:Body></e:Envelope>'
    assert fields(Request("POST", b"/service", ((b"Content-Type", b"text/xml"),), body.encode())).keys() == {"book"}


@pytest.mark.parametrize(
    ("text", "found"),
    [("Bran", True), ("a dog, Bran.", True), ("two\nBran", True), ("Ivo Brandt", False), ("Cobran", False)],
)
def test_a_text_is_not_shown_within_a_longer_word(text: str, found: bool):
    (name,) = fields(sent({"name": "Bran"})).values()
    assert name.shown(shown({"told": text})) is found
