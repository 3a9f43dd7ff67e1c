"""Balances in lists, and amounts in requests."""

import json
from decimal import Decimal

import pytest

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.authorization.fields.balances import (
    amount_of,
    balance_of,
    bounds_above,
    is_amount,
    moves_money,
)

JSON = (b"Content-Type", b"application/json")


@pytest.mark.parametrize(
    ("shown", "balance"),
    [
        ([{"id": 7, "balance": 12.5}, {"id": 8, "balance": 99}], "12.5"),
        ({"data": {"wallets": [{"number": "7", "availableBalance": "12.50"}]}}, "12.50"),
        ({"id": 7, "credits": 3}, "3"),
        ({"id": 7, "points": 90}, "90"),
        ({"id": 7, "name": "Ann"}, None),
        ({"id": 70, "balance": 12.5}, None),
        ({"id": 7, "balance": "plenty"}, None),
        ({"id": 7, "balance": True}, None),
        ({"id": 7, "owner": {"id": 9, "balance": 4}}, None),
    ],
)
def test_a_balance_stands_beside_the_identifier(shown: object, balance: str | None):
    found = balance_of(Response(200, (JSON,), json.dumps(shown).encode()), "7")
    assert found == (None if balance is None else Decimal(balance))


def test_what_is_no_json_shows_none():
    assert balance_of(Response(200, (), b"<td>7</td><td>12.5</td>"), "7") is None


@pytest.mark.parametrize(
    ("body", "amount"),
    [
        ({"from": 7, "amount": 5}, 5),
        ({"from": 7, "transferAmount": "2.5"}, Decimal("2.5")),
        ({"from_id": 7, "points": 5}, 5),
        ({"from": 7, "amount": 0}, None),
        ({"from": 7, "amount": -3}, None),
        ({"from": 7, "amount": "NaN"}, None),
        ({"from": 7, "count": 5}, None),
    ],
)
def test_an_amount_is_told_by_its_name_and_moves_something(body: object, amount: object):
    assert amount_of(Request("POST", b"/transfers", (JSON,), json.dumps(body).encode())) == amount


def test_an_amount_is_told_by_its_name_alone():
    assert [name for name in ("amount", "transferAmount", "amount-cents", "page", "amounts") if is_amount(name)] == [
        "amount",
        "transferAmount",
        "amount-cents",
    ]


def test_more_of_what_says_how_much_how_many_or_how_far_does_more():
    assert all(map(bounds_above, ("amount", "last", "maxItems", "item_count", "sum", "qty", "upTo")))
    assert not any(map(bounds_above, ("id", "first", "min", "user_id", "account", "name", "olderThan")))


@pytest.mark.parametrize(
    "target",
    [
        b"/transfers",
        b"/credits/give",
        b"/wallet/gift",
        b"/wallet/move",
        b"/funds/movement",
        b"/pledges",
        b"/api/bets",
        b"/api/ueberweisungen",
        b"/virements",
        b"/cuenta/transferencias",
    ],
)
def test_an_address_says_that_money_is_moved(target):
    assert moves_money(Request("POST", target))


@pytest.mark.parametrize("target", [b"/forgive", b"/better", b"/removed", b"/giveaway", b"/notes"])
def test_other_words_move_nothing(target):
    assert not moves_money(Request("POST", target))
