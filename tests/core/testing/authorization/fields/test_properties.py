"""Properties that answers show and requests do not set."""

import json
from random import Random

import pytest

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.authorization.fields.properties import (
    Property,
    holds,
    is_sure,
    keeps,
    learned,
    made_unique,
    with_properties,
)
from gatecrash.core.testing.authorization.objects.answered_objects import address_of

JSON = (b"Content-Type", b"application/json")
FORM = (b"Content-Type", b"application/x-www-form-urlencoded")


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("role", "customer", "admin"),
        ("role", "CUSTOMER", "ADMIN"),
        ("role", "ROLE_USER", "ROLE_ADMIN"),
        ("is_admin", False, True),
        ("isAdmin", False, True),
        ("is_manager", False, True),
        ("plan", "free", "enterprise"),
        ("payment_status", "open", "approved"),
        ("roles", ["user"], ["user", "admin"]),
        ("admin", 0, 1),
        ("status", "delivered", "returned"),
        ("order_status", "Return_Pending", "returned"),
        ("state", "REFUND-REQUESTED", "REFUNDED"),
    ],
)
def test_another_value_is_of_the_same_type(name, old, new):
    assert learned({name: old}, {}, Random(1)) == [Property(name, old, new)]


@pytest.mark.parametrize(
    ("name", "old"),
    [
        ("balance", 40),
        ("owner_id", "7"),
        ("companyId", 3),
        ("workspace_id", "7"),
        ("credit_limit", 2.5),
        ("likesCount", 0),
    ],
)
def test_another_number_is_far_enough_to_be_no_chance(name, old):
    (found,) = learned({name: old}, {}, Random(1))
    assert type(found.new) is type(old)
    assert float(found.new) - float(old) > 10


@pytest.mark.parametrize(
    "shown",
    [
        {"status": "open"},
        {"city": "York"},
        {"type": "note"},
        {"id": 5},
        {"is_admin": True},
        {"role": "admin"},
        {"plan": None},
        {"rank": "aaab"},
        {"title": "Tea", "rights": "reserved"},
        {"phone": "0151 22", "rank": 3},
        {"phone": "0151 22", "rank": "3rd of 7"},
        {"likes": ["ann"]},
        {"views": "grid"},
        {"price": 120},
        {"status": "pending", "done_at": None},
        {"status": "new", "reviewer": "ben"},
        {"status": "return"},
        {"note": "return pending"},
    ],
)
def test_what_a_user_may_choose_and_what_is_had_already_is_left_alone(shown):
    assert learned(shown, {}, Random(1)) == []


@pytest.mark.parametrize("shown", [{"status": "pending", "approvedBy": None}, {"state": "awaiting_approval"}])
def test_what_waits_for_a_decision_is_approved_by_somebody_else(shown: dict):
    assert [each.new for each in learned(shown, {}, Random(1))] == ["approved"]


@pytest.mark.parametrize(("name", "old"), [("rank", "customer"), ("rights", "singer"), ("accessRights", "few")])
def test_a_rank_or_rights_of_somebody_say_what_he_may_do(name: str, old: str):
    assert learned({"phone": "0151 22", name: old}, {}, Random(1)) == [Property(name, old, "admin")]


@pytest.mark.parametrize(("sent", "priced"), [({"quantity": 2}, False), ({"driver": "Ann"}, True)])
def test_the_price_of_what_is_ordered_is_the_sellers_to_say(sent: dict, *, priced: bool):
    assert [each.name for each in learned({"price": 120}, sent, Random(1), priced=priced)] == ["price"]


def test_what_the_request_sets_itself_is_no_question():
    assert learned({"role": "customer"}, {"role": "customer"}, Random(1)) == []


def test_new_objects_have_names_and_addresses_of_their_own():
    body = {"name": "Ann", "email": "ann@example.com", "password": "sesame", "count": 5}
    assert made_unique(body, "xy") == {"name": "Annxy", "email": "annxy@example.com", "password": "sesame", "count": 5}


def test_they_have_them_in_other_languages_and_whoever_stands_beside_a_password_is_a_new_one():
    body = {"usuario": "ana", "correo": "ana@example.com", "clave": "sesame", "idioma": "es"}
    made = {"usuario": "anaxy", "correo": "anaxy@example.com", "clave": "sesame", "idioma": "es"}
    assert made_unique(body, "xy") == made
    assert made_unique({"user": "ann", "text": "hello"}, "xy") == {"user": "ann", "text": "hello"}, "one who is there"


def test_they_have_telephone_numbers_of_their_own_with_as_many_digits():
    body = {"phone": "+43 (660) 691-5656", "number": "12", "mobile": 6915656}
    made = made_unique(body, "bcdfgh")
    assert made["phone"] == "+43 (660) 643-2098"
    assert (made["number"], made["mobile"]) == ("12", 6915656)


def test_so_have_objects_within_another():
    body = {"user": {"username": "ann", "email": "ann@example.com", "password": "sesame"}, "source": "web"}
    within = {"username": "annxy", "email": "annxy@example.com", "password": "sesame"}
    assert made_unique(body, "xy") == {"user": within, "source": "web"}


def test_what_holds_is_compared_as_forms_send_it():
    taken = [Property("balance", 40, 63), Property("is_admin", False, True), Property("roles", ["a"], ["a", "admin"])]
    assert holds({"balance": "63", "is_admin": "True", "roles": ["a", "admin"]}, taken) == taken
    assert holds({"balance": 40, "is_admin": False, "roles": ["a"]}, taken) == []
    assert holds({"balance": 63.0}, taken) == taken[:1]
    assert holds(None, taken) == []


def test_a_property_of_an_object_within_keeps_what_stands_beside_it():
    shown = {"name": "ann", "account": {"tier": "basic", "limit": 5}, "profile": {"bio": "x", "is_admin": False}}
    body = {"name": "ann", "profile": {"bio": "x"}}
    found = learned(shown, body, Random(1))
    assert [each.full_name for each in found] == ["account.tier", "profile.is_admin"]
    sent = with_properties(body, found, "made_up")
    assert sent["account"] == {"tier": "enterprise", "limit": 5, "made_up": "made_up"}
    assert sent["profile"] == {"bio": "x", "is_admin": True, "made_up": "made_up"}


def test_a_price_is_learned_within_a_list_where_the_request_says_how_many():
    shown = {"lines": [{"sku": "A", "qty": 2, "unit_price": 19.5}], "total": 39.0}
    body = {"lines": [{"sku": "A", "qty": 2}]}
    (price,) = learned(shown, body, Random(1))
    assert (price.full_name, price.old) == ("lines.0.unit_price", 19.5)
    changed = with_properties(body, [price], "madeup")
    assert changed == {"lines": [{"sku": "A", "qty": 2, "unit_price": price.new, "madeup": "madeup"}]}
    assert body == {"lines": [{"sku": "A", "qty": 2}]}
    assert holds(changed, [price]) == [price]
    assert keeps(changed, price, "madeup")
    assert learned({"name": "lamp", "price": "19.50"}, {"name": "lamp"}, Random(1)) == []
    assert learned({"qty": 1, "price": "19.50"}, {"qty": 1}, Random(1))[0].new.endswith(".50")


@pytest.mark.parametrize(
    ("told", "target"),
    [({"id": 7}, b"/notes/7"), ({"uuid": "a-b"}, b"/notes/a-b"), ({"id": True}, None), ({"text": "hello"}, None)],
)
def test_a_new_object_is_read_below_the_address_that_made_it(told, target):
    made = Response(201, ((b"Content-Type", b"application/json"),), json.dumps(told).encode())
    assert address_of(Request("POST", b"/notes/"), made, None) == target
    assert address_of(Request("PUT", b"/notes/"), made, None) is None


@pytest.mark.parametrize(
    ("name", "old", "sure"),
    [
        ("role", "patient", True),
        ("role", "volunteer", True),
        ("role", "owner", False),
        ("plan", "free", True),
        ("subscription_plan", "basic", True),
        ("plan", "ground floor", False),
        ("is_admin", False, True),
    ],
)
def test_a_role_or_a_plan_is_a_right_where_its_value_is_the_lowest(name, old, sure):
    assert is_sure(Property(name, old, "x")) == sure


def test_so_is_a_role_or_a_rank_by_a_word_of_the_applications_own_that_manages_nobody():
    low = frozenset({"singer"})
    for name, old in (("role", "singer"), ("rank", "Singer"), ("role", "ROLE_SINGER")):
        assert is_sure(Property(name, old, "x"), low)
        assert not is_sure(Property(name, old, "x"))
    assert not is_sure(Property("instrument", "singer", "x"), low)
    assert not is_sure(Property("role", "board", "x"), low)


def test_a_property_is_sent_as_the_request_writes_its_own():
    shown = {"full_name": "Ann", "is_admin": False, "home_address": {"post_code": "1", "credit_limit": 5}}
    body = {"fullName": "Ann", "homeAddress": {"postCode": "1"}}
    found = learned(shown, body, Random(1))
    assert [each.full_name for each in found] == ["is_admin", "home_address.credit_limit"]
    sent = with_properties(body, found)
    limit = found[1].new
    assert sent == {"fullName": "Ann", "isAdmin": True, "homeAddress": {"postCode": "1", "creditLimit": limit}}
    assert holds({**shown, "is_admin": True}, found) == found[:1]


def test_what_the_request_sets_in_another_manner_is_no_question():
    assert learned({"is_admin": False}, {"isAdmin": False}, Random(1)) == []


def test_how_the_application_calls_a_program_is_sent_as_the_same_once_more():
    shown = {
        "encoder_args": "-c:v libx264 -crf 23",
        "conversionParams": "-q 4",
        "args": "-v",
        "encoder_note": "by - hand",
    }
    found = learned(shown, {}, Random(1))
    assert [(each.name, each.new) for each in found] == [
        ("encoder_args", "-c:v libx264 -crf 23 -c:v libx264 -crf 23"),
        ("conversionParams", "-q 4 -q 4"),
    ]
