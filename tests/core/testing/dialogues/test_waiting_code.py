"""Calls that wait, in one language after the other."""

import ast
import re
from urllib.parse import quote, unquote

import pytest
from tests.core.testing.driving import answered, inquiry_into, record

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.dialogues.waiting_code import (
    WaitedCode,
    waits_as_code,
    waits_in_front_matter,
    waits_within_texts,
)
from gatecrash.core.testing.payloads.rce_code import WAITING, WAITING_WITHIN, fill_wait_within
from gatecrash.core.testing.probes.rce import PROBE


class Waiting:
    """Answers after the seconds that a call of this name was asked for. asked: how many requests came."""

    def __init__(self, call: bytes) -> None:
        self.call, self.asked, self.elapsed = call, 0, 0.05

    def __call__(self, request: Request) -> Response:
        self.asked += 1
        _, found, rest = request.target.partition(self.call)
        self.elapsed = 0.05 + float(rest.partition(b"%")[0].partition(b")")[0]) if found else 0.05
        return Response(200, (), b"kept")


def found_by(application: Waiting) -> WaitedCode | None:
    inquiry = inquiry_into("rule", record(application, Request("GET", b"/?rule=a")), PROBE)
    return answered(waits_as_code(inquiry), application)


def test_the_language_whose_call_waits_is_told():
    found = found_by(Waiting(b"__import__%28%27time%27%29.sleep%28"))
    assert found is not None
    assert found.language == "Python"


def test_what_waits_for_none_costs_a_request_for_each_language():
    application = Waiting(b"nothing")
    assert found_by(application) is None
    assert application.asked == 1 + len(WAITING)


@pytest.mark.parametrize(
    ("value", "filled"),
    [
        (b"def rate(x): return x", b" return __import__%28%27time%27%29.sleep%28"),
        (b"class Rate:\n  x = 1\n", b"class Rate:\n  __import__%28%27time%27%29.sleep%28"),
    ],
)
def test_a_definition_that_must_stay_one_waits_within(value, filled):
    application = Waiting(quote(unquote(filled)).encode())
    asked = Request("GET", b"/?rule=" + quote(value).encode())
    inquiry = inquiry_into("rule", record(application, asked), PROBE)
    found = answered(waits_as_code(inquiry), application)
    assert found is not None
    assert found.language == "Python"


@pytest.mark.parametrize(("text", "asked"), [("---\na: 1\n---\nb", 1), ("a: 1\n---\nb", 0)])
def test_front_matter_alone_is_asked_for(text, asked):
    application = Waiting(b"nothing")
    recorded = record(application, Request("GET", b"/?rule=" + quote(text).encode()))
    assert answered(waits_in_front_matter(inquiry_into("rule", recorded, PROBE)), application) is None
    assert application.asked == 1 + asked


class Remembering:
    """Carries out front matter in JavaScript, and remembers what it made of each text."""

    def __init__(self) -> None:
        self.elapsed, self.known = 0.05, set()

    def __call__(self, request: Request) -> Response:
        text = unquote(request.target.decode())
        found = re.search(r"=---js\n\{title: '\w+', date: Atomics\.wait\(.*,0,0,([\d.]+)\*1e3\)\}\n---\nb$", text)
        self.elapsed = 0.05 + (float(found[1]) if found and text not in self.known else 0)
        self.known.add(text)
        return Response(200, (), b"kept")


def test_front_matter_that_is_carried_out_waits():
    application = Remembering()
    asked = Request("GET", b"/?rule=" + quote("---\na: 1\n---\nb").encode())
    found = answered(waits_in_front_matter(inquiry_into("rule", record(application, asked), PROBE)), application)
    assert found is not None
    assert found.language == "JavaScript"


PYTHON = WAITING_WITHIN[0]


@pytest.mark.parametrize("code", ["{}", "'{}'", 'len("{}")', "'Hello ' + '{}' + '!'"])
def test_what_waits_is_one_call_wherever_it_stands(code):
    tree = ast.parse(code.format(fill_wait_within(PYTHON, 2)))
    assert [each.attr for each in ast.walk(tree) if isinstance(each, ast.Attribute)].count("sleep") == 1


def test_it_holds_no_sign_that_a_decoder_of_forms_takes():
    assert not any({"+", "%"} & set(fill_wait_within(each, 2)) for each in WAITING_WITHIN)


def waiting_within(**headers: str) -> tuple[WaitedCode | None, int]:
    """What is found where Python waits, and how many requests it took. headers: of the answer that was recorded."""
    application = Waiting(b".decode%28%29%29.sleep%28")
    told = tuple((name.encode(), value.encode()) for name, value in headers.items())
    recorded = record(lambda _: Response(200, told, b"kept"), Request("GET", b"/?q=a"))
    return answered(waits_within_texts(inquiry_into("q", recorded, PROBE)), application), application.asked


def test_a_text_that_waits_is_told():
    found, _ = waiting_within()
    assert found is not None
    assert found.language == "Python"


def test_where_another_language_answers_its_own_call_alone_is_sent():
    assert waiting_within(Server="Express") == (None, 1)
