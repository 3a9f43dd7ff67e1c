"""Which recorded pages tell whether somebody is signed in."""

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.authorization.callers.own_pages import likeliest_own
from gatecrash.core.testing.surroundings.pages import Pages

SHOWN = Response(200, ((b"Content-Type", b"text/html"),), b"<h1>Lamps</h1>")


def read_by(pages: Pages, target: bytes, *, visitor: bool = False) -> None:
    pages.meet(Exchange(Request("GET", target, host="a.example"), SHOWN), visited=visitor)


def test_what_visitors_read_and_what_names_an_object_come_behind_what_is_ones_own():
    pages = Pages()
    for target in (b"/", b"/lamps?page=2"):
        read_by(pages, target, visitor=True)
    for target in (b"/login", b"/desk/members/31", b"/", b"/messages", b"/me"):
        read_by(pages, target)
    found = likeliest_own(pages.beside(Request("POST", b"/logout", host="a.example")))
    assert [page.request.target for page in found] == [
        b"/me",
        b"/messages",
        b"/desk/members/31",
        b"/",
        b"/lamps?page=2",
    ]
