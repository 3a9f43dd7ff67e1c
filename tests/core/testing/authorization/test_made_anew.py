"""Objects made anew by a recorded request, in the name of whoever sent the baseline."""

import json
from random import Random

import pytest
from tests.core.testing.driving import credentials_of, record

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.authorization.made_anew import in_name_of, made_anew
from gatecrash.core.testing.authorization.makers import Made
from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probe import Answer
from gatecrash.core.testing.probes.auth import PROBE

JSON = (b"Content-Type", b"application/json")
OWN = Request("POST", b"/orders/7/cancel", (JSON, (b"Authorization", b"Bearer 3f9a0c77de114b02")), b"{}", host="a")
MAKER = Made(Request("POST", b"/orders", (JSON,), b'{"name": "tea"}', host="a"), ("id",), "7")


def made(answers: list[object]) -> tuple[str, list[Request]]:
    """What is made where the service answers so, and what was asked."""
    (check, *_) = plan(
        record(lambda _: Response(200, (JSON,), b'{"a": 1}'), OWN), DEFAULT, credentials_of(OWN), (PROBE,),
        makers=(MAKER, MAKER._replace(was="12")),
    )  # fmt: skip
    dialogue = made_anew(check.situation(Random(3)), MAKER, "7")
    sent: list[Request] = []
    try:
        asked = next(dialogue)
        while True:
            sent.append(asked.request)
            told = json.dumps(answers.pop(0)).encode()
            asked = dialogue.send(Answer(Exchange(asked.request, Response(201, (JSON,), told))))
    except StopIteration as end:
        return end.value, sent


def test_what_made_it_is_asked_with_the_credentials_of_the_baseline():
    asked = in_name_of(OWN, MAKER)
    assert (asked.method, asked.target, asked.body) == ("POST", b"/orders", b'{"name": "tea"}')
    assert asked.first(b"Authorization") == OWN.first(b"Authorization")
    assert list(asked.all(b"Content-Type")) == [b"application/json"]


@pytest.mark.parametrize(
    ("answers", "new", "asked"),
    [
        ([{"id": 8}], "8", 1),
        ([{"id": 7}, {"id": 9}], "9", 2),
        ([{"id": 7}, {"id": 7}], "", 2),
        ([{"id": 12}, {"id": 12}], "", 2),
    ],
)
def test_what_is_no_new_object_is_made_once_more_with_a_name_of_its_own(answers: list, new: str, asked: int):
    number, sent = made(answers)
    assert (number, len(sent)) == (new, asked)
    assert len({each.body for each in sent}) == asked
