"""Other spellings of our address are asked for where the usual one is refused, and nowhere else."""

import re
from random import Random
from urllib.parse import unquote

import pytest
from tests.core.testing.driving import record

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.point import Point
from gatecrash.core.testing.out_of_band import HTTP, Hit, Listening, addresses
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probe import Answer, Situation
from gatecrash.core.testing.probes.ssrf import PROBE
from gatecrash.core.testing.verdict import Outcome

FINE = Response(200, body=b"fetched")
STATUSES = pytest.mark.parametrize("status", [400, 403])


def asked_of(fetches: str, target: bytes, refuses: str, status: int) -> tuple[Outcome, list[str]]:
    """The verdict on who fetches one expression's addresses and refuses another's, and what was asked for."""
    baseline = record(lambda _: FINE, Request("GET", target, host="h.example"))
    point = Point.of("get", "url")
    situation = Situation(
        baseline=baseline,
        point=point,
        value=unquote(target.decode().partition("=")[2]).encode(),
        credentials=(),
        policy=DEFAULT,
        random=Random(1),
        oob=addresses(Listening(host="127.0.0.1", port=9), b"k", "tr", "bl", point, "ssrf"),
    )
    no = Response(status, body=b"no address inside")
    dialogue, asked = PROBE.run(situation), []
    try:
        question = next(dialogue)
        while True:
            written = unquote(question.request.target.decode())
            asked += [written]
            refused = re.search(refuses, written) is not None
            came = question.lures if not refused and re.search(fetches, written) else ()
            hits = tuple(Hit(name=lure.name, protocol=HTTP) for lure in came)
            question = dialogue.send(Answer(Exchange(question.request, no if refused else FINE), hits=hits))
    except StopIteration as end:
        return end.value.outcome, asked


@STATUSES
@pytest.mark.parametrize("spelling", ["0177.0.0.1", "2130706433", "localhost"])
def test_a_filter_that_refuses_the_usual_spelling_is_passed_by_another(spelling: str, status: int) -> None:
    refuses = r"url=http://(?:127|\[|[^/]*@)"
    assert (
        asked_of(f"http://{spelling}:9/", b"/?url=http%3A%2F%2Fa.example%2F", refuses, status)[0] is Outcome.VULNERABLE
    )


@STATUSES
def test_a_host_with_its_port_stays_one(status: int) -> None:
    outcome, _ = asked_of("url=0177.0.0.1:9/", b"/?url=a.example:80", "127[.]0|//", status)
    assert outcome is Outcome.VULNERABLE


@STATUSES
def test_who_refuses_nothing_or_all_is_not_claimed(status: int) -> None:
    target = b"/?url=http%3A%2F%2Fa.example%2F"
    outcome, asked = asked_of("(?!)", target, "(?!)", status)
    assert outcome is Outcome.SAFE
    assert not any("0177" in each for each in asked)
    outcome, asked = asked_of("0177", target, "url=http", status)
    assert outcome is not Outcome.VULNERABLE
    assert sum("0177" in each for each in asked) == 1
