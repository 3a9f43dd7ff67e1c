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


def posted(server: Callable[[Request], Response], target: bytes, body: bytes) -> tuple[Outcome, str]:
    """What comes of a form that is sent there."""
    headers = (
        (b"Cookie", SESSION),
        (b"User-Agent", b"Mozilla/5.0"),
        (b"Content-Type", b"application/x-www-form-urlencoded"),
    )
    (run,) = runs(server, Request("POST", target, headers, body, host="shop.example"), (PROBE,))
    return run.verdict.outcome, run.verdict.detail


def changed(answer: str, alone: str = "<form method=post><input name=price></form>") -> tuple[Outcome, str]:
    """What comes of a form below /admin that is answered so, where its page alone shows that."""

    def server(request: Request) -> Response:
        if request.path != b"/admin/price":
            return framed(request)
        return page(request, answer if request.method == "POST" else alone)

    return posted(server, b"/admin/price", b"price=9")


def test_a_change_that_visitors_make_too_is_told_by_what_its_page_says_beside_the_frame() -> None:
    assert changed("<p>The lamp costs 9 from now on</p>")[0] is Outcome.VULNERABLE
    assert changed("<p>Prices</p>", alone="<p>Prices</p>")[0] is not Outcome.VULNERABLE


def behind(body: Callable[[Request], str], everywhere: bool = False, to: bytes = b"/login") -> Outcome:
    """What comes of a page that sends visitors to the login and says this in the same answer. to: `/in` asks for a password."""

    def server(request: Request) -> Response:
        if request.path == b"/in":
            form = b"<form method=post><input name=user><input type=password name=pass></form>"
            return Response(200, ((b"Content-Type", b"text/html"),), form)
        if request.path != b"/customers" and not everywhere:
            return framed(request)
        if request.first(b"Cookie") == SESSION:
            return Response(200, ((b"Content-Type", b"text/html"),), PEOPLE.encode())
        headers = ((b"Content-Type", b"text/html"), (b"Location", to))
        return Response(302, headers, body(request).encode())

    return asked(server, b"/customers")[0]


def test_what_goes_on_behind_its_redirect_to_the_login_is_found() -> None:
    assert behind(lambda _: PEOPLE) is Outcome.VULNERABLE
    assert behind(lambda _: "<p>Sign in first</p>") is Outcome.SAFE
    assert behind(lambda _: PEOPLE, everywhere=True) is not Outcome.VULNERABLE
    assert behind(lambda _: PEOPLE, to=b"/in") is Outcome.VULNERABLE
    assert behind(lambda _: "<p>Sign in first</p>", to=b"/in") is Outcome.SAFE
    assert behind(lambda _: PEOPLE, to=b"/en/customers") is not Outcome.VULNERABLE


def led_in_a_frame(body: Callable[[bool], str]) -> Outcome:
    """What comes of a page with the site's frame that sends visitors to the login; the body for who is known, and for others."""

    def server(request: Request) -> Response:
        if request.path != b"/customers":
            return framed(request)
        known = request.first(b"Cookie") == SESSION
        answer = page(request, body(known), 200 if known else 302)
        return answer if known else Response(302, (*answer.headers, (b"Location", b"/login")), answer.body)

    return asked(server, b"/customers")[0]


def test_what_goes_on_behind_its_redirect_is_found_within_the_frame_of_the_site() -> None:
    head = "<h1>Our customers</h1><p>In order of their names</p>"
    assert led_in_a_frame(lambda _: head + PEOPLE) is Outcome.VULNERABLE
    assert led_in_a_frame(lambda known: head + (PEOPLE if known else "")) is Outcome.SAFE
    assert led_in_a_frame(lambda _: "<h1>Our customers</h1>") is Outcome.SAFE
    assert led_in_a_frame(lambda known: PEOPLE if known else "") is Outcome.SAFE


def test_the_sentence_of_every_redirect_is_nothing_that_was_given() -> None:
    """Rails before 7.1 writes it into all of them, whether they lead to what was made or to the login."""

    def server(request: Request) -> Response:
        if request.path != b"/comments":
            return framed(request)
        where = "/posts/1" if request.first(b"Cookie") == SESSION else "/login"
        headers = ((b"Content-Type", b"text/html"), (b"Location", where.encode()))
        return Response(302, headers, f'<body>You are being <a href="{where}">redirected</a>.</body>'.encode())

    assert posted(server, b"/comments", b"text=so+it+is")[0] is Outcome.SAFE


def test_a_page_of_an_object_is_kept_where_the_object_is() -> None:
    def server(request: Request) -> Response:
        known = request.first(b"Cookie") == SESSION
        if request.path == b"/certificates/31":
            return page(request, "<p>93 points</p>") if known else Response(403, (), b"members only")
        if request.path in (b"/certificates/31/print", b"/lessons/31/print"):
            return page(request, "<p>Mia Lind passed with 93 points</p>")
        return framed(request)

    outcome, _, told = asked(server, b"/certificates/31/print")
    assert outcome is Outcome.VULNERABLE
    assert "/certificates/31, which it stands below, is kept from visitors" in told
    assert asked(server, b"/lessons/31/print")[0] is Outcome.SAFE


def test_where_any_address_shows_the_people_it_is_the_frame_that_does() -> None:
    outcome, _, _ = asked(lambda request: page(request, PEOPLE))
    assert outcome is Outcome.SAFE
