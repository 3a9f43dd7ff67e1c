"""Valid SQL that is taken beside lookalikes that break, at a parser and at what only looks at words."""

import re
from random import Random
from urllib.parse import unquote

import pytest

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.point import Point
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.dialogues.inquiry import Inquiry, Reply
from gatecrash.core.testing.dialogues.sql.comparison import compare
from gatecrash.core.testing.dialogues.sql.grammar_based import parsed_as_sql
from gatecrash.core.testing.payloads.sqli import READING_NUMBERS
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probe import Answer, Situation
from gatecrash.core.testing.verdict import Proof

REQUEST = Request("GET", b"/?q=7")
CONTEXT = READING_NUMBERS[0]
WHOLE = re.compile(r"CASE WHEN (\d+)=\d+ THEN 7 END")


def proof(breaks, *, loud: bool) -> Proof | None:
    """What is proven of an application; breaks: from the value to whether it does not take it."""
    exchange = Exchange(REQUEST, Response(200, (), b"tea"), elapsed=0.01)
    situation = Situation(
        baseline=Baseline("bl_1", exchange),
        point=Point.of("get", "q"),
        value=b"7",
        credentials=(),
        policy=DEFAULT,
        random=Random(1),
    )
    inquiry = Inquiry(situation, [exchange])

    def dialogue():
        first: Reply = yield from compare(inquiry, CONTEXT, CONTEXT.operator, true=True)
        return (yield from parsed_as_sql(inquiry, CONTEXT, first, loud=loud))

    asking = dialogue()
    try:
        asked = next(asking)
        while True:
            value = unquote(asked.request.target.decode().partition("=")[2])
            answer = Response(500 if loud else 200, (), b"oops") if breaks(value) else Response(200, (), b"tea")
            asked = asking.send(Answer(Exchange(asked.request, answer, elapsed=0.01)))
    except StopIteration as end:
        return end.value


@pytest.mark.parametrize("loud", [True, False])
def test_a_parser_takes_valid_sql_alone(loud):
    told = proof(lambda value: not WHOLE.fullmatch(value), loud=loud)
    assert told is not None
    assert CONTEXT.name in told.verified_by


@pytest.mark.parametrize(
    "breaks",
    [lambda value: False, lambda value: True, lambda value: "CASE" in value, lambda value: len(value) % 2 == 0],
    ids=["nothing", "all", "the word", "at random"],
)
def test_what_looks_at_words_or_at_nothing_proves_nothing(breaks):
    assert proof(breaks, loud=True) is None
