"""The page of what was made, found by its link on the page that the answer leads to: a forum with a list of its threads."""

import html
from random import Random
from urllib.parse import parse_qsl

import pytest
from tests.core.testing.driving import answered, drive, record

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.point import Point
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.dialogues.behind_link import behind_link
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probe import Situation
from gatecrash.core.testing.probes.xss import PROBE
from gatecrash.core.testing.surroundings.pages import Pages
from gatecrash.core.testing.verdict import Outcome

FORM = ((b"Content-Type", b"application/x-www-form-urlencoded"),)
AROUND = "<li><a href='/thread?id={id}'>{title}</a>"
BESIDE = "<tr><td>{title}<td><a href=thread?id={id}>read</a><a href='/thread/drop?id={id}'>drop</a></tr>"


IN_TEXT = "<p>{title}: <a href='/thread?id={id}'>read</a></p>"


class Forum:
    """Leads whoever posts to the list of titles; the text stands on a page of the thread's own. row: of the list. thanks: what
    is said instead, without leading anywhere.
    """

    def __init__(self, row: str = AROUND, show=str, *, leads: bool = True, thanks: str = "") -> None:
        self.row, self.show, self.leads, self.thanks = row, show, leads, thanks
        self.threads = [{"title": "Opening times", "text": "On Friday?"}]
        self.asked: list[bytes] = []

    def __call__(self, request: Request) -> Response:
        self.asked.append(request.target)
        if request.method == "POST":
            self.threads.append(dict(parse_qsl(request.body.decode())))
            if self.thanks:
                return page(self.thanks)
            if self.leads:
                return Response(303, ((b"Location", b"/forum"),))
        elif request.path == b"/thread":
            said = self.threads[int(request.target.rpartition(b"=")[2])]
            return page(f"<h1>{html.escape(said['title'])}</h1><p>{self.show(said['text'])}</p>")
        rows = [
            self.row.format(id=number, title=html.escape(each["title"])) for number, each in enumerate(self.threads)
        ]
        return page("<a href='/thread?id=0'>The first</a>" + "".join(reversed(rows)))


def page(text: str) -> Response:
    return Response(200, ((b"Content-Type", b"text/html"),), text.encode())


def known(forum: Forum, *targets: bytes) -> Pages:
    pages = Pages()
    for target in targets:
        pages.add(record(forum, Request("GET", target, host="a")).exchange)
    return pages


def reached(forum: Forum, body: bytes, *targets: bytes) -> bytes | None:
    """The address that was found after this was posted."""
    request = Request("POST", b"/forum", FORM, body, host="a")
    pages = known(forum, *targets).beside(request)
    posted = Exchange(request, forum(request))
    situation = Situation(
        baseline=Baseline("bl_1", posted),
        point=Point.of("post"),
        value=b"",
        credentials=(),
        policy=DEFAULT,
        random=Random(1),
        pages=pages,
    )
    found = answered(behind_link(situation, posted), forum)
    return None if found is None else found.request.target


@pytest.mark.parametrize("leads", [True, False], ids=["the list it leads to", "the list it answers with"])
@pytest.mark.parametrize("row", [AROUND, BESIDE], ids=["the link says it", "the row says it"])
def test_the_link_that_says_what_was_sent_leads_to_it(row: str, leads: bool):
    forum = Forum(row, leads=leads)
    assert reached(forum, b"title=Lost+umbrella&text=x", b"/thread?id=0") == b"/thread?id=1"
    assert not any(b"drop" in each for each in forum.asked)


def test_of_several_that_say_it_the_newest_is_taken():
    forum = Forum()
    forum.threads += [{"title": "Lost umbrella", "text": ""}] * 10
    assert reached(forum, b"title=Lost+umbrella&text=x", b"/thread?id=0") == b"/thread?id=11"


@pytest.mark.parametrize(
    ("row", "body", "targets"),
    [
        (AROUND, b"title=Lost+umbrella&text=x", [b"/forum"]),
        ("<li><a href='https://other.example/thread?id={id}'>{title}</a>", b"title=Lost+umbrella", [b"/thread?id=0"]),
        ("<li><a href='http://[x/thread?id={id}'>{title}</a>", b"title=Lost+umbrella", [b"/thread?id=0"]),
        ("<li><a href='/thread/drop?id={id}'>{title}</a>", b"title=Lost+umbrella", [b"/thread?id=0"]),
        ("<li><a href='/thread?id={id}'>thread {id}</a>", b"title=Lost+umbrella", [b"/thread?id=0"]),
    ],
    ids=[
        "where nobody has read",
        "another host",
        "no address",
        "what was never asked for",
        "a link that does not say it",
    ],
)
def test_a_link_is_followed_only_where_it_says_it_and_the_run_has_read_its_like(row, body, targets):
    assert reached(Forum(row), body, *targets) is None


@pytest.mark.parametrize(
    ("show", "expected"), [(str, Outcome.VULNERABLE), (html.escape, Outcome.SAFE)], ids=["as it was sent", "escaped"]
)
@pytest.mark.parametrize("row", [AROUND, BESIDE])
def test_what_the_new_page_shows_is_stored_scripting_where_it_is_not_escaped(row, show, expected):
    forum = Forum(row, show)
    baseline = record(forum, Request("POST", b"/forum", FORM, b"title=example&text=example", host="a"))
    pages = known(forum, b"/forum", b"/thread?id=0", b"/thread?id=1")
    checks = plan(baseline, DEFAULT, (), (PROBE,), pages=pages.beside(baseline.request))
    found = {check.point[-1]: drive(check, forum).verdict.outcome for check in checks}
    assert (found["text"], found["title"]) == (expected, Outcome.SAFE)


@pytest.mark.parametrize(
    ("show", "expected"), [(str, Outcome.VULNERABLE), (html.escape, Outcome.SAFE)], ids=["as it was sent", "escaped"]
)
def test_the_list_may_be_another_page_than_the_answer(show, expected):
    forum = Forum(IN_TEXT, show, thanks="<p>Thank you")
    baseline = record(forum, Request("POST", b"/say", FORM, b"title=example&text=example", host="a"))
    pages = known(forum, b"/forum", b"/thread?id=0")
    checks = plan(baseline, DEFAULT, (), (PROBE,), pages=pages.beside(baseline.request))
    found = {check.point[-1]: drive(check, forum).verdict for check in checks}
    assert (found["text"].outcome, found["title"].outcome) == (expected, Outcome.SAFE)
    if expected is Outcome.VULNERABLE:
        assert "the page of what was made, to which '/forum' links" in found["text"].proof.verified_by
