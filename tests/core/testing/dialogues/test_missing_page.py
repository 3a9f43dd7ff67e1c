"""The page for missing addresses is told from pages of one address, by one request, and only at points of the path."""

from collections.abc import Callable
from random import Random
from urllib.parse import unquote

import pytest
from tests.core.testing.driving import answered, record

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.dialogues.inquiry import Inquiry
from gatecrash.core.testing.dialogues.missing_page import is_missing_page
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probes.xss import PROBE

HTML = ((b"Content-Type", b"text/html"),)
ASKED = {"path": Request("GET", b"/quay/plan"), "get": Request("GET", b"/quay/plan?x=1")}


def page(text: str, status: int = 404) -> Response:
    return Response(status, HTML, f"<p>{text}</p>".encode())


def outcome(missing: Callable[[str], Response], kind: str = "path") -> tuple[bool, int]:
    """What comes of it at a host that tells so what is missing, and how often it was asked."""
    asked: list[bytes] = []

    def application(request: Request) -> Response:
        asked.append(request.target)
        path = unquote(request.target.decode().partition("?")[0])
        return page("The plan", 200) if path == "/quay/plan" else missing(path)

    baseline = record(application, ASKED[kind])
    check = next(one for one in plan(baseline, DEFAULT, (), (PROBE,)) if one.point[0] == kind)

    def dialogue(inquiry: Inquiry):
        shown = yield from inquiry.send(inquiry.value + inquiry.mark(8))
        assert shown is not None
        asked.clear()
        return (yield from is_missing_page(inquiry, shown))

    inquiry = Inquiry(check.situation(Random(1)), [baseline.exchange])
    return answered(dialogue(inquiry), application), len(asked)


@pytest.mark.parametrize("status", [404, 200, 410])
def test_what_is_said_of_every_address_is_the_page_for_missing_ones(status: int):
    assert outcome(lambda path: page(f"There is nothing at {path}, number 7", status)) == (True, 1)


@pytest.mark.parametrize(
    "missing",
    [
        lambda path: page(f"No berth {path}" if path.startswith("/quay/") else f"There is nothing at {path}"),
        lambda path: page(f"There is nothing at {path}", 410 if path.startswith("/quay/") else 404),
        lambda path: page(f"There is nothing at {path}" if path.startswith("/quay/") else "There is nothing there"),
    ],
    ids=["other words", "another status", "shown here alone"],
)
def test_what_is_said_of_this_address_alone_is_not(missing: Callable[[str], Response]):
    assert outcome(missing) == (False, 1)


def test_no_other_point_costs_a_request():
    assert outcome(lambda path: page(f"There is nothing at {path}"), "get") == (False, 0)
