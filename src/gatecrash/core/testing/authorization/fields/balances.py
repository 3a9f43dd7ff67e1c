"""What an account, a card or a wallet holds, as a list of such things shows it, and how much a request takes.

is_amount(name)                 whether a field says how much
bounds_above(name)              whether a field says how much, how many or how far: more of it takes more
balance_of(response, which)     the balance beside an identifier
only_balance(response)          the one that an answer tells
only_discount(response)         what it takes off a price
moves_money(request)            whether its address says that money is moved
amount_named(request)           where a transfer says how much it moves
amount_of(request)              how much
"""

import re
from collections.abc import Iterator
from decimal import Decimal, InvalidOperation
from typing import Any, Final

import orjson

from gatecrash.core.message import Request, Response
from gatecrash.core.points.found import Found
from gatecrash.core.testing.effects.spoken import spoken_address
from gatecrash.core.testing.oracles.body import content_of
from gatecrash.core.testing.places.walked_points import walked
from gatecrash.core.words.english import in_english
from gatecrash.core.words.named import Words
from gatecrash.core.words.names import parted

_BALANCE: Final = re.compile(
    r"(?:(?:current|available|account|wallet)_)?(?:balance|funds|credits?|points|coins|saldo|guthaben|solde)(?:_(?:cents|amount))?"
)
_DISCOUNT: Final = re.compile(
    r"(?:(?:total|cart|order|coupon)_)?(?:discount|savings|saved|rabatt|descuento|remise)(?:_(?:total|cents|amount))?"
)
_AMOUNT: Final = re.compile(
    r"(?:transfer_)?(?:amount|sum|points|coins|credits|betrag|monto|montant|importe)(?:_(?:cents|value))?"
)
# An expense or an entry of a book below zero is a correction: nobody gets anything by it.
_MOVES: Final = Words(
    r"(?<![a-z])(?:transfer|withdraw|send|pay|payout|remit|wire|donat|tip|giv|gift|mov|pledg|contribut|lend|invest|stak|bet)(?:s|al|als|e|es|ed|ment|ments|ement|outs?|tance|ion|ions)?(?![a-z])"
    r"|send[-_]?money|pay[-_]?out|cash[-_]?out",
    re.IGNORECASE,
)
_BOUND: Final = re.compile(
    r"(?:\w+_)?(?:amount|sum|total|quantity|qty|count|limit|max(?:imum)?|until|till|end|last|up_?to|bis)(?:_(?:cents|value|id))?"
    r"|(?:max|limit)_\w+"
)
_MOST: Final = 2_000


def is_amount(name: str) -> bool:
    """Whether a field says by its name how much is moved."""
    return _AMOUNT.fullmatch(_written(name)) is not None


def bounds_above(name: str) -> bool:
    """Whether a field says by its name how much, how many or how far: whoever takes a larger number for it does more."""
    return is_amount(name) or _BOUND.fullmatch(_written(name)) is not None


def balance_of(response: Response, which: str) -> Decimal | None:
    """The balance in the object that holds this identifier; None where no object does, or none has a balance."""
    for own in _objects(response):
        if which in (str(value) for value in own.values() if isinstance(value, str | int)):
            held = next((value for name, value in own.items() if _BALANCE.fullmatch(name)), None)
            if held is not None:
                return _number(held)
    return None


def only_balance(response: Response) -> Decimal | None:
    """The balance that an answer tells; None where it tells none, or several."""
    return _only(response, _BALANCE)


def only_discount(response: Response) -> Decimal | None:
    """What an answer takes off a price; None where it takes nothing off, or tells several."""
    return _only(response, _DISCOUNT)


def _only(response: Response, called: re.Pattern[str]) -> Decimal | None:
    told = [value for own in _objects(response) for name, value in own.items() if called.fullmatch(name)]
    return _number(told[0]) if len(told) == 1 else None


def _objects(response: Response) -> Iterator[dict[str, Any]]:
    """The objects in an answer, their members as they are written here."""
    try:
        todo: list[Any] = [orjson.loads(content_of(response) or b"")]
    except orjson.JSONDecodeError:
        return
    for _ in range(_MOST):
        if not todo:
            return
        here = todo.pop()
        if isinstance(here, dict):
            yield {_written(name): value for name, value in here.items()}
        below = here.values() if isinstance(here, dict) else here if isinstance(here, list) else ()
        todo += [each for each in below if isinstance(each, dict | list)]


def moves_money(request: Request) -> bool:
    """Whether an address says that money is moved: sent, given, paid or taken out."""
    return _MOVES.search(spoken_address(request)) is not None


def amount_named(request: Request) -> Found | None:
    """Where the body of a request says how much it moves, above nothing; None where it says no amount."""
    for each in walked(request) if request.body else ():
        if each.point[0] == "post" and not each.container and is_amount(each.point[-1]):
            amount = _number(each.value.decode("utf-8", "replace"))
            return each if amount is not None and amount > 0 else None
    return None


def amount_of(request: Request) -> Decimal | None:
    """What the body of a request says to move, above nothing; None where it says no amount."""
    named = amount_named(request)
    return None if named is None else _number(named.value.decode("utf-8", "replace"))


def _written(name: str) -> str:
    return in_english(parted(name)).lower().replace("-", "_")


def _number(value: object) -> Decimal | None:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = Decimal(str(value))
    except InvalidOperation:
        return None
    return number if number.is_finite() else None
