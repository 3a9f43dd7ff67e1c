"""Who may not make an object, as somebody above him has; what he makes after all is deleted."""

import itertools
from random import Random

import orjson
import pytest
from tests.core.testing.driving import record

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.point import Point
from gatecrash.core.testing.authorization.ranks.makers_kept import is_kept_from
from gatecrash.core.testing.known.identity import Identity
from gatecrash.core.testing.known.objects import Made, Named
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probe import Answer, Situation, TestRequest

DELETE = Request("DELETE", b"/tools/7", host="a")
MAKER = Made(Request("POST", b"/tools", body=b"{}", host="a"), ("id",), "7")
NAMED = Named(Point.of("path", "1"), "7", b"/tools")


def asked_of(
    *responses: Response, rank: int = 1, maker: Made = MAKER, listed: int = 200
) -> tuple[bool, list[TestRequest]]:
    situation = Situation(
        baseline=record(lambda _: Response(200), DELETE), point=Point(), value=b"", credentials=(), policy=DEFAULT,
        random=Random(1), identities=(Identity("ida", 9), Identity("ann", rank)),
    )  # fmt: skip
    answers = itertools.cycle(responses)
    dialogue, sent = is_kept_from(situation, situation.identities[1], maker, NAMED), []
    try:
        question = next(dialogue)
        while True:
            sent.append(question)
            others = {"POST": lambda: next(answers), "GET": lambda: Response(listed), "DELETE": lambda: Response(204)}
            answer = others[question.request.method]()
            question = dialogue.send(Answer(Exchange(question.request, answer)))
    except StopIteration as end:
        return end.value, sent


def made(number: int) -> Response:
    return Response(201, body=orjson.dumps({"id": number}))


def told(sent: list[TestRequest]) -> list[tuple[str, bytes, str | None]]:
    return [(each.request.method, each.request.target, each.identity) for each in sent]


@pytest.mark.parametrize(("status", "kept"), [(403, True), (401, False), (422, False), (404, False)])
def test_a_refusal_of_a_known_caller_says_so(status, kept):
    assert asked_of(Response(status))[0] is kept


@pytest.mark.parametrize(("status", "kept"), [(200, True), (405, True), (403, False), (404, False)])
def test_who_is_kept_from_all_of_a_project_is_not_kept_from_it_by_his_rank(status: int, kept: bool):
    maker = MAKER._replace(request=Request("POST", b"/projects/4/tools", body=b"{}", host="a"))
    said, sent = asked_of(Response(403), maker=maker, listed=status)
    assert said is kept
    assert told(sent)[1:] == [("GET", b"/projects/4/tools", "ann")]


def test_what_was_made_after_all_is_deleted_by_whoever_stands_above():
    kept, sent = asked_of(made(8), made(9))
    assert not kept
    assert told(sent) == [
        ("POST", b"/tools", "ann"),
        ("POST", b"/tools", "ann"),
        ("DELETE", b"/tools/8", None),
        ("DELETE", b"/tools/9", None),
    ]


def test_what_can_be_made_once_is_deleted_once():
    assert told(asked_of(made(8), Response(409))[1])[2:] == [("DELETE", b"/tools/8", None)]


def test_what_was_there_before_and_is_shown_again_stays():
    kept, sent = asked_of(made(2))
    assert not kept
    assert told(sent) == [("POST", b"/tools", "ann")] * 2


def test_of_equals_and_of_forms_nothing_is_asked():
    assert asked_of(Response(403), rank=9) == asked_of(Response(403), maker=MAKER._replace(path=())) == (False, [])
