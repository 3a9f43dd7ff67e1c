"""The probe for logins without limits, driven against the range's places over a real port, and by hand."""

from random import Random

import msgspec
import pytest
from tests.core.testing.driving import drive, record
from tests.core.testing.probes.at_range import AtRange

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.derive import Check, plan
from gatecrash.core.testing.policy import THOROUGH
from gatecrash.core.testing.probe import Answer
from gatecrash.core.testing.probes.info_limits import PROBE, TRIES
from gatecrash.core.testing.verdict import Inconclusive, Outcome

ASKED = msgspec.structs.replace(THOROUGH, logins=True)
LOGIN = Request("POST", b"/login", ((b"Content-Type", b"application/x-www-form-urlencoded"),), b"user=ann&pass=sesame")
WELCOME = Response(302, ((b"Location", b"/home"), (b"Set-Cookie", b"sid=5f0c1d77aa91")))
AGAIN = Response(200, (), b"<p>No.</p><form><input type=password name=pass></form>")


class Door:
    """A login that answers wrong passwords so, one after the other, the last for all that follow."""

    elapsed = 0.01

    def __init__(self, *answers: Response, slower: float = 0.0) -> None:
        self.answers, self.slower = answers, slower
        self.tries: list[bytes] = []

    def __call__(self, request: Request) -> Response:
        if request.body == LOGIN.body:
            return WELCOME
        self.tries.append(request.body)
        self.elapsed += self.slower
        return self.answers[min(len(self.tries), len(self.answers)) - 1]


def verdict_of(door: Door):
    (check,) = plan(record(door, LOGIN), ASKED, (), (PROBE,))
    return drive(check, door).verdict


class TestProbe(AtRange):
    name = "info_limits"
    probe = PROBE

    @property
    def check(self) -> Check:
        return plan(record(Door(AGAIN), LOGIN), ASKED, (), (self.probe,))[0]


def test_nothing_is_sent_where_the_policy_does_not_ask_for_it():
    assert plan(record(Door(AGAIN), LOGIN), THOROUGH, (), (PROBE,)) == []


def test_twenty_tries_for_one_invented_name_are_the_most_and_no_account_is_tried():
    door = Door(AGAIN)
    assert verdict_of(door).outcome is Outcome.VULNERABLE
    assert len(door.tries) == TRIES
    assert len({body.partition(b"&")[0] for body in door.tries}) == 1
    assert not any(body.startswith(b"user=ann&") for body in door.tries)


@pytest.mark.parametrize(
    "limit",
    [Response(429), Response(503, ((b"Retry-After", b"5"),)), Response(423), Response(200, (), b"<p>Too many.</p>")],
    ids=lambda limit: str(limit.status),
)
def test_any_other_answer_after_some_tries_is_a_limit_and_ends_it(limit):
    door = Door(*[AGAIN] * 6, limit)
    assert verdict_of(door).outcome is Outcome.SAFE
    assert len(door.tries) == 7


def test_answers_that_become_slower_are_a_limit():
    assert verdict_of(Door(AGAIN, slower=0.1)).outcome is Outcome.SAFE


def test_a_pause_between_two_tries_may_be_a_limiters_and_decides_nothing():
    door = Door(AGAIN)
    (check,) = plan(record(door, LOGIN), ASKED, (), (PROBE,))
    dialogue, clock = check.probe.run(check.situation(Random(1))), 1_700_000_000.0
    verdict, asked = None, next(dialogue)
    for number in range(TRIES):
        clock += 1.5 if number == 7 else 0.02
        try:
            asked = dialogue.send(Answer(Exchange(asked.request, AGAIN, started=clock, elapsed=0.01)))
        except StopIteration as end:
            verdict = end.value
            break
    assert (number, verdict.reason) == (7, Inconclusive.RATE_LIMITED)


def test_a_door_that_lets_everybody_in_is_no_login():
    verdict = verdict_of(Door(WELCOME))
    assert verdict.reason is Inconclusive.UNSTABLE
