"""The contract of a probe, held by every registered one: a dialogue repeats, and never sends by itself."""

from random import Random
from types import GeneratorType

import pytest
from tests.core.testing.driving import credentials_of, drive, plan, record
from tests.core.testing.guard import TOKEN, Guard

from gatecrash.core.message import Request
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probe import TestRequest
from gatecrash.core.testing.registry import REGISTRY
from gatecrash.core.testing.verdict import Verdict

REQUEST = Request("GET", b"/checked/orders?q=lamp", ((b"Authorization", TOKEN.encode()),))


@pytest.mark.parametrize("probe", REGISTRY, ids=lambda probe: probe.type)
def test_the_same_seed_gives_the_same_dialogue(probe):
    # Planned twice: what the checks of one plan have learnt is not asked again.
    once, again = (plan(record(Guard(), REQUEST), DEFAULT, credentials_of(REQUEST), [probe]) for _ in range(2))
    for check, same in zip(once, again, strict=True):
        one, other = drive(check, Guard(), seed=3), drive(same, Guard(), seed=3)
        assert [question.request for question in one.sent] == [question.request for question in other.sent]
        assert isinstance(one.verdict, Verdict)
        assert one.verdict.type == probe.type


@pytest.mark.parametrize("probe", REGISTRY, ids=lambda probe: probe.type)
def test_a_dialogue_is_a_generator_of_test_requests_with_known_purposes(probe):
    for check in plan(record(Guard(), REQUEST), DEFAULT, credentials_of(REQUEST), [probe]):
        run = drive(check, Guard())
        assert all(isinstance(question, TestRequest) for question in run.sent)
        assert {question.purpose for question in run.sent} <= {"test", "control", "confirm"}
        assert isinstance(probe.run(check.situation(Random(1))), GeneratorType)
