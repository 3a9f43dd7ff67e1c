"""Requests of the record that set something off with what another one keeps."""

import json
from random import Random

import pytest

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.point import Point
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.dialogues.set_off import action_of, actions, how_many, setting_off
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probe import Situation
from gatecrash.core.testing.surroundings.pages import Pages

JSON = (b"Content-Type", b"application/json")
TOKEN = (b"Authorization", b"Bearer ann")


def answer(document: object) -> Response:
    return Response(200, (JSON,), json.dumps(document).encode())


def asked(method: str, path: str, body: object = None) -> Request:
    sent = b"" if body is None else json.dumps(body).encode()
    return Request(method, path.encode(), (TOKEN, *((JSON,) if sent else ())), sent, host="h.example")


def situation(request: Request, told: object, *recorded: Request) -> Situation:
    baseline, known = Baseline("b", Exchange(request, answer(told))), Pages()
    for each in (request, *recorded):
        known.meet(Exchange(each, answer(told if each is request else {"done": True})), visited=False)
    return Situation(
        baseline=baseline, point=Point.of("get", "x"), value=b"", credentials=(), policy=DEFAULT, random=Random(1),
        pages=known.beside(request), makers=known.makers_of(request),
    )  # fmt: skip


MAKING = asked("POST", "/hooks", {"url": "http://a.example/"})
CHANGING = asked("PUT", "/hooks/4", {"url": "http://a.example/"})


@pytest.mark.parametrize(
    ("keeping", "recorded", "again"),
    [
        (MAKING, asked("POST", "/hooks/4/test", {}), ("/hooks/900/test", {})),
        (MAKING, asked("POST", "/hooks/test", {"id": 4}), ("/hooks/test", {"id": 900})),
        (MAKING, asked("GET", "/hooks/4/deliveries"), ("/hooks/900/deliveries", None)),
        (CHANGING, asked("POST", "/hooks/4/test", {}), ("/hooks/4/test", {})),
        (CHANGING, asked("GET", "/hooks/4/deliveries"), ("/hooks/4/deliveries", None)),
        (MAKING, asked("GET", "/hooks/run?hook_id=4"), ("/hooks/run?hook_id=900", None)),
        (CHANGING, asked("GET", "/hooks/run?hookId=4"), ("/hooks/run?hookId=4", None)),
    ],
)
def test_it_is_sent_about_what_was_kept_in_the_senders_name(keeping, recorded, again):
    about = situation(keeping, {"id": 4}, recorded)
    (sent,) = setting_off(about, answer({"id": 900 if keeping is MAKING else 4}))
    assert (sent.target.decode(), json.loads(sent.body) if sent.body else None) == again
    assert sent.first(b"Authorization") == b"Bearer ann"
    assert how_many(about) == 1


@pytest.mark.parametrize(
    "recorded",
    [
        asked("POST", "/hooks/5/test", {}),
        asked("POST", "/hooks/4/archive", {}),
        asked("POST", "/orders/4/test", {}),
        asked("GET", "/hooks/latest"),
        asked("DELETE", "/hooks/4"),
    ],
    ids=["another one", "says of nothing that is done at once", "elsewhere", "beside it", "deletes"],
)
def test_other_requests_are_left_alone(recorded):
    about = situation(MAKING, {"id": 4}, recorded)
    assert how_many(about) == 0
    assert setting_off(about, answer({"id": 900})) == []


@pytest.mark.parametrize(
    ("keeping", "recorded"),
    [
        (CHANGING, asked("GET", "/hooks/run?hook_id=5")),
        (CHANGING, asked("GET", "/hooks/run?page=4")),
        (CHANGING, asked("GET", "/orders/run?hook_id=4")),
        (MAKING, asked("GET", "/hooks/latest?page=4")),
        (MAKING, asked("GET", "/hooks/latest?hook_id=5")),
    ],
    ids=["another one", "no identifier", "elsewhere", "a part of the list", "another one than was made"],
)
def test_a_function_beside_is_left_alone_where_it_names_something_else(keeping, recorded):
    assert how_many(situation(keeping, {"id": 4}, recorded)) == 0


def test_what_was_recorded_is_not_set_off_where_nothing_new_was_made():
    about = situation(MAKING, {"id": 4}, asked("POST", "/hooks/4/test", {}))
    assert setting_off(about, answer({"id": 4})) == []


def test_they_are_called_by_the_last_words_of_their_addresses():
    recorded = (asked("POST", "/hooks/4/test", {}), asked("GET", "/hooks/4/deliveries"))
    assert sorted(actions(situation(MAKING, {"id": 4}, *recorded))) == ["deliveries", "test"]
    assert action_of(asked("POST", "/hooks/4/test/", {})) == "test"
