"""A cart that a GraphQL shop begins for whoever comes without a session is nobody else's."""

import orjson
import pytest

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.authorization.openness.guest_carts import filled_a_guests_own

BEGUN = "shop_sid=q8Zk3Yp0QwErTy7LmN2b; Path=/; HttpOnly"


def asked(document: str, **variables: object) -> Request:
    headers = ((b"Content-Type", b"application/json"), (b"Cookie", b"shop_sid=s1c8Zk3Yp0QwErTy; theme=dark"))
    return Request("POST", b"/graphql", headers, orjson.dumps({"query": document, "variables": variables}))


def answered(*cookies: str) -> Response:
    return Response(200, tuple((b"Set-Cookie", cookie.encode()) for cookie in cookies), b'{"data": {}}')


INTO_CART = asked("mutation Put($sku: ID!) { addToCart(sku: $sku) { lines } }", sku="7")
TO_ORDER = asked("mutation Put($v: ID!, $n: Int!) { addItemToOrder(variantId: $v, quantity: $n) { id } }", v="7", n=2)
NAMED = asked("mutation Put($c: ID!) { addToCart(cartId: $c, sku: 7) { lines } }", c="31")
OF_ORDERS = asked("mutation End($n: Int!) { cancelOrder(number: $n) { id } }", n=4)
BY_PATH = Request("POST", b"/cart/add", INTO_CART.headers, b'{"sku": 7}')


@pytest.mark.parametrize("request_", [INTO_CART, TO_ORDER])
def test_what_fills_a_cart_and_begins_a_session_fills_a_guests(request_):
    assert filled_a_guests_own(request_, answered(BEGUN))


@pytest.mark.parametrize("request_", [NAMED, OF_ORDERS, BY_PATH])
def test_a_cart_that_is_named_and_what_is_no_cart_is_somebodys(request_):
    assert not filled_a_guests_own(request_, answered(BEGUN))


@pytest.mark.parametrize("cookies", [(), ("theme=light; Path=/",), ("visit=q8Zk3Yp0QwErTy7LmN2b; Path=/",)])
def test_who_is_given_no_session_has_filled_none_of_his_own(cookies):
    assert not filled_a_guests_own(INTO_CART, answered(*cookies))


@pytest.mark.parametrize(
    ("document", "told", "his"),
    [
        ("mutation { createCart { id } }", '{"createCart": {"id": "3f2b8c1e-5d47-4a6b-9c0e-1a2b3c4d5e6f"}}', True),
        ("mutation { createCart { id } }", '{"createCart": {"id": "31"}}', False),
        ("mutation { createOrder { id } }", '{"createOrder": {"id": "3f2b8c1e-5d47-4a6b-9c0e-1a2b3c4d5e6f"}}', False),
        (
            "mutation { addToCart(sku: 7) { id } }",
            '{"addToCart": {"id": "3f2b8c1e-5d47-4a6b-9c0e-1a2b3c4d5e6f"}}',
            False,
        ),
    ],
)
def test_a_new_cart_that_nobody_guesses_is_of_who_was_given_its_key(document: str, told: str, *, his: bool):
    answer = Response(200, ((b"Content-Type", b"application/json"),), b'{"data": %b}' % told.encode())
    assert filled_a_guests_own(asked(document), answer) is his
