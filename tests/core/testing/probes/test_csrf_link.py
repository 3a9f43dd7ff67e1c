"""The probe csrf_link, driven against the range's places over a real port."""

from urllib.parse import parse_qsl

import pytest
from tests.core.testing.driving import credentials_of, drive, record
from tests.core.testing.probes.at_range import WITHOUT_NAMES, AtRange, run_case

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.probes.csrf_link import PROBE
from gatecrash.core.testing.verdict import Outcome

COOKIE = (b"Cookie", b"sessionid=3f9a0c77de114b02aa55")
CHANGED = Response(200, ((b"Content-Type", b"text/html"),), b"<p>Your address was changed.</p>")
SHOWN = Response(200, ((b"Content-Type", b"text/html"),), b"<p>ann@tea.example</p>")


class TestProbe(AtRange):
    name = "csrf_link"
    probe = PROBE


def asked(target: bytes, response: Response = CHANGED, *, kept_home: bool = False, method: str = "GET") -> bool:
    request = Request(method, target, (COOKIE,))
    recorded, found = record(lambda _: response, request), credentials_of(request)
    return bool(plan(recorded, WITHOUT_NAMES, found, (PROBE,), kept_home=found if kept_home else ()))


@pytest.mark.parametrize(
    ("target", "response"),
    [
        (b"/address?address=ann%40tea.example", CHANGED),
        (b"/address/update?address=ann%40tea.example", SHOWN),
        (b"/address?action=save&address=ann%40tea.example", SHOWN),
        (b"/profile/update?about=I+like+tea", SHOWN),
    ],
)
def test_what_says_that_it_changes_something_is_asked(target: bytes, response: Response) -> None:
    assert asked(target, response)


@pytest.mark.parametrize(
    ("target", "response"),
    [
        (b"/address?address=ann%40tea.example", SHOWN),
        (b"/search?q=tea+cups", SHOWN),
        (b"/account/delete?name=ann", CHANGED),
        (b"/password/change?new=sesame-two", CHANGED),
        (b"/transfer?amount=5&to=77", CHANGED),
        (b"/address/update?csrf_token=9d2f77a1c0ab", CHANGED),
        (b"/address/update?address=ann%40tea.example", Response(500)),
        (b"/login?user=ann", CHANGED),
    ],
    ids=["shown", "found", "deleted", "password", "numbers", "a token alone", "broken", "login"],
)
def test_nothing_else_is_asked(target: bytes, response: Response) -> None:
    assert not asked(target, response)


def test_forms_are_asked_by_another_and_strict_cookies_stay_at_home() -> None:
    assert not asked(b"/address/update?address=ann%40tea.example", method="POST")
    assert not asked(b"/address/update?address=ann%40tea.example", kept_home=True)


def test_it_is_sent_as_a_link_is_and_what_was_recorded_is_sent_last() -> None:
    target = b"/forgery/changed-by-a-link/update?address=ann%40tea.example&plan=monthly"
    (run,) = run_case(Request("GET", target, (COOKIE,)), PROBE)
    foreign = [each.request for each in run.sent if each.purpose in ("test", "confirm")]
    assert foreign
    for request in foreign:
        assert request.first(b"Origin") is None
        assert (request.first(b"Referer") or b"").partition(b".example/")[1]
    assert run.sent[-1].request.target == target


@pytest.mark.parametrize(("lost", "outcome"), [(0, Outcome.VULNERABLE), (1, Outcome.VULNERABLE), (9, Outcome.SAFE)])
def test_letters_that_another_test_set_back_in_between_are_left_once_more(lost: int, outcome: Outcome) -> None:
    """The recorded link is a page to others, who read it behind the second change."""
    recorded = Request("GET", b"/update?address=ann%40tea.example", (COOKIE,))
    kept, changes = "ann@tea.example", 0

    def site(asked: Request) -> Response:
        nonlocal kept, changes
        sent = dict(parse_qsl((asked.query or b"").decode())).get("address")
        if asked.first(b"Cookie") is None:
            return Response(302, ((b"Location", b"/login"),))
        if sent is None:
            return Response(200, CHANGED.headers, b"<p>" + kept.encode())
        changes += 1
        kept = "ann@tea.example" if 1 < changes <= 1 + lost else sent
        return CHANGED

    baseline = Baseline("b", Exchange(recorded, CHANGED))
    (check,) = plan(baseline, WITHOUT_NAMES, credentials_of(recorded), (PROBE,))
    assert drive(check, site).verdict.outcome is outcome
