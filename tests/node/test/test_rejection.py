"""A changing request whose tests were all turned away was not tested."""

import pytest

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.point import Point
from gatecrash.core.testing.verdict import Inconclusive
from gatecrash.node.test.rejection import FEWEST, TurnedAway, had_nothing, likely_cause, shows_a_lost_right

POST = Exchange(Request("POST", b"/a"), Response(200, (), b'{"done": true}'))
DRAFT = Exchange(Request("DELETE", b"/a/1"), Response(200, (), b'{"done": true}'), drafted=True)


def counted(baseline: Exchange, *statuses: int) -> TurnedAway:
    turned = TurnedAway()
    for status in statuses:
        turned.note(Exchange(baseline.request, Response(status, (), b"{}")), baseline)
    return turned


def test_nothing_is_at_an_address_that_a_test_made_up() -> None:
    turned = TurnedAway()
    for path in (b"/a/1'", b"/a/1%22", b"/a/1;"):
        turned.note(Exchange(Request("DELETE", path), Response(404)), DRAFT)
    assert turned.why(DRAFT) is None


@pytest.mark.parametrize(
    ("body", "gone"), [(b'{"email": "ann@example.com"}', False), (b'{"email": "ann@example.com", "text": "a"}', True)]
)
def test_nobody_is_called_by_what_tests_put_in_the_place_of_the_only_value(body: bytes, *, gone: bool) -> None:
    request = Request("POST", b"/recover", ((b"Content-Type", b"application/json"),), body)
    asked = Exchange(request, Response(200, (), b'{"sent": true}'), drafted=True)
    assert (counted(asked, *[404] * FEWEST).why(asked) is not None) is gone


@pytest.mark.parametrize("status", [401, 403])
def test_all_refused_is_a_lost_right(status: int) -> None:
    why = counted(POST, *[status] * FEWEST).why(POST)
    assert why is not None
    assert why[0] == "auth_failed"
    assert str(status) in why[1]


def test_one_that_was_let_in_is_a_test() -> None:
    assert counted(POST, 403, 403, 403, 200).why(POST) is None


def test_a_few_refusals_may_be_what_payloads_deserve() -> None:
    assert counted(POST, *[403] * (FEWEST - 1)).why(POST) is None


def test_what_a_draft_deleted_a_moment_ago_cannot_be_tested_any_more() -> None:
    why = counted(DRAFT, 404, 404, 410).why(DRAFT)
    assert why is not None
    assert why[0] == "connection_failed"
    recorded = Exchange(DRAFT.request, DRAFT.response)
    assert counted(recorded, 404, 404, 410).why(recorded) is None, (
        "another state of the target answered the recorded one"
    )


def test_safe_methods_have_their_controls_and_bad_answers_their_own_words() -> None:
    get = Exchange(Request("GET", b"/a"), Response(200))
    assert counted(get, 403, 403, 403).why(get) is None
    refused = Exchange(POST.request, Response(403))
    assert counted(refused, 403, 403, 403).why(refused) is None
    assert counted(Exchange(POST.request), 403, 403, 403).why(Exchange(POST.request)) is None


def test_a_login_refuses_whoever_it_does_not_let_in() -> None:
    login = Exchange(Request("POST", b"/login", (), b"user=a&password=b"), Response(200, (), b"{}"), drafted=True)
    assert counted(login, *[401] * FEWEST).why(login) is None


def test_a_forms_token_is_refused_for_itself() -> None:
    field = Point.of("post", "form_urlencoded", "_csrf")
    assert not shows_a_lost_right(POST.request, field), "a form that has nothing else was let in by it and no test is"
    assert shows_a_lost_right(POST.request, Point.of("post", "form_urlencoded", "note"))
    for name in ("refreshToken", "refresh_token"):
        renewing = Point.of("post", "json_doc", "json_obj", name)
        assert not shows_a_lost_right(POST.request, renewing), "it lets in where it is taken, and no other does"
    assert shows_a_lost_right(POST.request, Point.of("post", "json_doc", "json_obj", "refreshTokenNote"))
    assert not shows_a_lost_right(POST.request, Point.of()), "probes of the whole request change its credentials"
    assert not shows_a_lost_right(Request("GET", b"/a?note=1"), Point.of("get", "note")), "it has its controls"


def test_a_page_that_was_missing_when_it_was_recorded_leaves_nothing_to_look_at() -> None:
    icon = Exchange(Request("GET", b"/favicon.ico"), Response(404))
    assert had_nothing(icon, {Inconclusive.NO_CONTROL})
    assert not had_nothing(icon, {Inconclusive.NO_CONTROL, Inconclusive.BLOCKED}), "a check that was stopped is told"
    assert not had_nothing(icon, {Inconclusive.CONNECTION})
    assert not had_nothing(Exchange(icon.request, Response(200)), {Inconclusive.BLOCKED})
    assert not had_nothing(Exchange(icon.request, Response(404), drafted=True), {Inconclusive.NO_CONTROL})


@pytest.mark.parametrize(
    ("target", "body", "words"),
    [
        (b"/a?q=1", b"name=x", ""),
        (b"/a", b"name=x&csrf_token=f00", "its csrf_token may be good for one request only: an auth profile"),
        (b"/a?_token=1", b"", "its _token may be"),
        (b"/a", b"g-recaptcha-response=f00", "leave the captcha out"),
        (b"/a", b"access_token=f00", ""),
        (b"/logout", b"", "it ends the session itself"),
    ],
)
def test_a_value_that_is_good_once_is_named_with_what_to_do(target: bytes, body: bytes, words: str) -> None:
    form = ((b"Content-Type", b"application/x-www-form-urlencoded"),)
    told = likely_cause(Request("POST", target, form, body))
    assert words in told
    assert bool(told) == bool(words)
