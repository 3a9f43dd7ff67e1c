"""Headers and cookies wait, where a policy looks at them beside all else; credentials and what somebody asked for do not."""

import msgspec
import pytest

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.point import Point
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.pacing.waiting import none_waits
from gatecrash.core.testing.policy import DEFAULT, THOROUGH, Policy

HEADERS = ((b"Host", b"shop.example"), (b"User-Agent", b"Browser/7"), (b"Cookie", b"theme=dark"))
BASELINE = Baseline("bl_1", Exchange(Request("GET", b"/find?q=lamp", HEADERS), Response(200, body=b"lamp")))
THEME = Point.of("header", "COOKIE", "cookie", "theme")


def waiting(policy: Policy, *credentials: Point) -> tuple[set[Point], set[Point]]:
    """The points whose checks wait, and those whose do not."""
    checks = plan(BASELINE, policy, credentials)
    late = {check.point for check in checks if check.can_wait}
    return late, {check.point for check in checks if not check.can_wait}


def test_headers_and_cookies_wait_until_the_rest_is_made() -> None:
    late, first = waiting(THOROUGH)
    assert THEME in late
    assert Point.of("header", "USER-AGENT") in late
    assert {point[0] for point in late} == {"header"}
    assert {point[0] for point in first if point} >= {"get", "uri"}
    assert Point() in first, "what looks at the whole request does not wait"


@pytest.mark.parametrize(
    "policy", [DEFAULT, msgspec.structs.replace(THOROUGH, include=(("header", "USER-AGENT"), ("get", ".*")))]
)
def test_nothing_waits_where_headers_are_not_looked_at_or_points_are_named(policy: Policy) -> None:
    assert waiting(policy)[0] == set()


def test_what_lets_somebody_in_does_not_wait() -> None:
    late, _ = waiting(THOROUGH, THEME)
    assert THEME not in late


def test_of_what_is_made_as_a_whole_nothing_waits() -> None:
    assert not any(map(none_waits, plan(BASELINE, THOROUGH)))
