"""Pages whose frame greets their caller: what is left of them without it is given to visitors, or is not."""

from collections.abc import Callable

import pytest
from tests.core.testing.driving import runs

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.probes.auth import PROBE
from gatecrash.core.testing.verdict import Outcome

PEOPLE = "<table><tr><td>anna<td>anna@mail.example<tr><td>bert<td>bert@mail.example</table>"
SESSION = b"shop_session=0123456789abcdef01234567"


def page(request: Request, body: str, status: int = 200) -> Response:
    """A page of a shop, for whoever is signed in and for visitors."""
    known = request.first(b"Cookie") == SESSION
    menu = "<b>Hello anna</b><a href=/orders>My orders</a>" if known else "<a href=/login>Sign in</a>"
    text = f"<html><nav>{menu}</nav><main>{body}</main></html>"
    return Response(status, ((b"Content-Type", b"text/html"),), text.encode())


def asked(server: Callable[[Request], Response], target: bytes = b"/admin/users") -> tuple[Outcome, list[bytes], str]:
    """What comes of a page, where the probe asked, and what was told."""
    request = Request("GET", target, ((b"Cookie", SESSION), (b"User-Agent", b"Mozilla/5.0")), host="shop.example")
    (run,) = runs(server, request, (PROBE,))
    told = run.verdict.proof.verified_by if run.verdict.proof else run.verdict.detail
    return run.verdict.outcome, [question.request.target for question in run.sent], told


def shop(body: Callable[[Request], str], missing: Callable[[Request], Response]) -> Callable[[Request], Response]:
    def answer(request: Request) -> Response:
        return page(request, body(request)) if request.path in (b"/admin/users", b"/tea") else missing(request)

    return answer


def framed(request: Request) -> Response:
    return page(request, "<p>No such page</p>", 404)


def test_a_page_of_people_that_visitors_get_whole_but_for_its_frame_is_open() -> None:
    outcome, _, told = asked(shop(lambda _: PEOPLE, framed))
    assert outcome is Outcome.VULNERABLE
    assert "beside the frame of the site" in told


def test_where_what_is_missing_has_no_frame_the_front_page_shows_it() -> None:
    def missing(request: Request) -> Response:
        return page(request, "<p>Welcome</p>") if request.target == b"/" else Response(404, (), b"not found")

    outcome, targets, _ = asked(shop(lambda _: PEOPLE, missing))
    assert outcome is Outcome.VULNERABLE
    assert targets.count(b"/") == 1


@pytest.mark.parametrize(
    ("body", "target"),
    [
        (lambda request: PEOPLE if request.first(b"Cookie") == SESSION else "<p>Members see more</p>", b"/admin/users"),
        (
            lambda request: PEOPLE + ("<p>3 of them locked</p>" if request.first(b"Cookie") == SESSION else ""),
            b"/admin/users",
        ),
        (lambda _: "<h1>Administration</h1><p>Write to help@shop.example</p><p>Ask there</p>", b"/admin/users"),
        (lambda _: PEOPLE, b"/tea"),
    ],
    ids=["others see less", "visitors miss a part", "nobody is told", "published"],
)
def test_what_visitors_do_not_get_or_may_get_is_no_finding(body: Callable[[Request], str], target: bytes) -> None:
    outcome, _, _ = asked(shop(body, framed), target)
    assert outcome is Outcome.SAFE


def test_where_any_address_shows_the_people_it_is_the_frame_that_does() -> None:
    outcome, _, _ = asked(lambda request: page(request, PEOPLE))
    assert outcome is Outcome.SAFE
