"""Conditions in JavaScript that a store evaluates for each document, and texts that nobody evaluates."""

import re
from collections.abc import Callable
from random import Random
from urllib.parse import unquote

import pytest

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.point import Point
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.dialogues.document_scripts import Scripted, evaluates_scripts
from gatecrash.core.testing.dialogues.inquiry import Inquiry
from gatecrash.core.testing.payloads.nosqli import KNOWN, OF_THE_DATABASE, OF_THE_SERVER
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probe import Answer, Situation

FOUND, NOTHING = "<p>oak plank</p>", "<p>nothing</p>"
QUOTED = re.compile(r"(?P<value>[^'\"]*)(?P<quote>['\"])\+\[\(typeof (?P<word>.+)\)\[8\]\]\+(?P=quote)")
BARE = re.compile(r"(?P<value>\d+) && typeof (?P<word>.+)===typeof isNaN")


def found(page: Callable[[str], tuple[int, str]], value: bytes) -> Scripted | None:
    """What comes of it; page: from the value to a status and what is shown."""

    def respond(request: Request) -> Response:
        status, shown = page(unquote(request.target.decode().partition("=")[2]))
        return Response(status, ((b"Content-Type", b"text/html"),), shown.encode())

    request = Request("GET", b"/planks?q=" + value)
    exchange = Exchange(request, respond(request))
    situation = Situation(
        baseline=Baseline("bl_1", exchange),
        point=Point.of("get", "q"),
        value=value,
        credentials=(),
        policy=DEFAULT,
        random=Random(1),
    )
    asking = evaluates_scripts(Inquiry(situation, [exchange, exchange]))
    try:
        asked = next(asking)
        while True:
            asked = asking.send(Answer(Exchange(asked.request, respond(asked.request))))
    except StopIteration as end:
        return end.value


def store(value: bytes, knows: tuple[str, ...], quote: str = "") -> Callable[[str], tuple[int, str]]:
    """A `$where` around a value, in a quote or bare; a function that it knows has the type of one."""

    def page(sent: str) -> tuple[int, str]:
        if sent == value.decode():
            return 200, FOUND
        part = (QUOTED if quote else BARE).fullmatch(sent)
        if part is None or (quote and part["quote"] != quote):
            return (500, "<p>SyntaxError</p>") if quote in sent else (200, NOTHING)
        return 200, FOUND if part["value"] == value.decode() and part["word"] in knows else NOTHING

    return page


@pytest.mark.parametrize(
    ("value", "quote", "place"),
    [
        (b"oak", "'", "text in $where"),
        (b"oak", '"', "text in double quotes in $where"),
        (b"7", "", "number or condition in $where"),
        (b"7", "'", "text in $where"),
    ],
)
def test_a_condition_is_found_wherever_the_value_stands(value: bytes, quote: str, place: str) -> None:
    told = found(store(value, (*KNOWN, OF_THE_DATABASE), quote), value)
    assert told is not None
    assert told.place == place
    assert "the database's JavaScript" in told.proof.verified_by


def test_a_store_within_the_application_is_told_as_one() -> None:
    told = found(store(b"oak", KNOWN, "'"), b"oak")
    assert told is not None
    assert "JavaScript that is evaluated for each document" in told.proof.verified_by


def test_code_of_the_server_itself_is_another_probes() -> None:
    assert found(store(b"oak", (*KNOWN, OF_THE_SERVER), "'"), b"oak") is None


@pytest.mark.parametrize(
    "page",
    [
        lambda _: (200, FOUND),
        lambda sent: (200, FOUND if sent == "oak" else NOTHING),
        lambda sent: (200, FOUND if any(word in sent for word in ("oak'+[(typeof ", *KNOWN)) else NOTHING),
        lambda sent: (500, NOTHING) if "'" in sent else (200, FOUND),
    ],
    ids=["shows the same", "compares a text", "looks at words", "refuses quotes"],
)
def test_texts_that_nobody_evaluates_are_no_finding(page: Callable[[str], tuple[int, str]]) -> None:
    assert found(page, b"oak") is None
