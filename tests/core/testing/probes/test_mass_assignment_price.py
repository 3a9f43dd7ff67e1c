"""The probe mass_assignment_price, driven against shops that take the buyer's price, and others that look it up."""

from decimal import Decimal
from urllib.parse import parse_qsl

import msgspec
import orjson
import pytest
from tests.cases.case import Case, cases_of
from tests.core.testing.driving import drive, record

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.policy import DEFAULT, THOROUGH
from gatecrash.core.testing.probes.mass_assignment_price import PROBE
from gatecrash.core.testing.surroundings.pages import Pages
from gatecrash.core.testing.verdict import Outcome

CASES = [case for case in cases_of("probes") if case.file == "mass_assignment_price"]
OWN_PRICE = Decimal("12.5")


class Shop:
    """Sells one thing, and beside it others; whose price it takes, the beginning of the path says."""

    def __init__(self) -> None:
        self.orders: list[tuple[Decimal, Decimal]] = []

    def __call__(self, request: Request) -> Response:
        kind = request.path.decode().split("/")[1]
        if request.method == "GET":
            return self._shown(kind, int(request.path.rpartition(b"/")[2]))
        sent = orjson.loads(request.body) if request.body[:1] == b"{" else dict(parse_qsl(request.body.decode()))
        line, *others = sent.get("lines") or sent.get("items") or [sent]
        if "price" not in line and "unitPrice" not in line:
            named = Decimal(str(sent["total"]))
            self.orders.append((named, Decimal("37.5") if kind == "looking-up" else named))
            return answer({"id": len(self.orders), "state": "open"})
        named = Decimal(str(line.get("price", line.get("unitPrice"))))
        if kind == "refusing" and named != OWN_PRICE:
            return Response(400)
        count = Decimal(str(line.get("quantity", line.get("qty"))))
        rest = sum(Decimal(str(each["price"])) * each["qty"] for each in others)
        self.orders.append(
            (named, count * (OWN_PRICE if kind in ("looking-up", "repeating", "in-cents-looked-up") else named) + rest)
        )
        if request.path.endswith(b"/shop/order"):
            return Response(303, ((b"Location", b"/%s/shop/orders/%d" % (kind.encode(), len(self.orders))),))
        return answer({"data": {"id": len(self.orders), "lines": [{"price": float(named)}]}})

    def _shown(self, kind: str, number: int) -> Response:
        named, total = self.orders[number - 1]
        if kind == "silent":
            return answer({"id": number})
        if kind == "listing":
            return answer({"best": [float(each) for _, each in self.orders]})
        if kind.startswith("in-cents"):
            return answer({"id": number, "total": f"{total / 100:.2f} EUR"})
        return answer({"id": number, "price": float(named), "total": float(total)})


def answer(document: object) -> Response:
    return Response(200, ((b"Content-Type", b"application/json"),), orjson.dumps(document))


def checks_of(request: Request, shop: Shop, policy=THOROUGH):
    return plan(record(shop, request), policy, (), (PROBE,))


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("case", CASES, ids=str)
def test_case(case: Case, seed: int):
    shop = Shop()
    (check,) = checks_of(case.request, shop)
    run = drive(check, shop, seed)
    assert case.expected == (run.verdict.outcome.value,)
    if run.verdict.outcome is Outcome.SAFE and b"listing" not in case.request.path:
        assert len(run.sent) <= check.forecast


def test_the_proof_names_both_prices_and_the_one_that_was_recorded():
    shop = Shop()
    (check,) = checks_of(CASES[0].request, shop)
    verdict = drive(check, shop).verdict
    named = [price for price, _ in shop.orders]
    assert (named[0], named[2], len(set(named))) == (OWN_PRICE, OWN_PRICE, 3)
    assert all(price < OWN_PRICE for price in (named[1], named[3]))
    assert f"Ordered at {named[1]} and at {named[3]} in the place of 12.5" in verdict.proof.verified_by
    assert verdict.point == ("post", "form_urlencoded", "price")


@pytest.mark.parametrize(
    ("path", "body"),
    [
        (b"/believing/products", b"item=1&price=12.5&quantity=2"),
        (b"/believing/shop/order", b"item=1&quantity=2"),
        (b"/believing/shop/order", b"price=12.5&quantity=2"),
        (b"/believing/purchase-orders", b"item=1&price=12.5&quantity=2"),
        (b"/believing/orders", b"item=1&side=buy&price=12.5&quantity=2"),
        (b"/believing/orders", b"item=1&price=0.01&quantity=2"),
        (b"/believing/orders", b"item=1&price=free&quantity=2"),
    ],
)
def test_nothing_else_is_an_order_at_a_price_of_the_shops(path: bytes, body: bytes):
    request = msgspec.structs.replace(CASES[0].request, target=path, body=body)
    response = Response(200, body=b"fine")
    assert plan(record(lambda _request: response, request), THOROUGH, (), (PROBE,)) == []


def test_a_policy_without_the_type_orders_nothing():
    assert checks_of(CASES[0].request, Shop(), DEFAULT) == []


LISTED = b'{"query": "{ myOrders { id total } }"}'


class Counter:
    """A shop by GraphQL. believes: whose price it takes. lists: whether it lists what was ordered."""

    def __init__(self, *, believes: bool, lists: bool = True) -> None:
        self.believes, self.lists = believes, lists
        self.totals: list[float] = []

    def __call__(self, request: Request) -> Response:
        if request.body == LISTED:
            told = [{"id": str(n), "total": each} for n, each in enumerate(self.totals)] if self.lists else []
            return answer({"data": {"myOrders": told}})
        sent = orjson.loads(request.body)["variables"]["input"]
        self.totals.append(sent["price"] if self.believes else float(OWN_PRICE))
        # What it says at once is what it was sent.
        made = {"id": str(len(self.totals) - 1), "total": sent["price"]}
        return answer({"data": {"placeOrder": made}})


@pytest.mark.parametrize(
    ("believes", "lists", "outcome"),
    [(True, True, Outcome.VULNERABLE), (False, True, Outcome.SAFE), (False, False, Outcome.SAFE)],
)
def test_an_order_by_graphql_is_read_in_the_recorded_list(*, believes: bool, lists: bool, outcome: Outcome):
    headers = ((b"Host", b"shop.test"), (b"Content-Type", b"application/json"))
    sent = {"productId": 7, "price": 12.5}
    document = "mutation P($input: OrderIn!) { placeOrder(input: $input) { id total } }"
    placing = Request("POST", b"/graphql", headers, orjson.dumps({"query": document, "variables": {"input": sent}}))
    counter = Counter(believes=believes, lists=lists)
    listing = Request("POST", b"/graphql", headers, LISTED)
    pages = Pages()
    pages.add(Exchange(listing, counter(listing)))
    (check,) = plan(record(counter, placing), THOROUGH, (), (PROBE,), pages=pages.beside(placing))
    run = drive(check, counter)
    assert run.verdict.outcome is outcome
    assert all(test.request.path == b"/graphql" for test in run.sent)


@pytest.mark.parametrize(
    ("listing", "believes", "outcome"),
    [
        ("tickets", True, Outcome.VULNERABLE),
        ("tickets", False, Outcome.SAFE),
        ("speakers", True, Outcome.SAFE),  # the list of something else is not read
    ],
)
def test_an_order_by_graphql_is_read_in_the_list_that_is_called_after_several(
    listing: str, outcome: Outcome, *, believes: bool
):
    headers = ((b"Host", b"shop.test"), (b"Content-Type", b"application/json"))
    made: list[float] = []

    def counter(request: Request) -> Response:
        asked = orjson.loads(request.body)
        if listing in asked["query"]:
            return answer({"data": {listing: [{"id": str(n), "total": each} for n, each in enumerate(made)]}})
        made.append(asked["variables"]["price"] if believes else float(OWN_PRICE))
        return answer({"data": {"buyTicket": {"id": str(len(made) - 1), "total": asked["variables"]["price"]}}})

    document = "mutation B($price: Float!) { buyTicket(price: $price) { id total } }"
    buying = Request(
        "POST", b"/graphql", headers, orjson.dumps({"query": document, "variables": {"price": 12.5, "seat": "A1"}})
    )
    reading = Request("POST", b"/graphql", headers, orjson.dumps({"query": f"{{ {listing} {{ id total }} }}"}))
    pages = Pages()
    pages.add(Exchange(reading, counter(reading)))
    (check,) = plan(record(counter, buying), THOROUGH, (), (PROBE,), pages=pages.beside(buying))
    assert drive(check, counter).verdict.outcome is outcome


@pytest.mark.parametrize(
    ("believes", "lists", "outcome"),
    [(True, True, Outcome.VULNERABLE), (False, True, Outcome.SAFE), (True, False, Outcome.SAFE)],
)
def test_an_order_of_one_without_a_page_is_read_in_the_list_where_it_is_made(
    *, believes: bool, lists: bool, outcome: Outcome
):
    """The answer repeats the price, which is the sum of one as well; the list shows all that was ordered before."""
    kept: list[dict[str, object]] = [{"id": 70110, "price": 12.5, "total": 12.5}]

    def shop(request: Request) -> Response:
        if request.path != b"/orders":
            return Response(404)
        if request.method == "GET":
            return answer({"orders": kept if lists else []})
        price = orjson.loads(request.body)["unit_price"]
        made = {"id": 70111 + len(kept), "unit_price": price, "total": price if believes else 12.5}
        kept.append(made)
        return answer(made if believes else {**made, "total": price})

    headers = ((b"Host", b"shop.test"), (b"Content-Type", b"application/json"))
    body = b'{"product_id": 4, "quantity": 1, "unit_price": 12.5}'
    request = Request("POST", b"/orders", headers, body, host="shop.test")
    pages, reading = Pages(), Request("GET", b"/orders", headers[:1], host="shop.test")
    pages.add(Exchange(reading, shop(reading)))
    (check,) = plan(record(shop, request), THOROUGH, (), (PROBE,), pages=pages.beside(request))
    assert drive(check, shop).verdict.outcome is outcome
