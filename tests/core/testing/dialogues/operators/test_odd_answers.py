"""What an answer to an operator tells of it."""

import json

import pytest
from tests.core.testing.driving import answered, inquiry_into, record

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.dialogues.inquiry import Inquiry
from gatecrash.core.testing.dialogues.operators.odd_answers import complaint, is_odd, says_less, says_otherwise
from gatecrash.core.testing.probes.nosqli import PROBE

FOUND = {"count": "two", "names": ["tea", "coffee"]}


def said(status: int, told: object) -> tuple[bool, bool, bool]:
    """Whether an answer to another value is odd, says less, and complains."""

    def application(request: Request) -> Response:
        shown, code = (FOUND, 200) if request.target.endswith(b"q=tea") else (told, status)
        body = shown.encode() if isinstance(shown, str) else json.dumps(shown).encode()
        return Response(code, ((b"Content-Type", b"application/json"),), body)

    def dialogue(inquiry: Inquiry):
        reply = yield from inquiry.send("other")
        assert reply is not None
        return is_odd(inquiry, reply), says_less(inquiry, reply), bool(complaint(inquiry, reply))

    baseline = record(application, Request("GET", b"/?q=tea"))
    return answered(dialogue(inquiry_into("q", baseline, PROBE, 1)), application)


@pytest.mark.parametrize(
    ("status", "told", "expected"),
    [
        (500, {"error": "internal"}, (True, False, False)),
        (404, {"error": "unknown"}, (True, False, False)),
        (422, {"error": "q must be a text"}, (False, False, False)),
        (200, "[]", (True, False, False)),
        (200, {"count": "two"}, (False, True, False)),
        (200, FOUND, (False, False, False)),
        (422, {"error": "unknown operator: $zz"}, (True, False, True)),
    ],
)
def test_what_broke_found_nothing_or_is_complained_of_is_odd_and_what_checks_values_is_not(status, told, expected):
    assert said(status, told) == expected


@pytest.mark.parametrize(
    ("status", "told", "expected"),
    [
        (200, "<ul><li>tea</li></ul>", False),
        (200, "<p>None.</p>", True),
        (404, "<p>None.</p>", False),
    ],
)
def test_a_page_that_tells_that_there_are_no_rows_says_something_else(status: int, told: str, *, expected: bool):
    def application(request: Request) -> Response:
        shown, code = ("<ul><li>tea</li></ul>", 200) if request.target.endswith(b"q=tea") else (told, status)
        return Response(code, ((b"Content-Type", b"text/html"),), shown.encode())

    def dialogue(inquiry: Inquiry):
        reply = yield from inquiry.send("other")
        assert reply is not None
        return says_otherwise(inquiry, reply)

    baseline = record(application, Request("GET", b"/?q=tea"))
    assert answered(dialogue(inquiry_into("q", baseline, PROBE, 1)), application) is expected
