"""Prices that requests name for what they order."""

from decimal import Decimal
from random import Random

import orjson
import pytest
from tests.range.jwt_tokens import STRONG, issued

from gatecrash.core.message import Request, Response
from gatecrash.core.point import Point
from gatecrash.core.testing.authorization.fields.prices import (
    numbers_in,
    offer_of,
    orders_something,
    tells_of_orders,
)

JSON = (b"Content-Type", b"application/json")


def offer(body: bytes):
    return offer_of(Request("POST", b"/orders", (JSON,), body))


def test_the_price_of_one_follows_from_a_sum_that_stands_alone():
    found = offer(b'{"productId": 7, "qty": 4, "total": 50}')
    assert (found.price, found.how_many, found.one) == (Decimal("12.5"), 4, ())
    assert [point[-1] for point in found.all] == ["total"]


def test_of_several_lines_without_prices_the_sum_is_named():
    found = offer(b'{"lines": [{"item": 1, "qty": 2}, {"item": 2, "qty": 3}], "total": 50}')
    assert (found.price, found.how_many, found.total(Decimal(7))) == (Decimal(50), 1, Decimal(7))


@pytest.mark.parametrize(
    ("path", "body"),
    [
        (b"/bestellungen", b'{"artikel": 7, "menge": 2, "einzelpreis": 6.5}'),
        (b"/pedidos", b'{"producto": 7, "cantidad": 2, "precio": 6.5}'),
        (b"/commandes", b'{"produit": 7, "quantite": 2, "prix": 6.5}'),
        (b"/tienda/comprar", b'{"producto": 7, "cantidad": 2, "precio": 6.5}'),
        (b"/shop/kaufen", b'{"artikel": 7, "menge": 2, "einzelpreis": 6.5}'),
        (b"/achat", b'{"produit": 7, "quantite": 2, "prix": 6.5}'),
    ],
)
def test_an_order_names_its_price_in_any_known_language(path: bytes, body: bytes):
    found = offer_of(Request("POST", path, (JSON,), body))
    assert (found.price, found.how_many) == (Decimal("6.5"), 2)
    assert offer_of(Request("POST", b"/angebote", (JSON,), body)) is None


@pytest.mark.parametrize("seed", range(50))
def test_other_prices_come_to_no_number_that_is_shown_anyway(seed: int):
    found = offer(b'{"item": 1, "qty": 2, "price": 15}')
    shown = {Decimal(18), Decimal(20)}
    prices = found.two_others(Random(seed), shown)
    assert len(set(prices)) == 2
    assert all(0 < price < 15 and found.total(price) not in {*shown, Decimal(2)} for price in prices)


def test_there_are_no_other_prices_where_all_their_sums_are_shown():
    found = offer(b'{"item": 1, "qty": 1, "price": 12}')
    assert found.two_others(Random(1), {Decimal(each) for each in range(3, 12)}) is None


@pytest.mark.parametrize(("path", "ordered"), [(b"/book/confirm", True), (b"/books/confirm", False), (b"/rent", True)])
def test_what_is_booked_or_rented_is_ordered(path: bytes, *, ordered: bool):
    request = Request("POST", path, (JSON,), b'{"dog_id": 1, "nights": 3, "total": 90}')
    assert (offer_of(request) is not None) is ordered


def test_beside_a_sum_any_number_of_something_says_what_is_ordered():
    assert offer(b'{"extractorId": 4, "days": 3, "total": 45}').price == Decimal(45)
    assert offer(b'{"extractorId": 4, "days": 3}') is None
    assert offer(b'{"listing_id": 4, "unit_price": 1200, "quantity": 3}').price == Decimal(1200)
    assert offer(b'{"listing_id": 4, "unit_price": 1200}') is None


@pytest.mark.parametrize(
    "body",
    [
        b'{"lines": [{"item": 1, "price": 2.5}, {"item": 2, "price": 3.5}], "count": 2}',
        b'{"item": 1, "price": 2.5, "unit_price": 3.5}',
        b'{"tags": [{"id": 1, "price": 2.5}]}',
        b'{"lines": [{"item": 1, "qty": 2}, {"item": 2, "qty": 3}], "amount": 50}',
        b'{"customerId": 7, "total": 50}',
        b'{"cart_id": 7, "shipping_address_id": 3, "total": 50}',
        b'{"item": 1, "price": -2.5}',
        b'{"item": 1, "price": "2,50"}',
        b"{}",
    ],
)
def test_several_prices_for_one_thing_and_what_is_no_price_are_left_alone(body: bytes):
    assert offer(body) is None


def test_of_several_lines_the_first_ones_price_is_named_beside_what_the_others_come_to():
    body = b'{"items": [{"id": 1, "price": 2.5, "qty": 2}, {"id": 2, "price": 3.5}, {"id": 3, "price": 1, "qty": 4}]}'
    found = offer(body)
    assert (found.price, found.how_many, found.rest) == (Decimal("2.5"), 2, Decimal("7.5"))
    assert found.total(Decimal(1)) == Decimal("9.5")
    changed = found.asking(Request("POST", b"/orders", (JSON,), body), Decimal(1)).body
    assert changed == body.replace(b'"price": 2.5', b'"price": 1')


@pytest.mark.parametrize(
    ("path", "body", "named"),
    [
        (b"/cart/add", b"id=7&price=20&qty=2", True),
        (b"/basket", b"pid=7&price=20&quantity=1", True),
        (b"/index.php?page=basket", b"pid=7&price=20&quantity=1", True),
        (b"/index.php?page=coupon", b"pid=7&price=20&quantity=1", False),
        (b"/cart/add", b"id=7&price=20", False),
        (b"/orders/edit", b"id=7&price=20&qty=2", False),
        (b"/cart/coupon", b"code=7&price=20&qty=2", False),
    ],
)
def test_a_bare_number_names_goods_where_so_many_are_put_into_a_basket(path: bytes, body: bytes, *, named: bool):
    form = (b"Content-Type", b"application/x-www-form-urlencoded")
    assert (offer_of(Request("POST", path, (form,), body)) is not None) is named


@pytest.mark.parametrize(
    ("method", "path", "body", "orders"),
    [
        ("POST", b"/bookings", b'{"sailing_id": 1, "driver": "Ann"}', True),
        ("POST", b"/api/orders", b'{"items": [{"sku": "a"}]}', True),
        ("POST", b"/enrolments", b'{"course": 4}', True),
        ("POST", b"/courses/4/enroll", b'{"start": "May"}', True),
        ("PUT", b"/bookings/7", b'{"driver": "Ann"}', False),
        ("POST", b"/offers", b'{"title": "A boat"}', False),
        ("POST", b"/purchase-orders", b'{"supplier": 3}', False),
        ("POST", b"/orders", b'{"symbol": "ABC", "side": "buy"}', False),
    ],
)
def test_what_is_ordered_or_booked_has_a_price_that_is_the_sellers_to_say(
    method: str, path: bytes, body: bytes, *, orders: bool
):
    assert orders_something(Request(method, path, (JSON,), body)) is orders


def test_who_manages_others_may_say_what_a_booking_costs():
    for role, orders in (("manager", False), ("guest", True)):
        token = b"Bearer " + issued({"sub": "7", "role": role}, STRONG).encode()
        request = Request("POST", b"/bookings", (JSON, (b"Authorization", token)), b'{"driver": "Ann"}')
        assert orders_something(request, [Point.of("header", "AUTHORIZATION")]) is orders


def test_price_and_sum_are_changed_together_where_they_stand():
    request = Request("POST", b"/orders", (JSON,), b'{"item": 1, "price": 2.5, "qty": 3, "total": 7.5, "note": "2.5"}')
    changed = offer_of(request).asking(request, Decimal("1.25"))
    assert changed.body == b'{"item": 1, "price": 1.25, "qty": 3, "total": 3.75, "note": "2.5"}'


@pytest.mark.parametrize(("price", "look"), [(b"2.5", "0.01"), (b"1999", "1"), (b"3", "0.01")])
def test_another_price_is_lower_and_looks_alike(price: bytes, look: str):
    found = offer(b'{"item": 1, "price": %s}' % price)
    for seed in range(20):
        other = found.other(Random(seed))
        assert 0 < other < found.price
        assert other == other.quantize(Decimal(look))


def test_numbers_are_the_same_however_many_noughts_they_end_with():
    shown = Response(200, ((b"Content-Type", b"text/html"),), b"<td>2</td><td>12.50</td><td>25.00</td>")
    assert {Decimal("12.5"), Decimal(25), Decimal(2)} <= numbers_in(shown)


def asked(document: str, **variables: object) -> Request:
    body = orjson.dumps({"query": document, "variables": variables})
    return Request("POST", b"/graphql", (JSON,), body)


PLACING = "mutation Place($input: OrderIn!) { placeOrder(input: $input) { id total } }"


def test_a_graphql_mutation_says_by_its_name_that_it_orders():
    request = asked(PLACING, input={"items": [{"productId": 7, "quantity": 2, "price": 12.5}]})
    found = offer_of(request)
    assert (found.price, found.how_many) == (Decimal("12.5"), 2)
    assert b'"price":3.71' in found.asking(request, Decimal("3.71")).body
    assert orders_something(request)


def test_a_graphql_variable_is_called_as_the_argument_that_it_is_given_to():
    document = "mutation ($a: ID!, $b: Float!) { bookRoom(roomId: $a, price: $b) { id } }"
    assert offer_of(asked(document, a="7", b=90)).price == Decimal(90)
    assert offer_of(asked(document.replace("price:", "deposit:"), a="7", b=90)) is None


def test_literals_of_a_graphql_mutation_are_named_as_well():
    assert offer_of(asked("mutation { addToCart(productId: 7, price: 12.5) { total } }")).price == Decimal("12.5")


@pytest.mark.parametrize(
    "document",
    [
        "query Find($input: OrderIn!) { orders(filter: $input) { id } }",
        "mutation Rate($input: OrderIn!) { rateProduct(input: $input) { id } }",
    ],
)
def test_what_graphql_only_asks_for_or_does_otherwise_is_no_order(document: str):
    request = asked(document, input={"productId": 7, "quantity": 2, "price": 12.5})
    assert offer_of(request) is None
    assert not orders_something(request)


def test_a_function_says_by_its_name_that_it_orders():
    body = b'{"jsonrpc": "2.0", "id": 4, "method": "%s", "params": {"sku": 7, "price": 12.5}}'
    assert offer_of(Request("POST", b"/rpc", (JSON,), body % b"cart.add")).price == Decimal("12.5")
    assert offer_of(Request("POST", b"/rpc", (JSON,), body % b"cart.find")) is None
    # The number of the call names no goods.
    assert offer_of(Request("POST", b"/rpc", (JSON,), (body % b"cart.add").replace(b"sku", b"note"))) is None


def test_an_element_is_named_without_its_prefix():
    envelope = (
        b'<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/" xmlns:t="urn:t"><s:Body><t:PlaceOrder>'
        b"<t:itemId>7</t:itemId><t:price>12.5</t:price></t:PlaceOrder></s:Body></s:Envelope>"
    )
    assert offer_of(Request("POST", b"/ws", ((b"Content-Type", b"text/xml"),), envelope)).price == Decimal("12.5")


def test_what_reads_orders_says_so_by_its_name():
    assert tells_of_orders(asked("{ myOrders { id total } }"))
    assert not tells_of_orders(asked("{ products { id price } }"))


@pytest.mark.parametrize(
    ("body", "offers"),
    [
        (b"qty=2&ticket_price=15&action=order", True),
        (b"qty=2&ticket_price=15&submit=Buy+now", True),
        (b"qty=2&ticket_price=15&action=save", False),
        (b"qty=2&ticket_price=15&note=order", False),
        (b"qty=2&price=15&action=order", False),
        (b"item=7&price=15&action=order", True),
    ],
)
def test_the_button_of_a_form_says_that_it_orders_and_a_price_of_what(body: bytes, *, offers: bool):
    request = Request("POST", b"/tickets.php", ((b"Content-Type", b"application/x-www-form-urlencoded"),), body)
    assert (offer_of(request) is not None) is offers
