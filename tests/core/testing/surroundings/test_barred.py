"""Which addresses of a section were refused to somebody who was signed in."""

import pytest

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.surroundings.barred import Barred
from gatecrash.core.testing.surroundings.pages import Pages

HOURS = b"/director/hours"
REFUSED = Response(403, body=b"for the director")


def met(target: bytes = HOURS, response: Response | None = REFUSED, method: str = "GET") -> Exchange:
    return Exchange(Request(method, target, host="a"), response)


def asks(path: bytes, host: str = "a") -> Request:
    return Request("GET", path, host=host)


def test_what_was_refused_is_told_to_those_right_beside_it():
    barred = Barred()
    assert barred.see(met(), visited=False)
    assert not barred.see(met(), visited=False)
    assert barred.beside(asks(b"/director/astronomers")) == (HOURS,)
    assert barred.beside(asks(HOURS)) == ()
    assert barred.beside(asks(b"/director/halls/3")) == ()
    assert barred.beside(asks(b"/director/astronomers", "b")) == ()


def test_a_way_to_the_login_refuses_too():
    barred = Barred()
    assert barred.see(met(response=Response(302, ((b"Location", b"/login"),))), visited=False)


@pytest.mark.parametrize(
    "exchange",
    [
        met(response=Response(200, body=b"twelve hours")),
        met(response=Response(401)),
        met(response=Response(500)),
        met(response=None),
        met(method="POST"),
        met(b"/hours"),
        met(b"/api/v1/hours"),
    ],
)
def test_nothing_else_is_kept(exchange: Exchange):
    barred = Barred()
    assert not barred.see(exchange, visited=False)
    assert barred.beside(asks(exchange.request.path.rpartition(b"/")[0] + b"/astronomers")) == ()


def test_what_a_visitor_was_refused_says_nothing():
    assert not Barred().see(met(), visited=True)


def test_the_pages_of_a_run_tell_it():
    pages = Pages()
    assert pages.meet(met(), visited=False)
    assert pages.barred(asks(b"/director/astronomers")) == (HOURS,)


def test_of_many_sections_the_oldest_are_forgotten_and_of_each_two_pages_are_kept():
    barred = Barred()
    for number in range(502):
        barred.see(met(b"/part%d/hours" % number), visited=False)
    for page in (b"a", b"b", b"c"):
        barred.see(met(b"/part501/" + page), visited=False)
    assert barred.beside(asks(b"/part0/x")) == ()
    assert barred.beside(asks(b"/part501/x")) == (b"/part501/hours", b"/part501/a")


def test_a_newer_version_that_was_refused_is_known_as_one():
    pages = Pages()
    pages.meet(met(b"/api/v2/bills"), visited=False)
    assert pages.newer(asks(b"/api/v1/bills")) == (b"/api/v2/bills",)
    assert pages.newer(asks(b"/api/v1/debts")) == ()
