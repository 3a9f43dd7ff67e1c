"""Whether a target fetches its own pages: their content, or only whether they are there, and never by the look of the text."""

from random import Random
from urllib.parse import quote, unquote, urlsplit

import pytest
from tests.core.testing.driving import record

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.dialogues.inquiry import Inquiry
from gatecrash.core.testing.dialogues.own_pages import OwnPages, fetches_own_pages
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probe import Answer
from gatecrash.core.testing.probes.ssrf import PROBE

FRONT = "<h1>Welcome to the lending library of Thornbury</h1>"
HTML = ((b"Content-Type", b"text/html"),)


def found(preview, address: str = "http://news.example/feed") -> OwnPages | None:
    """What comes of it; preview: from an address to what is shown of it."""

    def respond(request: Request) -> Response:
        path = urlsplit(request.target.decode())
        if path.path == "/":
            return Response(200, HTML, FRONT.encode())
        if path.path != "/preview":
            return Response(404, HTML, b"<p>No such page</p>")
        shown = preview(unquote(path.query.removeprefix("url=")))
        return Response(200, HTML, f"<p>Preview</p>{shown}".encode())

    baseline = record(respond, Request("GET", b"/preview?url=" + quote(address, safe="").encode(), host="h.example"))
    check = next(each for each in plan(baseline, DEFAULT, (), (PROBE,)) if each.point == ("get", "url"))
    dialogue = fetches_own_pages(Inquiry(check.situation(Random(3)), [baseline.exchange]))
    try:
        question = next(dialogue)
        while True:
            question = dialogue.send(Answer(Exchange(question.request, respond(question.request))))
    except StopIteration as end:
        return end.value


def fetched(address: str) -> str | None:
    """What a client gets there; None where nobody answers."""
    there = urlsplit(address)
    if there.scheme != "http" or there.netloc not in ("h.example", "h.example:80"):
        return None
    return FRONT if there.path == "/" else "<p>No such page</p>"


def test_content_that_is_shown_is_told_as_such() -> None:
    told = found(lambda address: fetched(address) or "<p>unreachable</p>")
    assert told is not None
    assert told.is_shown
    assert told.proof.test.request.target.startswith(b"/preview?url=http%3A%2F%2Fh.example")


def test_whether_a_page_is_there_tells_of_a_fetch_that_shows_nothing() -> None:
    told = found(lambda address: "<p>saved</p>" if fetched(address) == FRONT else "<p>not saved</p>")
    assert told is not None
    assert not told.is_shown


@pytest.mark.parametrize(
    "preview",
    [
        lambda _: "<p>saved</p>",
        lambda _: FRONT,
        lambda address: "<p>saved</p>" if address.startswith("http://") else "<p>no address</p>",
        lambda address: "<p>saved</p>" if "h.example/?" in address else "<p>another site</p>",
    ],
    ids=["keeps it", "shows its front page to everybody", "looks at the scheme", "looks at the text"],
)
def test_who_fetches_nothing_is_no_finding(preview) -> None:
    assert found(preview) is None


def test_an_address_of_the_target_itself_is_not_judged() -> None:
    assert found(lambda address: fetched(address) or "", "http://h.example/news") is None
