"""A login form in the head of a page says nothing of who may read it; one in its place does."""

from random import Random

import pytest
from tests.core.testing.driving import answered, credentials_of

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.point import Point
from gatecrash.core.testing.authorization.openness.login_beside import is_shown_beside_a_login
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probe import Situation

HTML = ((b"Content-Type", b"text/html"),)
LOGIN = b"<nav>Harbour<form><input type='password' name='word'></form></nav>"
OWN = b"<nav>Harbour<a href='/logout'>Leave</a></nav>"
RIBBON = b"<h2>Ribbon of the race</h2><p>Second boat, rowed by the bakers</p><p>Given away in spring</p>"


def page(body: bytes, status: int = 200) -> Response:
    return Response(status, HTML, body)


def shown(stranger: bytes, mine: bytes, elsewhere: bytes = LOGIN + b"<p>No such page</p>") -> tuple[bool, list[bytes]]:
    """Whether visitors are shown the page of a site with this page where there is nothing, and what was asked for it."""
    request = Request("GET", b"/ribbons/31", ((b"Cookie", b"sid=3f9a0c77de114b02aa55"),))
    asked: list[bytes] = []

    def site(question: Request) -> Response:
        assert question.first(b"Cookie") is None
        asked.append(question.target)
        return page(elsewhere, 404)

    situation = Situation(
        baseline=Baseline("bl_1", Exchange(request, page(mine))),
        point=Point(),
        value=b"",
        credentials=credentials_of(request),
        policy=DEFAULT,
        random=Random(1),
    )
    bare = Request("GET", b"/ribbons/31")
    return answered(is_shown_beside_a_login(situation, bare, page(stranger), page(mine)), site), asked


@pytest.mark.parametrize(
    ("stranger", "mine", "tells"),
    [
        (LOGIN + RIBBON, OWN + RIBBON, True),
        (LOGIN + RIBBON, OWN + RIBBON + b"<p>Edit this</p>", True),
        (LOGIN + b"<h2>Members only</h2>", OWN + RIBBON, False),
        (LOGIN + b"<h2>Ribbon of the race</h2>", OWN + RIBBON, False),
        (LOGIN, OWN, False),
    ],
    ids=["shown", "shown without the keeper's tools", "a login in its place", "its title alone", "nothing of its own"],
)
def test_what_visitors_are_shown_beside_the_form_tells(stranger: bytes, mine: bytes, tells: bool) -> None:
    assert shown(stranger, mine)[0] is tells


def test_what_every_page_says_is_no_pages_own() -> None:
    news = b"<p>Open on Sundays</p><p>Closed in winter</p><p>Ask the warden</p>"
    assert shown(LOGIN + news, OWN + news + RIBBON, LOGIN + news)[0] is False


def test_an_address_that_does_not_exist_and_the_front_page_are_asked_as_a_visitor() -> None:
    elsewhere, front = shown(LOGIN + RIBBON, OWN + RIBBON)[1]
    assert elsewhere.startswith(b"/ribbons/")
    assert elsewhere != b"/ribbons/31"
    assert front == b"/"
