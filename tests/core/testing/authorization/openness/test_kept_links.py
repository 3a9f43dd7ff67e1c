"""A counted file that visitors are given is its owner's where the one page that leads to it is his alone."""

from random import Random

import pytest
from tests.core.testing.driving import credentials_of

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.point import Point
from gatecrash.core.testing.authorization.openness.kept_links import linked_from_kept
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.known.identity import Identity
from gatecrash.core.testing.known.page import Page
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probe import Answer, Situation, TestRequest

COOKIE = ((b"Cookie", b"PHPSESSID=3f9a0c77de114b02aa553f9a0c77"),)
LEADING, EMPTY = Response(200, (), b'<a href="/files/833.pdf">Log</a>'), Response(200, (), b"<p>Nothing</p>")
LOGIN, MISSING = Response(302, ((b"Location", b"/login"),)), Response(404)


def told(
    path: bytes = b"/files/833.pdf",
    kind: bytes = b"application/pdf",
    peers: tuple[str, ...] = ("ben",),
    **answers: Response,
) -> str:
    """answers: what a page that leads to it says to its reader, to a visitor and to the other identity."""
    good = Response(200, ((b"Content-Type", kind),), b"%PDF-1.4")
    request = Request("GET", path, COOKIE, host="dome.example")
    situation = Situation(
        baseline=Baseline("bl_1", Exchange(request, good)),
        point=Point(),
        value=b"",
        credentials=credentials_of(request),
        policy=DEFAULT,
        random=Random(1),
        identities=tuple(Identity(name) for name in ("ann", *peers)),
        pages=(Page(Request("GET", b"/observations/5", host="dome.example"), rendered=True),),
    )
    said = {"reader": LEADING, "visitor": LOGIN, "other": MISSING} | answers
    dialogue = linked_from_kept(situation, good)
    try:
        asked = next(dialogue)
        while True:
            asked = dialogue.send(Answer(Exchange(asked.request, said[_who(asked)])))
    except StopIteration as end:
        return str(end.value)


def _who(asked: TestRequest) -> str:
    if asked.identity:
        return "other"
    return "visitor" if asked.request.first(b"Cookie") is None else "reader"


def test_a_page_that_is_its_readers_alone_says_that_its_file_is_his() -> None:
    assert told().startswith(" /observations/5, which leads to it,")
    assert told(path=b"/files/833/download", reader=Response(200, (), b'{"file": "/files/833/download"}'))
    assert told(other=EMPTY)


@pytest.mark.parametrize(
    "otherwise",
    [
        {"visitor": LEADING},
        {"visitor": Response(200, (), b"<form><input type='password'></form>" + LEADING.body)},
        {"other": LEADING},
        {"reader": EMPTY},
        {"peers": ()},
        {"kind": b"image/png"},
        {"path": b"/files/0b5c1f0a-9d7e-4f63-b8a1-c0de5b1f0c2a.pdf"},
        {"path": b"/help/833.pdf"},
    ],
    ids=[
        "open",
        "open beside a login",
        "shared",
        "not linked",
        "one user",
        "a picture",
        "an address that nobody guesses",
        "for visitors",
    ],
)
def test_all_else_says_nothing(otherwise: dict) -> None:
    assert told(**otherwise) == ""
