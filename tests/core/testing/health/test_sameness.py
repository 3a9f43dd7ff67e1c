"""Pages that have become one: in words, whatever moves, and never where the answer tells of its caller or of a thing that is gone."""

import pytest

from gatecrash.core.message import Exchange, Headers, Request, Response
from gatecrash.core.testing.health.sameness import MOST_ASKED, candidates, is_one, is_well, said
from gatecrash.core.testing.surroundings.pages import Pages

HTML: Headers = ((b"Content-Type", b"text/html"),)


def shown(target: bytes, body: bytes, status: int = 200, headers: Headers = HTML) -> Exchange:
    return Exchange(
        Request("GET", target, ((b"Host", b"x"),), b"", "http", "127.0.0.1", 80), Response(status, headers, body)
    )


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (shown(b"/a", b"<p>theme 'x9' is missing"), shown(b"/b?p=1", b"<p>theme 'x9' is missing"), True),
        (shown(b"/a", b"<p>no theme at /a, #51af09cc"), shown(b"/b?p=1", b"<p>no theme at /b?p=1, #8811ab00"), True),
        (shown(b"/a", b"<p>oops", 500), shown(b"/b", b"<p>oops", 500), True),
        (shown(b"/a", b"", 302, ((b"Location", b"/setup"),)), shown(b"/b", b"", 302, ((b"Location", b"/setup"),)), True),
        (shown(b"/a", b"", 302, ((b"Location", b"/x"),)), shown(b"/b", b"", 302, ((b"Location", b"/y"),)), False),
        (shown(b"/a", b"<p>ships"), shown(b"/b", b"<p>boats"), False),
        (shown(b"/a", b"<p>oops"), shown(b"/b", b"<p>oops", 500), False),
        # A session that is over, an object that is gone, lists that are empty.
        (shown(b"/a", b"<input type=password>"), shown(b"/b", b"<input type=password>"), False),
        (shown(b"/a", b"", 302, ((b"Location", b"/login"),)), shown(b"/b", b"", 302, ((b"Location", b"/login"),)), False),
        (shown(b"/a", b"<p>gone", 404), shown(b"/b", b"<p>gone", 404), False),
        (
            shown(b"/a", b"[]", headers=((b"Content-Type", b"application/json"),)),
            shown(b"/b", b"[]", headers=((b"Content-Type", b"application/json"),)),
            False,
        ),
    ],
)  # fmt: skip
def test_two_pages_that_say_the_same(one: Exchange, other: Exchange, *, same: bool) -> None:
    assert is_one([said(one), said(other)]) is same


@pytest.mark.parametrize(("status", "well"), [(200, True), (302, False), (404, False), (500, False)])
def test_a_page_that_is_well(status: int, *, well: bool) -> None:
    assert is_well(shown(b"/a", b"<p>ships", status)) is well


def test_no_answer_says_nothing() -> None:
    assert said(Exchange(shown(b"/a", b"").request)) is None


def test_the_pages_that_are_asked() -> None:
    pages = Pages()
    for number in range(1, 9):
        pages.add(shown(b"/notes/%d" % number, b"<p>note %d" % number))
        pages.add(shown(b"/part-" + b"abcdefgh"[number - 1 : number], b"<p>part"))
    pages.add(shown(b"/api/notes", b"[1]", headers=((b"Content-Type", b"application/json"),)))
    found = [page.request.target for page in candidates(pages.beside(post(b"/notes")))]
    assert len(found) == MOST_ASKED
    assert sum(target.startswith(b"/notes/") for target in found) == 1
    assert b"/api/notes" not in found


def test_pages_of_other_parts_of_the_site_are_asked_before_more_of_the_same() -> None:
    pages = Pages()
    for target in (b"/boats", b"/boats?order=name", b"/boats/9", b"/boats/9/edit", b"/account", b"/berths/free"):
        pages.add(shown(target, b"<p>" + target))
    found = [page.request.target for page in candidates(pages.beside(post(b"/boats")))]
    assert found[:3] == [b"/boats", b"/account", b"/berths/free"]
    assert len(found) == MOST_ASKED


def post(target: bytes) -> Request:
    return Request("POST", target, ((b"Host", b"x"),), b"theme=plain", "http", "127.0.0.1", 80)
