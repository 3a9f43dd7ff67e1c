"""The probe ssti_unseen, at applications whose jobs render a text, or do not, and reach a listener."""

import io
import json
import re
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import suppress
from email.message import Message
from random import Random
from urllib.parse import urlsplit

import jinja2
import jinja2.sandbox
import msgspec
import pytest
from tests.cases.case import Case, cases_of
from tests.core.testing.driving import record

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.point import Point
from gatecrash.core.points.walk import read, walk
from gatecrash.core.testing.out_of_band import HTTP, Hit, Listening, addresses, name_in_path
from gatecrash.core.testing.payloads.ssti import CALLING
from gatecrash.core.testing.policy import DEFAULT, QUICK, THOROUGH
from gatecrash.core.testing.probe import Answer, Situation
from gatecrash.core.testing.probes.ssti_unseen import PROBE
from gatecrash.core.testing.verdict import Outcome

CASES = [case for case in cases_of("probes") if case.file == "ssti_unseen"]
FINE = Response(200, (), b"Sent.")
FETCHED: list[str] = []


class Heard(io.BytesIO):
    """An answer as urllib knows it."""

    code, msg = 200, "OK"

    def info(self) -> Message:
        return Message()


class Listener(urllib.request.BaseHandler):
    """Is asked for every address, and opens no connection."""

    handler_order = 1

    def http_open(self, asked: urllib.request.Request) -> Heard:
        FETCHED.append(asked.full_url)
        return Heard()


@pytest.fixture(autouse=True)
def _listener() -> Iterator[None]:
    urllib.request.install_opener(urllib.request.build_opener(Listener()))
    FETCHED.clear()
    yield
    urllib.request.install_opener(urllib.request.build_opener())


def by_jinja(text: str) -> None:
    jinja2.Template(text).render(page="tea")


def in_a_sandbox(text: str) -> None:
    jinja2.sandbox.SandboxedEnvironment().from_string(text).render(page="tea")


def with_previews(text: str) -> None:
    for address in re.findall(r"https?://[^\s'\"<>]+", text):
        urllib.request.urlopen(address)


JOBS: dict[str, Callable[[str], None]] = {
    "/by-jinja": by_jinja,
    "/by-jinja-in-a-sandbox": in_a_sandbox,
    "/with-previews": with_previews,
}


def hits_of(request: Request, point: Point) -> tuple[Hit, ...]:
    """What the job asks the listener for."""
    FETCHED.clear()
    with suppress(jinja2.TemplateError):
        JOBS[request.path.decode()]((read(request, point) or b"").decode())
    asked = [name_in_path(urlsplit(address).path) for address in FETCHED]
    return tuple(Hit(name=each[0], protocol=HTTP, asked=each[1]) for each in asked if each is not None)


def situation_of(request: Request, policy=DEFAULT, *, listening: bool = True) -> Situation:
    point = next(found.point for found in walk(request).points if found.point[:3] == ("post", "json_doc", "json_obj"))
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
            hits = hits_of(question.request, situation.point) if question.lures else ()
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
    assert sent == (2 if outcome is Outcome.VULNERABLE else len(CALLING))


def test_every_text_is_asked_under_thorough():
    message = {"message": "It has changed."}
    request = Request("POST", b"/by-jinja", ((b"Content-Type", b"application/json"),), json.dumps(message).encode())
    assert not PROBE.applies(situation_of(request))
    assert outcome_at(situation_of(request, THOROUGH)) == (Outcome.VULNERABLE, 2)


def test_nothing_is_asked_without_a_listener_or_where_one_family_is_enough():
    assert outcome_at(situation_of(CASES[0].request, listening=False)) == (Outcome.SAFE, 0)
    assert not PROBE.applies(situation_of(CASES[0].request, QUICK))


def test_a_file_that_is_no_text_ends_no_check():
    body = b'--x\r\nContent-Disposition: form-data; name="f"; filename="a.png"\r\n\r\n\x89PNG\xff\r\n--x--\r\n'
    request = Request("POST", b"/upload", ((b"Content-Type", b"multipart/form-data; boundary=x"),), body)
    point = next(found.point for found in walk(request).points if found.value == b"\x89PNG\xff")
    situation = msgspec.structs.replace(
        situation_of(CASES[0].request, THOROUGH),
        baseline=record(lambda _: FINE, request),
        point=point,
        value=b"\x89PNG\xff",
    )
    question = next(PROBE.run(situation))
    assert b"\x89PNG\xff" in question.request.body


@pytest.mark.parametrize("pattern", CALLING)
def test_the_product_is_nowhere_in_the_request(pattern: str):
    written = pattern.format(url="http://127.0.0.1:9/k", left=10_007, right=20_011)
    assert str(10_007 * 20_011) not in written
    assert "10007*20011" in written
