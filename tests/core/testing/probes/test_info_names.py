"""The probe for user enumeration, driven against the range's places over a real port, and by hand where time decides."""

import itertools
import json

import msgspec
import pytest
from tests.core.testing.driving import drive, record
from tests.core.testing.probes.at_range import AtRange

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.derive import Check, plan
from gatecrash.core.testing.policy import THOROUGH
from gatecrash.core.testing.probes.info_names import BY_ANSWER, BY_TIME, PROBE, TRIES
from gatecrash.core.testing.verdict import Inconclusive, Outcome

ASKED = msgspec.structs.replace(THOROUGH, logins=True)
LOGIN = Request("POST", b"/login", ((b"Content-Type", b"application/json"),), b'{"user": "ann", "password": "sesame"}')
WELCOME = Response(200, ((b"Set-Cookie", b"sid=5f0c1d77aa91"),), b"{}")
WRONG = Response(401, (), b'{"error": "wrong name or password"}')


class Door:
    """A login with a clock of its own. known, stranger: answers to wrong passwords; seconds by whether the name is known."""

    def __init__(self, known: Response = WRONG, stranger: Response = WRONG, seconds=lambda known: 0.01) -> None:
        self.known, self.stranger, self.seconds = known, stranger, seconds
        self.elapsed = 0.01
        self.tries: list[str] = []

    def __call__(self, request: Request) -> Response:
        sent = json.loads(request.body)
        known = sent["user"] == "ann"
        self.elapsed = self.seconds(known)
        if known and sent["password"] == "sesame":
            return WELCOME
        self.tries.append(sent["user"])
        return self.known if known else self.stranger


def verdict_of(door: Door, seed: int = 1):
    (check,) = plan(record(door, LOGIN), ASKED, (), (PROBE,))
    return drive(check, door, seed).verdict


class TestProbe(AtRange):
    name = "info_names"
    probe = PROBE

    @property
    def check(self) -> Check:
        return plan(record(Door(), LOGIN), ASKED, (), (self.probe,))[0]


def test_nothing_is_sent_where_the_policy_does_not_ask_for_it():
    assert plan(record(Door(), LOGIN), THOROUGH, (), (PROBE,)) == []


def test_a_refused_login_knows_no_name():
    refused = msgspec.structs.replace(LOGIN, body=LOGIN.body.replace(b"sesame", b"other"))
    assert plan(record(Door(), refused), ASKED, (), (PROBE,)) == []


@pytest.mark.parametrize("seed", range(5))
def test_an_account_is_tried_three_times_and_all_else_is_invented(seed):
    door = Door()
    assert verdict_of(door, seed).outcome is Outcome.SAFE
    assert door.tries.count("ann") == TRIES
    strangers = [name for name in door.tries if name != "ann"]
    assert len(set(strangers)) == len(strangers)


def test_a_name_that_earlier_tests_wore_out_tells_nothing_where_any_name_wears_out():
    challenged = Response(401, (), b'{"error": "wrong name or password", "challenge": "pick all bicycles"}')

    class Wearing(Door):
        def __call__(self, request: Request) -> Response:
            answer = super().__call__(request)
            return challenged if self.tries.count(json.loads(request.body)["user"]) > 5 else answer

    assert verdict_of(Wearing(known=challenged)).reason is Inconclusive.RATE_LIMITED
    assert verdict_of(Door(known=challenged)).outcome is Outcome.VULNERABLE


def test_a_difference_in_words_is_told_with_the_name_as_its_point():
    verdict = verdict_of(Door(stranger=Response(401, (), b'{"error": "nobody of this name"}')))
    assert (verdict.outcome, verdict.cwe) == (Outcome.VULNERABLE, BY_ANSWER)
    assert verdict.point == ("post", "json_doc", "json_obj", "user")


def test_a_lock_that_earlier_tests_caused_decides_nothing():
    verdict = verdict_of(Door(known=Response(401, (), b'{"error": "account locked"}')))
    assert verdict.reason is Inconclusive.RATE_LIMITED


def test_a_known_name_that_takes_longer_each_time_is_told_by_time():
    verdict = verdict_of(Door(seconds=lambda known: 0.2 if known else 0.02))
    assert (verdict.outcome, verdict.cwe) == (Outcome.VULNERABLE, BY_TIME)


@pytest.mark.parametrize("seed", range(20))
def test_times_that_drift_or_jump_tell_nothing(seed):
    falling = itertools.count(1)
    jumping = itertools.cycle([0.2, 0.02, 0.3, 0.02, 0.02])
    assert verdict_of(Door(seconds=lambda _: 3 / next(falling)), seed).outcome is Outcome.SAFE
    assert verdict_of(Door(seconds=lambda _: next(jumping)), seed).outcome is Outcome.SAFE
