"""Amounts below zero: whoever orders less than nothing is paid for it.

What it finds
    Orders with a number of things in JSON or a form that is taken below zero, and then raises the balance of whoever orders.

Why it matters
    Nobody sells to the shop: an order of -100 fills the account that the next order is paid from.

How it decides
    Only requests that order something at an address that says so, and say once how many. A balance must be told, by the
    answer or by a recorded page that seems to tell one. The order is made with the recorded number below zero, as
    recorded, and both once more. Each order as recorded must lower the balance, each below zero raise it, and all by the
    same amount, so that nothing of it is left in the account at the end.

Known misses
    Balances that are told as texts or in pages of HTML. Transfers below zero, which `mass_assignment_transfer` looks at.
    Orders whose price changes meanwhile.

Standards and references
    CWE-1284 (quantity that is not checked), CWE-840; OWASP Top 10:2021 A04 Insecure Design; OWASP API Security Top
    10:2023 API6 Unrestricted Access to Sensitive Business Flows.
"""

import re
from decimal import Decimal
from typing import NamedTuple

from gatecrash.core.errors import UserError
from gatecrash.core.message import Exchange, Request
from gatecrash.core.point import Point
from gatecrash.core.points.rewrite import rewrite
from gatecrash.core.testing.asking import ask, concluding, response_of
from gatecrash.core.testing.authorization.fields.prices import orders_something
from gatecrash.core.testing.dialogues.balances_after import balance_after, moved_against
from gatecrash.core.testing.entry import Entry
from gatecrash.core.testing.oracles.outcomes.refused import is_good
from gatecrash.core.testing.places.walked_points import walked
from gatecrash.core.testing.probe import Dialogue, Probe, Situation
from gatecrash.core.testing.verdict import Verdict, safe, vulnerable
from gatecrash.core.words.names import parted

TYPE = "mass_assignment"
CWE = (1284, 840)
THREAT = 75
_HOW_MANY = re.compile(r"(?:order_|item_)?(?:quantity|qty|units|pieces)", re.IGNORECASE)
_COUNTED = re.compile(rb"[1-9]\d{0,3}")
_BELOW, _AS_RECORDED = -1, 1
# Twice, and as often above zero as below.
_TURNS = (_BELOW, _AS_RECORDED, _BELOW, _AS_RECORDED)


class _Quantity(NamedTuple):
    """Where a request says how many are ordered, and how many."""

    point: Point
    value: int


def _dialogue(situation: Situation) -> Dialogue:
    quantity = _quantity(situation.baseline.request)
    assert quantity is not None
    told: list[Decimal] = []
    exchange: Exchange | None = None
    for turn in _TURNS:
        seen = yield from ask(_ordering(situation.baseline.request, quantity, turn), "test" if turn < 0 else "control")
        if not is_good(response_of(seen)):
            return safe(TYPE, quantity.point, "an order below zero is refused, or none can be made any more")
        balance = yield from balance_after(situation, seen)
        if balance is None:
            return safe(TYPE, quantity.point, "nothing tells what is left to order with")
        told.append(balance)
        exchange = exchange or seen
        if len(told) > 1 and not moved_against(told, turn):
            return safe(TYPE, quantity.point, "an order below zero does not raise the balance")
    assert exchange is not None
    return _vulnerable(situation, quantity, exchange, told)


def _ordering(request: Request, quantity: _Quantity, turn: int) -> Request:
    """Raises UserError where the place cannot hold it."""
    return rewrite(request, quantity.point, str(turn * quantity.value).encode())


def _quantity(request: Request) -> _Quantity | None:
    """How many are ordered; None where that is said nowhere or twice."""
    points = (each for each in walked(request) if each.point[0] == "post" and not each.container)
    found = [each for each in points if _HOW_MANY.fullmatch(parted(each.point[-1]))]
    if len(found) != 1 or _COUNTED.fullmatch(found[0].value) is None:
        return None
    quantity = _Quantity(found[0].point, int(found[0].value))
    try:
        _ordering(request, quantity, _BELOW)
    except UserError:
        return None
    return quantity


def _vulnerable(situation: Situation, quantity: _Quantity, exchange: Exchange, told: list[Decimal]) -> Verdict:
    balances = ", ".join(map(str, told))
    return vulnerable(
        ENTRY,
        quantity.point,
        detail=f"{quantity.point[-1]} = {-quantity.value} (before: {quantity.value})",
        threat=THREAT,
        test=exchange,
        control=situation.baseline.exchange,
        verified_by=(
            f"Ordered with {-quantity.value}, {quantity.value}, {-quantity.value} and {quantity.value}, the balance was {balances}: each "
            "order below zero raises it by what an order as recorded costs. The orders that were made so are still there."
        ),
    )


def applies(situation: Situation) -> bool:
    """Orders that say how many, and were taken."""
    request, response = situation.baseline.request, situation.baseline.response
    if response is None or not is_good(response) or not orders_something(request, situation.credentials):
        return False
    return _quantity(request) is not None


def forecast(_situation: Situation) -> int:
    """The order below zero."""
    return 1


ENTRY = Entry(
    type=TYPE,
    title="Orders below zero are paid out",
    cwe=CWE,
    owasp=("A04:2021",),
    owasp_api=("API6:2023",),
    why="Whoever orders less than nothing is given what that would have cost, and pays his next order with it.",
    remediation=(
        "Check on the server that each quantity is a whole number within the bounds of what is sold, before a sum is made of it. Let no "
        "order raise a balance."
    ),
)
PROBE = Probe(
    type=TYPE,
    name="amount",
    entry=ENTRY,
    whole=True,
    undisturbed=True,
    applies=applies,
    forecast=forecast,
    run=concluding(TYPE, _dialogue),
)
