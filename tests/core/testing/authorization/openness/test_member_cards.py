"""What members say of themselves for others to read."""

from random import Random

import pytest

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.point import Point
from gatecrash.core.testing.authorization.openness.exposure import Stake, stake_of
from gatecrash.core.testing.authorization.openness.member_cards import shows_member_cards
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probe import Situation

JSON = ((b"Content-Type", b"application/json"),)


def shown(body: bytes, headers: tuple[tuple[bytes, bytes], ...] = JSON) -> bool:
    return shows_member_cards(Response(200, headers, body))


@pytest.mark.parametrize(
    "body",
    [
        b'{"id": 7, "name": "eva", "city": "Graz", "about": "plays the oboe", "listings": 2}',
        b'{"data": {"users": [{"id": "VTox", "displayName": "Eva", "about": "walks far"}]}}',
        b'{"total": 1, "items": [{"username": "eva", "bio": "", "avatarUrl": "/a/1.png", "followerCount": 12}]}',
    ],
)
def test_a_name_and_a_text_about_oneself_are_for_others(body: bytes) -> None:
    assert shown(body)


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(b'[{"id": 7, "username": "eva"}]', id="accounts: nobody wrote anything for others"),
        pytest.param(b'{"id": 7, "name": "eva", "bio": "oboe", "email": "eva@home.example"}', id="an address"),
        pytest.param(b'{"id": 7, "name": "eva", "bio": "oboe", "role": "admin"}', id="a role"),
        pytest.param(b'{"id": 7, "name": "eva", "bio": "oboe", "orders": [{"id": 3}]}', id="what is hers"),
        pytest.param(b'{"id": 7, "name": "eva", "bio": "oboe", "rating": "unfit for duty"}', id="a word on her"),
        pytest.param(b'[{"id": 7, "name": "eva", "bio": "oboe", "page": "x"}]', id="a page of hers"),
    ],
)
def test_all_else_is_somebodys_business(body: bytes) -> None:
    assert not shown(body)


def test_pages_are_judged_elsewhere() -> None:
    assert not shown(b'{"name": "eva", "about": "oboe"}', ((b"Content-Type", b"text/html"),))


CARD = b'{"id": 7, "name": "eva", "about": "plays the oboe", "listings": 2}'


def stake(target: bytes, told: bytes = CARD, *, everywhere: bool = True) -> Stake:
    """What is at stake where a token comes along, with everything or there alone."""
    answer = Response(200, JSON, told)
    situation = Situation(
        baseline=Baseline("bl_1", Exchange(Request("GET", target), answer)), point=Point(), value=b"", policy=DEFAULT,
        credentials=(Point.of("header", "AUTHORIZATION"),), random=Random(1), everywhere=everywhere,
    )  # fmt: skip
    return stake_of(situation, answer)


def test_what_a_member_says_of_himself_may_be_for_visitors_too() -> None:
    assert stake(b"/api/users/7") is Stake.PERHAPS
    assert stake(b"/api/users", b'{"users": [%s]}' % CARD) is Stake.PERHAPS


@pytest.mark.parametrize(
    "target", [b"/admin/users/7", b"/api/user", b"/users/me", b"/accounts/7", b"/users/7/messages"]
)
def test_not_at_an_address_that_is_somebodys_own(target: bytes) -> None:
    assert stake(target) is Stake.SURE


def test_nor_beside_a_word_that_is_none_for_others_or_where_a_program_was_told_to_send_a_key() -> None:
    assert stake(b"/api/users/7", CARD.replace(b"listings", b"balance")) is Stake.SURE
    assert stake(b"/api/users/7", everywhere=False) is Stake.SURE
