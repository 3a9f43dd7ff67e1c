"""Whether what is answered without cookies should have asked for them."""

from random import Random

import pytest

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.point import Point
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.identity import Identity
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probe import Situation
from gatecrash.core.testing.stakes import is_at_stake

COOKIE, KEY = Point.of("header", "COOKIE", "cookie", "sid"), Point.of("header", "X-API-KEY")
JSON = (b"Content-Type", b"application/json")
PLAIN = b'{"open": "9 to 17"}'


def at_stake(
    target: bytes,
    body: bytes = PLAIN,
    credentials: tuple[Point, ...] = (COOKIE,),
    method: str = "GET",
    *,
    visited: bool = False,
) -> bool:
    headers = (JSON,) if method == "POST" else ()
    exchange = Exchange(Request(method, target, headers), Response(200, (JSON,), body))
    situation = Situation(
        baseline=Baseline("bl_1", exchange),
        point=Point(),
        value=b"",
        credentials=credentials,
        policy=DEFAULT,
        random=Random(1),
        visited=visited,
        identities=(Identity("recorded 1", known=("ann",)), Identity("recorded 2", known=("ben",))),
    )
    return is_at_stake(situation, exchange.response)


@pytest.mark.parametrize(
    "target", [b"/admin/visits", b"/api/orders/31", b"/users.json", b"/app/me", b"/internal-report"]
)
def test_addresses_say_whose_business_it_is(target):
    assert at_stake(target)


@pytest.mark.parametrize("target", [b"/hours", b"/search?q=admin", b"/files/rules.txt", b"/reorder", b"/media/photo"])
def test_what_everybody_may_see_says_nothing_of_the_kind(target):
    assert not at_stake(target)


def test_private_fields_and_the_callers_own_name_say_so():
    assert at_stake(b"/parcel", b'{"phone": "+44 20"}')
    assert at_stake(b"/greeting", b'{"hello": "Ann"}')
    assert not at_stake(b"/greeting", b'{"hello": "you"}')


def test_credentials_that_are_no_cookies_were_meant_for_it():
    assert at_stake(b"/hours", PLAIN, (COOKIE, KEY))


def test_changes_in_json_are_no_plain_forms():
    assert at_stake(b"/notes", method="POST")


def test_what_visitors_are_answered_needs_another_sign_than_a_token():
    """Clients that sign in send their token with everything from then on."""
    assert not at_stake(b"/hours", PLAIN, (KEY,), visited=True)
    assert at_stake(b"/hours", b'{"balance": 12}', (KEY,), visited=True)
    assert at_stake(b"/admin/hours", PLAIN, (KEY,), visited=True)
