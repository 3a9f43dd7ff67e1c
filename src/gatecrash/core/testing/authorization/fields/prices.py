"""Prices that a request names for what it orders: where they stand, how many are ordered, and requests that name another price.

offer = offer_of(request)
offer.asking(request, Decimal("3.71"))      the same order at another price
offer.two_others(random, shown)             two others whose sums nothing that is shown could be mistaken for
offer.total(Decimal("3.71"))                what it should come to where that is believed
"""

import re
from collections.abc import Collection, Iterable, Mapping
from decimal import Decimal, InvalidOperation
from random import Random
from typing import NamedTuple

from gatecrash.core.message import Request, Response
from gatecrash.core.point import Point
from gatecrash.core.points.rewrite import rewrite
from gatecrash.core.testing.authorization.callers.oneself import is_privileged
from gatecrash.core.testing.effects.spoken import spoken_address
from gatecrash.core.testing.operations.graphql import (
    VARIABLES,
    argument_of,
    only_queries,
    says_what_is_called,
    words_of,
)
from gatecrash.core.testing.operations.one_script import spoken_path
from gatecrash.core.testing.operations.questions import is_question
from gatecrash.core.testing.oracles.body import text_of
from gatecrash.core.testing.places.walked_points import walked
from gatecrash.core.words.english import in_english
from gatecrash.core.words.names import parted

# Where something is ordered. Who offers something, or sends a bill, names his price by right.
_ORDERS = re.compile(
    r"order|basket|cart|checkout|purchase|buy|booking|reserv|enroll?ments?|/(?:book|rent|hire|enroll?)(?=/|$)",
    re.IGNORECASE,
)
_ONE = re.compile(
    r"(?:unit|item|product|list|net|gross|(?P<what>ticket|seat|room|book|course|article))?_?price(?:_?(?:each|cents|value))?",
    re.IGNORECASE,
)
# The button that sends a form, and what it says: one address does several things.
_BUTTON = re.compile(r"action|submit|do|op|button|btn|cmd|command", re.IGNORECASE)
_SAYS_ORDER = re.compile(
    r"(?:(?:place|confirm|send)[ _-]?)?(?:my[ _-]?)?(?:order|buy|purchase|checkout)(?:[ _-]?now)?", re.IGNORECASE
)
_ALL = re.compile(r"(?:(?:sub|grand|line|order|cart)_?)?total(?:_?(?:price|cents|amount))?|price_?total", re.IGNORECASE)
_HOW_MANY = re.compile(r"quantity|qty|units|count", re.IGNORECASE)
_WHAT = re.compile(
    r"(?:product|item|article|sku|goods|room|seat|ticket|course|book)(?:_?(?:id|no|code))?", re.IGNORECASE
)
# Any other number or name of something, where a sum or how many stands beside it: `extractorId`, `listing_id`. Not of who orders, or
# how it is paid and sent.
_ANY = re.compile(
    r"(?!(?:.*_)?(?:user|customer|client|member|account|owner|buyer|order|cart|basket|invoice|payment|card|address|shipping|delivery|session"
    r"|request|coupon|voucher|promo|currency|country|zip|post|transaction|reference|tax)_)[a-z][a-z_]{2,40}_(?:id|no|number|code)",
    re.IGNORECASE,
)
# A bare number names the goods where so many of them are put into a basket; elsewhere it may be the order's, which is edited.
_BARE, _INTO_BASKET = re.compile(r"p?id|pk", re.IGNORECASE), re.compile(r"basket|cart|buy|checkout", re.IGNORECASE)
# In a line of the order it names the goods as well: `items: [{id, qty, price}]`.
_LINES = re.compile(
    r"(?:order_?|cart_?|basket_?)?(?:items|lines|products|goods|articles|positions)|cart|basket", re.IGNORECASE
)
# Where a price is the buyer's to name: exchanges and auctions; what a company orders from its suppliers.
_NAMED_BY_RIGHT = re.compile(
    r"side|symbol|ticker|instrument|bid|time_?in_?force|supplier(?:_?id)?|vendor(?:_?id)?|currency_?pair", re.IGNORECASE
)
_TO_SUPPLIERS = re.compile(
    r"purchase[-_]?orders?|supplier|procure|auction|trad(?:e|ing)|market[-_]?orders?", re.IGNORECASE
)
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_MOST_NUMBERS = 2000
_CENT = Decimal("0.01")
_IN_CENTS_FROM = 100
_MOST_DRAWN = 40


class Offer(NamedTuple):
    """one: the points of the price of one; all: of the sum. price: as it was recorded, for one. how_many: what is ordered.

    rest: what the other lines of the order come to, whose prices stay as they are.
    """

    one: tuple[Point, ...]
    all: tuple[Point, ...]
    price: Decimal
    how_many: int
    rest: Decimal = Decimal(0)

    def total(self, price: Decimal) -> Decimal:
        """What the order comes to at a price."""
        return price * self.how_many + self.rest

    def scales(self) -> tuple[Decimal, ...]:
        """What a sum may be shown as: as it is, and in whole money where the price may be one in cents (`1200`, `12.00`)."""
        in_cents = self.price == self.price.to_integral_value() and self.price >= _IN_CENTS_FROM
        return (Decimal(1), _CENT) if in_cents else (Decimal(1),)

    def other(self, random: Random) -> Decimal:
        """A lower price of the same look, one that is no round number where it has cents."""
        if self.price == self.price.to_integral_value() and self.price > 10:
            return Decimal(random.randint(1, int(self.price) - 1))
        cents = max(2, int(self.price * 100))
        return Decimal(random.randint(1, cents - 1)) * _CENT

    def two_others(self, random: Random, shown: Collection[Decimal]) -> tuple[Decimal, Decimal] | None:
        """Two lower prices whose sums are nothing that is shown anyway (how many are ordered, a number of the page); None
        where none were found. shown: the numbers of the recorded answer.
        """
        taken = {*shown, Decimal(self.how_many)}
        drawn = dict.fromkeys(self.other(random) for _ in range(_MOST_DRAWN))
        told = (each for each in drawn if taken.isdisjoint(self.total(each) * scale for scale in self.scales()))
        first, second = next(told, None), next(told, None)
        return (first, second) if first is not None and second is not None else None

    def asking(self, request: Request, price: Decimal) -> Request:
        """The order at another price. Raises UserError where a place cannot hold it."""
        for point in self.one:
            request = rewrite(request, point, _written(price))
        for point in self.all:
            request = rewrite(request, point, _written(self.total(price)))
        return request


def orders_something(request: Request, credentials: Iterable[Point] = ()) -> bool:
    """Whether the price of what a request makes is the seller's to say: it orders or books, names no price by right,
    and its sender's token does not say that he manages others.
    """
    return request.method.upper() == "POST" and _is_about_an_order(request, credentials)


def changes_an_order(request: Request, credentials: Iterable[Point] = ()) -> bool:
    """The same of what was ordered before."""
    return request.method.upper() in ("PUT", "PATCH") and _is_about_an_order(request, credentials)


def says_how_many(shown: Mapping[str, object]) -> bool:
    """Whether an object tells how many were ordered."""
    return any(map(_HOW_MANY.fullmatch, map(parted, shown)))


def _is_about_an_order(request: Request, credentials: Iterable[Point]) -> bool:
    path = _spoken(request)
    if not _ORDERS.search(path) or _TO_SUPPLIERS.search(path):
        return False
    names = (_name(request, each.point) for each in walked(request) if each.point[0] == "post")
    return not any(map(_NAMED_BY_RIGHT.fullmatch, names)) and not is_privileged(request, credentials)


def offer_of(request: Request) -> Offer | None:
    """The price that an order names, of several lines the first one's; None where it names none, or several for one thing."""
    path = _spoken(request)
    if not (_ORDERS.search(path) or _says_order(request)) or _TO_SUPPLIERS.search(path):
        return None
    fields = [
        each for each in walked(request) if each.point[0] == "post" and not each.container and len(each.point) > 1
    ]
    named = [
        (_name(request, each.point), each.point, _decimal(each.value))
        for each in fields
        if not says_what_is_called(request, each.point)
    ]
    one = [(point, value) for name, point, value in named if value and _ONE.fullmatch(name)]
    whole = [(point, value) for name, point, value in named if value and _ALL.fullmatch(name)]
    names = [name for name, _, _ in named]
    lines = {point[:-1] for point, _ in one}
    if any(map(_NAMED_BY_RIGHT.fullmatch, names)) or len(one) > len(lines) or len(whole) > 1:
        return None
    counted = [
        (point[:-1], int(value))
        for name, point, value in named
        if value and _HOW_MANY.fullmatch(name) and value == int(value)
    ]
    bare = [point for name, point, _ in named if _BARE.fullmatch(name)]
    is_bare = any(map(_is_of_line, bare)) or bool(bare and counted and _INTO_BASKET.search(path))
    is_named = any(map(_WHAT.fullmatch, names)) or bool((whole or counted) and any(map(_ANY.fullmatch, names)))
    is_named = is_named or any((found := _ONE.fullmatch(name)) and found["what"] for name in names)
    if not is_bare and not is_named:
        return None
    if len(lines) > 1:
        return _of_lines(one, whole, counted)
    if len(counted) > 1 and whole and not one:
        # Lines without prices: the sum is all that is named.
        return Offer((), (whole[0][0],), whole[0][1], 1) if whole[0][1] >= 2 * _CENT else None
    how_many = counted[0][1] if len(counted) == 1 and counted[0][1] > 0 else 1
    price = one[0][1] if one else whole[0][1] / how_many if whole else None
    if len(counted) > 1 or price is None or price < 2 * _CENT:
        return None
    return Offer(tuple(point for point, _ in one), tuple(point for point, _ in whole), price, how_many)


_Priced = list[tuple[Point, Decimal]]


def _of_lines(one: _Priced, whole: _Priced, counted: list[tuple[tuple[str, ...], int]]) -> Offer | None:
    """The price of the first of several lines; None where something says how many of what no line is."""
    amounts = dict(counted)
    (first, price), *others = one
    if len(amounts) < len(counted) or amounts.keys() - {point[:-1] for point, _ in one} or price < 2 * _CENT:
        return None
    rest = sum((value * amounts.get(point[:-1], 1) for point, value in others), Decimal(0))
    return Offer((first,), tuple(point for point, _ in whole), price, amounts.get(first[:-1], 1) or 1, rest)


def _is_of_line(point: Point) -> bool:
    """Whether a field stands in a line of an order, by the name of the list or object above it."""
    return any(_LINES.fullmatch(parted(step)) for step in point[2:-1])


def tells_of_orders(request: Request) -> bool:
    """Whether what is called by its name, to read, is about what was ordered: `myOrders`."""
    return _ORDERS.search("-".join(words_of(request))) is not None


def _spoken(request: Request) -> str:
    """The address with the page, the GraphQL mutation or the function that it asks for, and what that does: `/graphql/book-room/book`."""
    if only_queries(request) or is_question(request):
        return in_english(spoken_path(request))
    return in_english("/".join((spoken_address(request), *words_of(request)[:1])))


def _says_order(request: Request) -> bool:
    """Whether the button of a form says that it orders."""
    return any(
        _BUTTON.fullmatch(each.point[-1]) and _SAYS_ORDER.fullmatch(each.value.decode("utf-8", "replace").strip())
        for each in walked(request)
        if each.point[:2] == ("post", "form_urlencoded") and not each.container
    )


def _name(request: Request, point: Point) -> str:
    """What a value is called: of a GraphQL variable the argument, of an element its local name."""
    last = point[-1].rpartition(":")[2]
    return in_english(parted(argument_of(request, last) if tuple(point[:-1]) in VARIABLES else last))


def numbers_in(response: Response) -> frozenset[Decimal]:
    """The numbers that an answer shows, a bounded number of them."""
    found = [match[0] for match in _NUMBER.finditer(text_of(response))][:_MOST_NUMBERS]
    return frozenset(Decimal(each) for each in found)


def _decimal(value: bytes) -> Decimal | None:
    text = value.decode("utf-8", "replace").strip()
    try:
        return Decimal(text) if _NUMBER.fullmatch(text) and len(text) < 12 else None
    except InvalidOperation:
        return None


def _written(price: Decimal) -> bytes:
    return f"{price.normalize():f}".encode()
