"""What a request may be tried with, by its address and by who sends it."""

import json
from random import Random

import pytest

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.point import Point
from gatecrash.core.testing.authorization.fields.assignable_here import assignable
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.known.identity import ANYBODY, Identity
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probe import Situation


def names(method: str, path: bytes, shown: dict[str, object], *identities: Identity) -> list[str]:
    request = Request(method, path, ((b"Content-Type", b"application/json"),), b'{"day": "2026-12-01"}', host="a")
    situation = Situation(
        baseline=Baseline("bl_1", Exchange(request, Response(200))), point=Point(), value=b"", credentials=(),
        policy=DEFAULT, random=Random(1), identities=identities,
    )  # fmt: skip
    return [each.full_name for each in assignable(situation, shown, {"day": "2026-12-01"})]


@pytest.mark.parametrize(
    ("identities", "found"),
    [
        ((), ["price"]),
        ((Identity("ann", 1), Identity("ada", 9)), ["price"]),
        ((Identity("ann", 0, ("is=customer",)), Identity("eve", ANYBODY)), ["price"]),
        ((Identity("cat", 5), Identity("ann", 1)), []),
        ((Identity("cat", 0, ("is=staff",)), Identity("ann", 0)), []),
    ],
    ids=["a caller", "a customer", "above an account of the scan's own", "who stands above another", "staff by name"],
)
def test_the_price_of_a_booking_is_the_sellers_to_say(identities: tuple[Identity, ...], found: list[str]) -> None:
    assert names("POST", b"/bookings", {"day": "2026-12-01", "price": 60.0}, *identities) == found


ORDER = {"id": 90110, "user_id": 50011, "quantity": 2, "total": 25.0}


@pytest.mark.parametrize(
    ("method", "path", "shown", "found"),
    [
        ("PUT", b"/orders/90110", ORDER, ["user_id", "total"]),
        ("PATCH", b"/shop/bookings/90110", ORDER, ["user_id", "total"]),
        ("PUT", b"/estimates/90110", ORDER, ["user_id"]),
        ("PUT", b"/purchase-orders/90110", ORDER, ["user_id"]),
        ("PUT", b"/orders/90110", {**ORDER, "user_id": 50012}, ["user_id"]),
        ("PUT", b"/orders/90110", {"user_id": 50011, "total": 25.0}, ["user_id"]),
    ],
    ids=["his order", "his booking", "no order", "an order to suppliers", "somebody else's", "nothing is counted"],
)
def test_the_sum_of_ones_own_order_is_the_sellers_to_say_when_it_is_changed(
    method: str, path: bytes, shown: dict[str, object], found: list[str]
) -> None:
    ann = Identity("ann", 1, ("50011",))
    assert names(method, path, shown, ann, Identity("ben", 1, ("50012",))) == found
    assert "total" not in names(method, path, shown, Identity("cat", 5, ("50011",)), Identity("ben", 1))


@pytest.mark.parametrize(
    ("path", "shown", "found"),
    [
        (b"/api/crew/7", {"role": "singer"}, ["role"]),
        (b"/api/contacts/7", {"role": "singer"}, []),
        (b"/api/contacts/7", {"role": "member", "is_admin": False}, ["role", "is_admin"]),
        (b"/plays/3/characters/7", {"role": "villain"}, []),
        (b"/api/servers/7", {"role": "web"}, []),
        (b"/api/rooms/7", {"contact": {"role": "porter"}}, []),
        (b"/api/contacts/7/account", {"role": "singer"}, ["role"]),
    ],
)
def test_a_part_that_somebody_plays_is_no_right(path: bytes, shown: dict[str, object], found: list[str]) -> None:
    assert names("PUT", path, shown) == found


def test_a_part_that_two_users_have_is_one_all_the_same() -> None:
    two = (Identity("ann", 0, ("is=author",)), Identity("ben", 0, ("is=author",)))
    assert names("PUT", b"/authors/7", {"role": "author"}, *two) == ["role"]


@pytest.mark.parametrize(
    ("path", "known", "found"),
    [
        (b"/members/7", (), ["companyId"]),
        (b"/members/7", ("tenant=3",), ["companyId"]),
        (b"/members/7", ("tenant=acme",), ["companyId"]),
        (b"/members/7", ("tenant=4",), []),
        (b"/contacts/7", (), []),
        (b"/contacts/7", ("tenant=3",), ["companyId"]),
    ],
)
def test_a_company_is_a_tenant_where_its_sender_belongs_to_it(path: bytes, known: tuple[str, ...], found: list[str]):
    assert names("PUT", path, {"companyId": 3}, Identity("ann", 0, known)) == found


@pytest.mark.parametrize(
    ("own", "shown", "found"),
    [
        (Identity("ada", 9, ("ada", "1")), {"id": 7, "email": "ben@x.example", "role": "user", "balance": 3}, ["balance"]),
        (Identity("ada", 1, ("ada", "is=admin")), {"id": 7, "is_admin": False}, []),
        (Identity("ada", 9, ("ada", "1")), {"id": 1, "role": "user"}, ["role"]),
        (Identity("ada", 9, ("ada",)), {"id": 7, "login": "Ada", "role": "user"}, ["role"]),
        (Identity("ada", 9), {"id": 7, "role": "user"}, ["role"]),
        (Identity("ben", 1, ("ben", "8")), {"id": 7, "role": "user"}, ["role"]),
    ],
    ids=["another's", "another's, by name", "his own number", "his own name", "whoever he is", "who manages nobody"],
)  # fmt: skip
def test_whoever_manages_others_gives_them_their_roles(own: Identity, shown: dict[str, object], found: list[str]):
    assert names("POST", b"/users", shown, own, Identity("ann", 1)) == found


@pytest.mark.parametrize(
    ("path", "shown", "found"),
    [
        (b"/contacts/7", {"is_vip": False, "verified": False}, []),
        (b"/members/7", {"is_vip": False, "verified": False}, ["is_vip", "verified"]),
        (b"/pets/7", {"owner": "uncle"}, []),
        (b"/pets/7", {"owner": "ann"}, ["owner"]),
        (b"/pets/7", {"owner": "81b2e6d0957c"}, ["owner"]),
    ],
)
def test_what_one_thinks_of_people_and_whom_a_thing_is_said_to_be_of_are_no_rights(
    path: bytes, shown: dict[str, object], found: list[str]
) -> None:
    assert names("PUT", path, shown, Identity("ann", 0, ("ann", "7"))) == found


@pytest.mark.parametrize(
    ("path", "sent", "found"),
    [
        ("/wares/7", {"name": "cup", "price": 6}, []),
        ("/wares/7", {"name": "cup"}, ["discount"]),
        ("/orders", {"item_id": 3, "quantity": 2, "amount": 12}, ["discount"]),
    ],
    ids=["who names the price", "who names none", "who orders"],
)
def test_who_charges_for_something_says_what_is_taken_off(path: str, sent: dict[str, object], found: list[str]) -> None:
    headers = ((b"Content-Type", b"application/json"),)
    request = Request("POST", path.encode(), headers, json.dumps(sent).encode(), host="a")
    situation = Situation(
        baseline=Baseline("bl_1", Exchange(request, Response(200))), point=Point(), value=b"", credentials=(),
        policy=DEFAULT, random=Random(1),
    )  # fmt: skip
    shown = {"id": 7, **sent, "discount": 0}
    assert [each.name for each in assignable(situation, shown, sent)] == found
