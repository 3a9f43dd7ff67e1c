"""The probe ssti_fetched, at applications that render an address, or do not, before they fetch it from a listener."""

import json
import re
from collections.abc import Callable
from random import Random
from urllib.parse import parse_qs, quote, urlsplit

import jinja2
import pytest
from tests.cases.case import Case, cases_of
from tests.core.testing.driving import record

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.point import Point
from gatecrash.core.points.walk import read
from gatecrash.core.testing.out_of_band import HTTP, Hit, Listening, addresses, name_in_path
from gatecrash.core.testing.policy import DEFAULT, QUICK
from gatecrash.core.testing.probe import Answer, Situation
from gatecrash.core.testing.probes.ssti_fetched import PROBE
from gatecrash.core.testing.verdict import Outcome

CASES = [case for case in cases_of("probes") if case.file == "ssti_fetched"]
FINE = Response(200, (), b"Saved.")


def rendered(address: str) -> str:
    return jinja2.Template(address).render(name="ann")


FETCHED: dict[str, Callable[[str], str]] = {
    "/rendered": rendered,
    "/rendered-and-quoted": lambda address: quote(rendered(address), safe=":/"),
    "/as-it-is": lambda address: quote(address, safe=":/"),
    "/without-brackets": lambda address: re.sub(r"[{}$]", "", address),
}


def hook_of(request: Request) -> str:
    if request.body:
        return json.loads(request.body)["hook"]
    return parse_qs(urlsplit(request.target.decode()).query)["hook"][0]


def hits_of(request: Request) -> tuple[Hit, ...]:
    """What the listener is asked for by an application of this path."""
    asked = name_in_path(urlsplit(FETCHED[request.path.decode()](hook_of(request))).path)
    return (Hit(name=asked[0], protocol=HTTP, asked=asked[1]),) if asked is not None else ()


def situation_of(request: Request, policy=DEFAULT, *, listening: bool = True) -> Situation:
    point = Point(("post", "json_doc", "json_obj", "hook") if request.body else ("get", "hook"))
    listener = addresses(Listening(host="127.0.0.1", port=9), b"k", "tr", "bl", point, "ssti") if listening else None
    return Situation(
        baseline=record(lambda _: FINE, request),
        point=point,
        value=read(request, point) or b"",
        credentials=(),
        policy=policy,
        random=Random(3),
        oob=listener,
    )


def outcome_at(situation: Situation) -> tuple[Outcome, int]:
    """What was found, by how many requests."""
    dialogue, sent = PROBE.run(situation), 0
    try:
        question = next(dialogue)
        while True:
            sent += bool(question.lures)
            hits = hits_of(question.request) if question.lures else ()
            question = dialogue.send(Answer(Exchange(question.request, FINE), hits=hits))
    except StopIteration as end:
        return end.value.outcome, sent


@pytest.mark.parametrize("case", CASES, ids=str)
def test_case(case: Case):
    situation = situation_of(case.request)
    if not PROBE.applies(situation):
        assert case.expected == ("nothing asked",)
        return
    outcome, sent = outcome_at(situation)
    assert case.expected == (f"{outcome.value} {situation.point}",)
    assert sent == (2 if outcome is Outcome.VULNERABLE else 1)


def test_nothing_is_asked_without_a_listener():
    situation = situation_of(CASES[0].request, listening=False)
    assert outcome_at(situation) == (Outcome.SAFE, 0)


def test_nothing_is_asked_where_one_family_is_enough_or_the_value_is_no_address():
    assert not PROBE.applies(situation_of(CASES[0].request, QUICK))
    assert not PROBE.applies(situation_of(Request("GET", b"/as-it-is?hook=tea")))
