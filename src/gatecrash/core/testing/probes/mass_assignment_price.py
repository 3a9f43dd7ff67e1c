"""Prices that the buyer names: an order says what its goods cost, and is made at that.

What it finds
    Orders whose price or sum stands in the request, in a hidden field or in JSON, and is what the order then comes to.

Why it matters
    The shop's price list is for show: whoever edits one number pays what he likes.

How it decides
    Only requests that order something by name or number (or whose price says of what: `ticket_price`), at an address that
    says so, by a form's button or by a GraphQL mutation or function whose name does, and name one price, one in each of
    several lines, of which the first is looked at, or nothing but the sum. The order is made at a lower price, as recorded,
    and at another lower price. What was made is read back, by the address that the answer leads to or names, by the
    recorded query for orders, one called after several of what is ordered or the list at the order's address that tells
    of it, else from a total in the answer that the request does not hold. Each must show the sum of its own price and how
    many were ordered, and the others' sums must not be shown: an answer that only repeats the price shows the shop's own
    total beside it. The sum of a price in cents may be shown in whole money.

Known misses
    Discounts, and quantities below zero. Orders that show no sum. Prices in other places than the body.

Standards and references
    CWE-472 (external control of what is taken for immutable), CWE-915; OWASP Top 10:2021 A04 Insecure Design; OWASP API
    Security Top 10:2023 API3 Broken Object Property Level Authorization.
"""

from collections.abc import Generator
from decimal import Decimal

import orjson

from gatecrash.core.errors import UserError
from gatecrash.core.message import Exchange, Request, Response, reading
from gatecrash.core.statuses import FIRST_ERROR
from gatecrash.core.testing.addresses.kinship import is_called_like
from gatecrash.core.testing.asking import ask, concluding, response_of
from gatecrash.core.testing.authorization.fields.prices import Offer, numbers_in, offer_of, tells_of_orders
from gatecrash.core.testing.authorization.objects.answered_objects import IDENTIFIERS, Object, address_of, objects_in
from gatecrash.core.testing.entry import Entry
from gatecrash.core.testing.known.page import asking, landing_of
from gatecrash.core.testing.operations.graphql import words_of
from gatecrash.core.testing.oracles.outcomes.refused import is_taken
from gatecrash.core.testing.probe import Answer, Dialogue, Probe, Situation, TestRequest
from gatecrash.core.testing.verdict import Verdict, safe, vulnerable

TYPE = "mass_assignment"
CWE = (472, 915)
THREAT = 75
_MOST_PAGES = 2

_Making = Generator[TestRequest, Answer, tuple[Exchange, Response | None]]


def _dialogue(situation: Situation) -> Dialogue:
    offer = offer_of(situation.baseline.request)
    assert offer is not None
    recorded = situation.baseline.response
    others = offer.two_others(situation.random, numbers_in(recorded) if recorded is not None else ())
    if others is None:
        return safe(TYPE, situation.point, "there is no lower price to ask for")
    prices = (others[0], offer.price, others[1])
    exchange: Exchange | None = None
    for price in prices:
        exchange, shown = yield from _made(situation, offer, price)
        if shown is None or not _comes_to(shown, offer, price, prices):
            return safe(TYPE, situation.point, "what is ordered does not come to the price that the request names")
    assert exchange is not None
    return _vulnerable(situation, offer, exchange, others)


def _made(situation: Situation, offer: Offer, price: Decimal) -> _Making:
    """The order at a price, and the answer that shows it as it was kept; None where none does."""
    request = situation.baseline.request
    try:
        asked = offer.asking(request, price)
    except UserError:
        return situation.baseline.exchange, None
    exchange = yield from ask(asked, "control" if price == offer.price else "test")
    response = response_of(exchange)
    if not is_taken(response):
        return exchange, None
    told = next((each for each in objects_in(response) if not each.keys().isdisjoint(IDENTIFIERS)), None)
    called = bool(words_of(request))
    if called and told is not None:
        listed = yield from _listed(situation, told)
        if listed is not None:
            return exchange, listed
    target = landing_of(request, response) or (None if called else address_of(request, response, told))
    if target is not None:
        kept = response_of((yield from ask(reading(request, target), "control")))
        if is_taken(kept):
            return exchange, kept
    listed = None if called or told is None else (yield from _listed(situation, told))
    if listed is not None:
        return exchange, listed
    return exchange, response if offer.how_many > 1 or offer.rest else None


def _listed(situation: Situation, made: Object) -> Generator[TestRequest, Answer, Response | None]:
    """The order as what is called by its name, or the list at its address, tells of it afterwards, alone; None where nothing does."""
    request = situation.baseline.request
    mine = {str(made[name]) for name in IDENTIFIERS if name in made}
    telling = (each for each in situation.pages if _may_tell(each.request, request))
    for page in [*telling][:_MOST_PAGES]:
        response = response_of((yield from ask(asking(request, page), "control")))
        kept = (each for each in objects_in(response) if any(str(each.get(name)) in mine for name in IDENTIFIERS))
        found = next(kept, None)
        if found is not None:
            return Response(response.status, response.headers, orjson.dumps(found))
    return None


def _may_tell(page: Request, request: Request) -> bool:
    """Whether a page may list what a request makes: it is about orders, stands where they are made, or is called after several
    of what a GraphQL mutation or a function orders one of (`tickets` of `buyTicket`).
    """
    by_name = bool(words_of(request) and words_of(page)) and is_called_like(page, request)
    return tells_of_orders(page) or by_name or _is_list_of(page, request)


def _is_list_of(page: Request, request: Request) -> bool:
    """Whether a page is read at the address at which orders are made."""
    same: bool = page.path.rstrip(b"/") == request.path.rstrip(b"/")
    return same and page.method.upper() == "GET"


def _comes_to(shown: Response, offer: Offer, price: Decimal, prices: tuple[Decimal, ...]) -> bool:
    """Whether an order is shown with the sum of its own price, and with none of the others."""
    numbers = numbers_in(shown)
    others = {offer.total(each) for each in prices if each != price}
    return any(
        offer.total(price) * scale in numbers and numbers.isdisjoint({each * scale for each in others})
        for scale in offer.scales()
    )


def _vulnerable(situation: Situation, offer: Offer, exchange: Exchange, asked: tuple[Decimal, Decimal]) -> Verdict:
    point = (*offer.one, *offer.all)[0]
    sums = " and ".join(str(offer.total(price)) for price in asked)
    return vulnerable(
        ENTRY,
        point,
        detail=f"{point[-1]} = {asked[1]} (before: {offer.price})",
        threat=THREAT,
        test=exchange,
        control=situation.baseline.exchange,
        verified_by=(
            f"Ordered at {asked[0]} and at {asked[1]} in the place of {offer.price}, the orders come to {sums}; ordered as "
            f"recorded it comes to {offer.total(offer.price)}. The orders that were made so are still there."
        ),
    )


def applies(situation: Situation) -> bool:
    """Orders that name one price and were taken."""
    request, response = situation.baseline.request, situation.baseline.response
    if request.method.upper() != "POST" or response is None or response.status >= FIRST_ERROR:
        return False
    return offer_of(request) is not None


def forecast(_situation: Situation) -> int:
    """One order at another price, and a look at it."""
    return 2


ENTRY = Entry(
    type=TYPE,
    title="The client sets the price",
    cwe=CWE,
    owasp=("A04:2021",),
    owasp_api=("API3:2023",),
    why="Whoever edits a number in the request buys at the price he likes, and the order looks like any other.",
    remediation=(
        "Take from the request only what is ordered and how many, and look up every price, discount and sum on the server at the "
        "moment of the order. Refuse requests that name a price."
    ),
)
PROBE = Probe(
    type=TYPE,
    name="price",
    entry=ENTRY,
    whole=True,
    applies=applies,
    forecast=forecast,
    run=concluding(TYPE, _dialogue),
)
