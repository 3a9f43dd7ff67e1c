"""Which pages are read again after a request that may have left something, and by what they are known."""

from random import Random

import msgspec
import pytest

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.point import Point
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.inquiry import Inquiry
from gatecrash.core.testing.pages import Page, Pages
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probe import Answer, Situation
from gatecrash.core.testing.rereading import may_be_shown_later, may_keep, pages_showing

HTML = ((b"Content-Type", b"text/html"),)
DONE, SENT_ON = Response(200, (), b"done"), Response(303, ((b"Location", b"/notes"),))


def inquiry(method: str = "POST", value: bytes = b"tea", *pages: bytes, answer: Response = DONE) -> Inquiry:
    exchange = Exchange(Request(method, b"/save?q=" + value, host="a"), answer)
    return Inquiry(
        Situation(
            baseline=Baseline("bl_1", exchange),
            point=Point.of("get", "q"),
            value=value,
            credentials=(),
            policy=DEFAULT,
            random=Random(1),
            pages=tuple(Page(Request("GET", target, host="a"), target != b"/data") for target in pages),
        ),
        [exchange],
    )


@pytest.mark.parametrize(
    ("method", "value", "expected"),
    [("POST", b"tea", True), ("GET", b"tea", False), ("POST", b"42", False), ("PUT", b"true", False)],
)
def test_texts_of_changing_requests_may_be_kept(method, value, expected):
    assert may_keep(inquiry(method, value)) is expected


def test_without_any_page_nothing_can_be_shown_later():
    assert not may_be_shown_later(inquiry())
    assert not may_be_shown_later(inquiry("POST", b"tea", b"/data"))
    assert may_be_shown_later(inquiry("POST", b"tea", b"/list"))
    assert may_be_shown_later(inquiry(answer=SENT_ON))


def read(asked: Inquiry, answer: Response, shown: dict[bytes, Response]):
    """The pages that are found, and all that were read for it."""
    dialogue, targets = pages_showing(asked, answer, "xyz"), []
    try:
        question = next(dialogue)
        while True:
            targets.append(question.request.target)
            response = shown.get(question.request.target, Response(200, HTML, b"<p>nothing"))
            question = dialogue.send(Answer(Exchange(question.request, response)))
    except StopIteration as end:
        return [page.target for page in end.value], targets


def test_the_page_that_the_answer_leads_to_is_read_first_and_then_the_nearest():
    shown = {b"/list": Response(200, HTML, b"<p>XYZ"), b"/notes": Response(200, (), b"xyz, and no page")}
    found, targets = read(inquiry("POST", b"tea", b"/data", b"/list", b"/other"), SENT_ON, shown)
    assert (found, targets) == ([b"/list"], [b"/notes", b"/list", b"/other"])


def test_every_page_that_shows_it_is_told_as_one_may_escape_what_another_does_not():
    shown = dict.fromkeys((b"/list", b"/other"), Response(200, HTML, b"<p>xyz"))
    assert read(inquiry("POST", b"tea", b"/list", b"/other"), DONE, shown)[0] == [b"/list", b"/other"]


def test_pages_that_were_recorded_with_the_value_are_read_before_nearer_ones():
    asked = inquiry("POST", b"green tea", b"/1", b"/2", b"/3", b"/4")
    met = Pages()
    for page in asked.situation.pages:
        met.add(Exchange(page.request, Response(200, HTML, b"<p>black tea")))
    far = Request("GET", b"/people/ann", host="a")
    met.add(Exchange(far, Response(200, HTML, b"<p>drinks <b>tea</b>, green if possible")))
    asked.situation = msgspec.structs.replace(asked.situation, pages=met.beside(asked.situation.baseline.request))
    assert read(asked, DONE, {})[1] == [b"/people/ann", b"/1", b"/2", b"/3"]


def test_no_more_than_four_pages_are_read():
    found, targets = read(inquiry("POST", b"tea", *(b"/%d" % number for number in range(9))), DONE, {})
    assert (found, len(targets)) == ([], 4)
