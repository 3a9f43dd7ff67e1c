"""Commands and look-ups that call our listener: what is sent, what must come, and what is asked no second time."""

from random import Random

from tests.core.testing.driving import record

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.point import Point
from gatecrash.core.testing.dialogues.calling_out import asks_by_command, asks_by_look_up
from gatecrash.core.testing.dialogues.inquiry import Inquiry
from gatecrash.core.testing.out_of_band import HTTP, LDAP, Hit, Listening, addresses
from gatecrash.core.testing.payloads.rce import CALLING, Numbers
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probe import Answer, Situation
from gatecrash.core.testing.verdict import Outcome, Verdict

POINT = Point.of("get", "q")
FINE = Response(200, (), b"fine")
FOUND = Verdict(outcome=Outcome.VULNERABLE, type="rce", point=tuple(POINT), threat=95)
OOB = addresses(Listening(host="127.0.0.1", port=9), b"k", "tr", "bl", POINT, "rce")


def inquiry() -> Inquiry:
    baseline = record(lambda _: FINE, Request("GET", b"/?q=tea"))
    situation = Situation(
        baseline=baseline, point=POINT, value=b"tea", credentials=(), policy=DEFAULT, random=Random(1), oob=OOB
    )
    return Inquiry(situation, [baseline.exchange])


def played(dialogue, protocol: str, asked: str = ""):
    """The dialogue with a target that comes for whatever is sent; asked: what it asks for beside the name."""
    sent = []
    try:
        question = next(dialogue)
        while True:
            sent.append(question)
            hits = tuple(Hit(name=lure.name, protocol=protocol, asked=asked) for lure in question.lures if protocol)
            question = dialogue.send(Answer(Exchange(question.request, FINE), hits=hits))
    except StopIteration as end:
        return end.value, sent


def test_a_look_up_is_asked_for_twice_under_names_of_its_own():
    verdict, sent = played(asks_by_look_up(inquiry(), FOUND, dns_threat=85), LDAP)
    assert (verdict.outcome, verdict.threat) == (Outcome.VULNERABLE, 95)
    assert [lure.number for each in sent for lure in each.lures] == [3, 4]
    assert b"ldap%3A%2F%2F127.0.0.1%3A9%2F" in sent[0].request.target
    verdict, sent = played(asks_by_look_up(inquiry(), FOUND, dns_threat=85), "")
    assert (verdict, len(sent)) == (None, 1)


def test_a_command_must_have_computed_what_it_asks_for():
    numbers = Numbers("a", 12, 34, "b")
    verdict, sent = played(asks_by_command(inquiry(), CALLING, lambda: numbers, FOUND, dns_threat=85), HTTP, "408")
    assert (verdict.outcome, len(sent)) == (Outcome.VULNERABLE, 2)
    verdict, sent = played(
        asks_by_command(inquiry(), CALLING, lambda: numbers, FOUND, dns_threat=85), HTTP, "$((12*34))"
    )
    assert (verdict, len(sent)) == (None, 1)
