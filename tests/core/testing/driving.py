"""Drives a probe by hand against an application that is a plain function from request to response."""

import re
from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from random import Random
from typing import TypeVar
from urllib.parse import unquote

from gatecrash.core.auth.recogniser import compile_recogniser
from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.point import Point
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.derive import Check, plan
from gatecrash.core.testing.dialogues.inquiry import Inquiry
from gatecrash.core.testing.policy import DEFAULT, THOROUGH, Policy
from gatecrash.core.testing.probe import Answer, Probe, TestRequest
from gatecrash.core.testing.registry import REGISTRY
from gatecrash.core.testing.verdict import Verdict

Application = Callable[[Request], Response]
MOST_REQUESTS = 250
# Compiled once: it remembers values only, and thousands of tests ask.
RECOGNISER = compile_recogniser()
T = TypeVar("T")


@dataclass
class Run:
    """What a dialogue came to, and all that was sent for it."""

    check: Check
    verdict: Verdict
    sent: list[TestRequest] = field(default_factory=list)


def record(application: Application, request: Request) -> Baseline:
    """A baseline as a recorder would have it: the request with the application's own answer."""
    response = application(request)
    return Baseline("bl_1", Exchange(request, response, elapsed=getattr(application, "elapsed", None)))


def credentials_of(request: Request) -> tuple[Point, ...]:
    """The points at which detection finds credentials."""
    return tuple(found.point for found in RECOGNISER.recognise(request))


def drive(check: Check, application: Application, seed: int = 1) -> Run:
    """Play one dialogue to its end; an application that raises ConnectionError or TimeoutError gives no answer."""
    dialogue = check.probe.run(check.situation(Random(seed)))
    sent: list[TestRequest] = []
    try:
        question = next(dialogue)
        while True:
            sent.append(question)
            assert len(sent) <= MOST_REQUESTS, "the dialogue does not end"
            question = dialogue.send(answer_of(application, question.request))
    except StopIteration as end:
        return Run(check, end.value, sent)


def answer_of(application: Application, request: Request) -> Answer:
    try:
        response = application(request)
        # An application that keeps a clock of its own says how long it took; no test waits for a real one.
        return Answer(Exchange(request, response, elapsed=getattr(application, "elapsed", None)))
    except ConnectionError:
        return Answer(Exchange(request), "closed")
    except TimeoutError:
        return Answer(Exchange(request), "timeout")


def runs(
    application: Application,
    request: Request,
    probes: tuple[Probe, ...] = REGISTRY,
    policy: Policy = DEFAULT,
    seed: int = 1,
) -> list[Run]:
    """Every check of a request, each driven to its end."""
    checks = plan(record(application, request), policy, credentials_of(request), probes)
    return [drive(check, application, seed) for check in checks]


def inquiry_into(name: str, baseline: Baseline, probe: Probe, seed: int = 1) -> Inquiry:
    """What a dialogue knows at the query's value of this name, before anything was asked."""
    check = next(one for one in plan(baseline, THOROUGH, (), (probe,)) if one.point == Point.of("get", name))
    return Inquiry(check.situation(Random(seed)), [baseline.exchange])


def played(dialogue: Generator[TestRequest, Answer, T], application: Callable[[str], Response]) -> T:
    """What a dialogue comes to where an application answers that is told the query's only value."""
    return answered(dialogue, lambda request: application(unquote(request.target.decode()).partition("=")[2]))


def answered(dialogue: Generator[TestRequest, Answer, T], application: Application) -> T:
    """What a dialogue, or a part of one, comes to at an application."""
    try:
        asked = next(dialogue)
        while True:
            asked = dialogue.send(answer_of(application, asked.request))
    except StopIteration as end:
        return end.value


def numbers_meant(probe: Probe, method: str, policy: Policy) -> set[int]:
    """Which numbered notes the tests of one mean at an application that reads the beginning of a text as a number; 0 for none.

    As many do, in scripts and in databases: `(int) $id`, `parseInt(id)`, `id = '12*3'`. The recorded note is 1003.
    """
    meant: set[int] = set()

    def application(request: Request) -> Response:
        number = re.match(r"[ +]*(\d+)", unquote(request.path.decode().rpartition("/")[2]))
        meant.add(int(number[1]) if number else 0)
        found = number is not None and int(number[1]) == 1003
        return Response(200 if found else 404, (), b'{"done": true}' if found else b'{"error": "no such note"}')

    request = Request(method, b"/notes/1003", ((b"Content-Type", b"application/json"),), b"{}", host="a")
    assert runs(application, request, (probe,), policy)
    return meant
