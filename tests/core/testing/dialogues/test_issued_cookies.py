"""Cookies that the recorded answer gave out are points of the next visit, sessions and the target's own bookkeeping apart."""

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.point import Point
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.dialogues.issued_cookies import revisited
from gatecrash.core.testing.policy import DEFAULT, THOROUGH
from gatecrash.core.testing.probes import sqli

PREFS = Point.of("header", "COOKIE", "cookie", "prefs")


def baseline(*cookies: bytes, method: str = "GET", carried: bytes = b"a=1") -> Baseline:
    headers = tuple((b"Set-Cookie", cookie) for cookie in cookies)
    request = Request(method, b"/shop/cart?q=7", ((b"Host", b"h.example"), (b"Cookie", carried)))
    return Baseline("bl_1", Exchange(request, Response(200, headers=headers)))


def cookie(*cookies: bytes, **given) -> bytes | None:
    again = revisited(baseline(*cookies, **given))
    return again[0].request.first(b"Cookie") if again else None


def test_what_an_answer_gives_out_is_sent_behind_what_was_sent_before():
    again = revisited(baseline(b'prefs="gASV=="; Path=/; HttpOnly'))
    assert again is not None
    assert again[0].request.first(b"Cookie") == b'a=1; prefs="gASV=="'
    assert (again[1], again[0].response) == ((PREFS,), None)


def test_sessions_deletions_and_what_the_request_carries_are_left_aside():
    assert cookie(b"PHPSESSID=0123456789abcdef", b"my_session=x", b"csrf_token=y", b"a=2", b"gone=x; Max-Age=0") is None


def test_what_is_named_as_a_session_and_holds_an_object_is_a_value():
    assert cookie(b'token="gAN9cQAu"; Path=/') == b'a=1; token="gAN9cQAu"'
    assert cookie(b"token=eyJhIjogMX0=") is None


def test_a_cookie_of_another_path_does_not_come_back():
    assert cookie(b"prefs=1; Path=/admin") is None
    assert cookie(b"prefs=1; Path=/shop") == b"a=1; prefs=1"


def test_nothing_that_may_change_something_is_visited_again():
    assert cookie(b"prefs=1", method="POST") is None


def test_the_thorough_policy_looks_at_them_and_the_default_one_does_not():
    def points(policy):
        return [check.point for check in plan(baseline(b"prefs=1"), policy, (), (sqli.PROBE,))]

    assert PREFS in points(THOROUGH)
    assert PREFS not in points(DEFAULT)
    assert points(THOROUGH).count(Point.of("get", "q")) == 1
