"""A target that comes to the listener is asked to come once more; one that does not costs one request and no time."""

from random import Random

import msgspec
import pytest
from tests.core.testing.driving import record

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.point import Point
from gatecrash.core.points.rewrite import rewrite
from gatecrash.core.testing.asking import Stopped
from gatecrash.core.testing.dialogues.callbacks import CONFIRM_SECONDS, Bait, called_back
from gatecrash.core.testing.dialogues.inquiry import Inquiry
from gatecrash.core.testing.out_of_band import DNS, HTTP, Hit, Listening, addresses, content_at
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probe import Answer, Situation
from gatecrash.core.testing.verdict import Outcome, Verdict

POINT = Point.of("get", "q")
FINE = Response(200, (), b"fine")
FOUND = Verdict(outcome=Outcome.VULNERABLE, type="ssrf", point=tuple(POINT), threat=70)
OOB = addresses(Listening(host="127.0.0.1", port=9), b"k", "tr", "bl", POINT, "ssrf")


def inquiry(oob=OOB) -> Inquiry:
    baseline = record(lambda _: FINE, Request("GET", b"/?q=a"))
    situation = Situation(
        baseline=baseline, point=POINT, value=b"a", credentials=(), policy=DEFAULT, random=Random(1), oob=oob
    )
    return Inquiry(situation, [baseline.exchange])


def baiting(oob, number):
    return Bait(rewrite(Request("GET", b"/?q=a"), POINT, oob.url(number).encode()))


def played(asked: Inquiry, *answers):
    """The dialogue with one answer after the other: hits made of the lures that were sent."""
    dialogue = called_back(asked, baiting, FOUND, dns_threat=30, shown_threat=80)
    sent = []
    try:
        question = next(dialogue)
        for protocol, response in answers:
            sent.append(question)
            hits = tuple(Hit(name=lure.name, protocol=protocol) for lure in question.lures if protocol)
            question = dialogue.send(Answer(Exchange(question.request, response), hits=hits))
    except StopIteration as end:
        return end.value, sent
    raise AssertionError("the dialogue goes on")


def test_without_a_listener_nothing_is_sent():
    assert played(inquiry(None)) == (None, [])


def test_who_does_not_come_costs_one_request_and_no_time():
    verdict, sent = played(inquiry(), ("", FINE))
    assert verdict is None
    assert [(each.purpose, each.patience) for each in sent] == [("test", 0.0)]


def test_who_comes_is_asked_again_under_a_fresh_name_and_waited_for():
    verdict, sent = played(inquiry(), (HTTP, FINE), (HTTP, FINE))
    assert (verdict.threat, verdict.outcome) == (70, Outcome.VULNERABLE)
    assert sent[1].patience == CONFIRM_SECONDS
    assert sent[0].lures[0].name != sent[1].lures[0].name
    assert verdict.proof.test.request == sent[1].request
    assert "a first" in verdict.proof.verified_by


def test_one_visit_is_proof_enough():
    verdict, _ = played(inquiry(), (HTTP, FINE), ("", FINE))
    assert verdict.threat == 70


def test_content_in_the_answer_and_a_mere_look_up_have_threats_of_their_own():
    shown = Response(200, (), content_at(OOB.name(2)).encode())
    verdict, _ = played(inquiry(), (HTTP, FINE), (HTTP, shown))
    assert verdict.threat == 80
    verdict, _ = played(inquiry(), (DNS, FINE), (DNS, FINE))
    assert verdict.threat == 30


def test_a_firewall_that_refuses_the_address_is_noted():
    asked = inquiry()
    assert played(asked, ("", Response(403)))[0] is None
    assert asked.blocked


def test_a_bait_that_the_place_cannot_hold_ends_it():
    asked = inquiry()
    dialogue = called_back(asked, lambda oob, number: None, FOUND, dns_threat=30)
    assert msgspec.to_builtins(list(dialogue)) == []


def test_an_application_that_calls_in_vain_and_says_so_may_call_at_the_next_address():
    in_vain = Response(502, ((b"Content-Type", b"application/json"),), b'{"error": "the hook does not answer"}')
    verdict, sent = played(inquiry(), ("", in_vain))
    assert verdict is None
    assert len(sent) == 1
    with pytest.raises(Stopped, match="a gateway answered 502"):
        played(inquiry(), ("", Response(502, (), b"<h1>502 Bad Gateway</h1>")))
