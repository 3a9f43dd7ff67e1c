"""What only one may be called is made anew for what is sent again."""

import json
from collections.abc import Generator
from random import Random

import pytest
from tests.core.testing.driving import answer_of, record

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.dialogues.fresh_names import is_taken_by_another, with_fresh_names
from gatecrash.core.testing.policy import THOROUGH
from gatecrash.core.testing.probe import Answer, Dialogue, Situation, TestRequest
from gatecrash.core.testing.registry import REGISTRY
from gatecrash.core.testing.verdict import Verdict, safe

JSON = (b"Content-Type", b"application/json")
SENT = {"email": "ann@yard.example", "phone": "+12025550123", "motto": "ahoy", "password": "Gc-1a2b3c"}


class Yard:
    """Lets nobody join by an address that somebody has."""

    def __init__(self, refusal: Response) -> None:
        self.refusal = refusal
        self.joined: list[dict[str, str]] = []

    def __call__(self, request: Request) -> Response:
        sent = json.loads(request.body)
        if any(sent["email"] == each["email"] or sent["phone"] == each["phone"] for each in self.joined):
            return self.refusal
        self.joined.append(sent)
        return Response(201, (JSON,), b"{}")


def request(path: bytes = b"/join", **more: str) -> Request:
    return Request("POST", path, (JSON,), json.dumps({**SENT, **more}).encode())


def situation_of(baseline: Baseline) -> Situation:
    check = next(each for each in plan(baseline, THOROUGH, probes=REGISTRY) if each.probe.type == "sqli")
    return check.situation(Random(1))


def asking(situation: Situation, requests: list[Request]) -> Generator[TestRequest, Answer, Verdict]:
    for each in requests:
        yield TestRequest(each)
    return safe("sqli", situation.point, "done")


def driven(dialogue: Dialogue, yard: Yard) -> list[int]:
    answered: list[int] = []
    try:
        asked = next(dialogue)
        while True:
            answer = answer_of(yard, asked.request)
            assert isinstance(answer.exchange.response, Response)
            answered.append(answer.exchange.response.status)
            asked = dialogue.send(answer)
    except StopIteration:
        return answered


CONFLICT = Response(409, (JSON,), b'{"error": "no"}')


@pytest.mark.parametrize(
    "refusal", [CONFLICT, Response(400, (JSON,), b'{"error": "This address is already registered"}')]
)
def test_what_was_refused_is_sent_again_with_other_names_and_all_behind_it_at_once(refusal: Response) -> None:
    yard = Yard(refusal)
    situation = situation_of(record(yard, request()))
    tests = [request(motto="ahoy'"), request(motto="ahoy''"), request(email="x' --")]
    dialogue = with_fresh_names("sqli", asking(situation, tests), situation)
    assert driven(dialogue, yard) == [refusal.status, 201, 201, 201]
    assert [each["motto"] for each in yard.joined] == ["ahoy", "ahoy'", "ahoy''", "ahoy"]
    assert len({each["email"] for each in yard.joined}) == len({each["phone"] for each in yard.joined}) == 4
    assert yard.joined[-1]["email"] == "x' --"
    assert {each["password"] for each in yard.joined} == {SENT["password"]}


def test_what_stands_on_the_names_keeps_them() -> None:
    yard = Yard(CONFLICT)
    situation = situation_of(record(yard, request()))
    for kind in ("auth", "idor", "info", "mass_assignment", "csrf"):
        dialogue = asking(situation, [request()])
        assert with_fresh_names(kind, dialogue, situation) is dialogue
    other = asking(situation, [request(b"/elsewhere")])
    assert driven(with_fresh_names("sqli", other, situation), yard) == [409]


def test_a_login_and_what_has_no_names_are_asked_as_they_are() -> None:
    def welcome(_request: Request) -> Response:
        return Response(200, (JSON,), b'{"token": "3f9a0c77de114b02"}')

    login = Request("POST", b"/login", (JSON,), b'{"email": "ann@yard.example", "password": "x"}')
    for each in (login, Request("POST", b"/sums", (JSON,), b'{"weight": 5, "unit": "kg"}')):
        situation = situation_of(record(welcome, each))
        dialogue = asking(situation, [each])
        assert with_fresh_names("sqli", dialogue, situation) is dialogue


@pytest.mark.parametrize("said", ["user does not exist", "choose a unique title", "taken from the shelf"])
def test_another_refusal_says_nothing_of_names(said: str) -> None:
    refused = Response(400, (JSON,), json.dumps({"error": said}).encode())
    assert not is_taken_by_another(answer_of(lambda _request: refused, request()))
