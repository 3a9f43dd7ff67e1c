"""The probe csrf_method, driven against the range's places over a real port."""

import pytest
from tests.core.testing.driving import credentials_of, record
from tests.core.testing.probes.at_range import WITHOUT_NAMES, AtRange, run_case

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.probes.csrf_method import PROBE, by_get

COOKIE = (b"Cookie", b"sessionid=3f9a0c77de114b02aa55")
FORM = (b"Content-Type", b"application/x-www-form-urlencoded")
CHANGED = Response(200, ((b"Content-Type", b"text/html"),), b"<p>Your address was changed.</p>")


class TestProbe(AtRange):
    name = "csrf_method"
    probe = PROBE


def form(
    body: bytes = b"mail=ann%40tea.example", target: bytes = b"/settings", cookie: tuple[bytes, bytes] = COOKIE
) -> Request:
    return Request("POST", target, (cookie, FORM), body)


def asked(request: Request, response: Response = CHANGED, *, home: bool = False, strict: bool = False) -> bool:
    recorded, found = record(lambda _: response, request), credentials_of(request)
    kept = {"kept_home": found if home or strict else (), "kept_from_links": found if strict else ()}
    return bool(plan(recorded, WITHOUT_NAMES, found, (PROBE,), **kept))


def test_a_form_is_asked_also_where_its_cookies_stay_at_home_when_it_is_posted() -> None:
    assert asked(form())
    assert asked(form(), home=True)


def test_cookies_that_no_link_brings_along_are_not_asked() -> None:
    assert not asked(form(), strict=True)


@pytest.mark.parametrize(
    "request_",
    [
        form(b"amount=5"),
        form(b"do=save"),
        form(b"action=set_profile_info"),
        form(b"new_password=sesame-two&mail=ann%40tea.example"),
        form(target=b"/login"),
        form(target=b"/orders/search"),
        form(target=b"/account/delete"),
        form(cookie=(b"X-Api-Key", b"3f9a0c77de114b02aa55")),
        Request("POST", b"/settings", (COOKIE, (b"Content-Type", b"application/json")), b'{"mail": "ann@tea.example"}'),
        Request("GET", b"/settings?mail=ann%40tea.example", (COOKIE,)),
    ],
    ids=[
        "a number",
        "what is done",
        "and on what",
        "a password",
        "login",
        "lookup",
        "deletes",
        "no cookie",
        "JSON",
        "a link",
    ],
)
def test_nothing_else_is_asked(request_: Request) -> None:
    assert not asked(request_)


def test_refused_forms_are_not_asked() -> None:
    assert not asked(form(), Response(500))


def test_the_fields_stand_behind_what_the_address_says() -> None:
    assert by_get(form(target=b"/settings")).target == b"/settings?mail=ann%40tea.example"
    moved = by_get(form(target=b"/settings?tab=2"))
    assert (moved.method, moved.target, moved.body) == ("GET", b"/settings?tab=2&mail=ann%40tea.example", b"")
    assert moved.first(b"Content-Type") is None


def test_what_another_site_may_post_itself_is_told_elsewhere() -> None:
    (run,) = run_case(form(b"mail=ann%40tea.example", b"/forgery-guests/visitors-are-forbidden"), PROBE)
    assert "told elsewhere" in (run.verdict.detail or "")
    assert [each.request.method for each in run.sent] == ["POST"]


def test_it_is_sent_as_a_link_is_and_the_form_is_posted_last() -> None:
    (run,) = run_case(
        form(b"action=set_mail&mail=ann%40tea.example&csrf_token=9d2f77a1c0", b"/forgery-methods/taken-by-get-as-well"),
        PROBE,
    )
    links = [each.request for each in run.sent if each.purpose in ("test", "confirm")]
    assert links
    for request in links:
        assert request.method == "GET"
        assert request.first(b"Origin") is None
        assert b"csrf_token" not in request.target
    assert run.sent[-1].request.method == "POST"
