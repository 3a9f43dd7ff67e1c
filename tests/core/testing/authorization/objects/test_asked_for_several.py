"""A POST for several objects at once asks for them, or does something to them."""

import pytest

from gatecrash.core.message import Request
from gatecrash.core.testing.authorization.objects.asked_for_several import asks_for_several
from gatecrash.core.testing.authorization.objects.named import asks, named_fields, named_objects

JSON = (b"Content-Type", b"application/json")


@pytest.mark.parametrize(
    ("target", "body"),
    [
        (b"/orders/batch", b'{"ids": [31, 32]}'),
        (b"/api/v2/orders/batch?lang=en", b'{"uuids": ["1f"]}'),
        (b"/orders/byIds", b'{"order_ids": ["A-31"]}'),
        (b"/teams/7/work-items/bulk", b'{"workItemIds": [31]}'),
        (b"/addresses/many", b'{"ids": [31]}'),
        (b"/orders/batch", b'{"requests": [{"id": 31}, {"id": 32}]}'),
        (b"/orders/batch", b'{"queries": [{"orderId": "A-31"}]}'),
        (b"/v1/lookup/orders", b'{"refs": ["ord_1041"]}'),
        (b"/look-up/orders", b'{"orderIds": [31]}'),
    ],
)
def test_several_are_asked_for_where_nothing_but_their_numbers_is_sent(target: bytes, body: bytes) -> None:
    request = Request("POST", target, (JSON,), body)
    assert asks_for_several(request)
    assert asks(request)
    assert not asks(Request("DELETE", target, (JSON,), body))


@pytest.mark.parametrize(
    ("target", "body"),
    [
        (b"/orders/batch", b'{"ids": [31], "state": "closed"}'),
        (b"/orders/batch", b'{"orders": [{"id": 31}]}'),
        (b"/orders/batch", b'{"requests": [{"id": 31, "state": "closed"}]}'),
        (b"/orders/batch", b'{"requests": [{"personId": 31}]}'),
        (b"/orders/batch-close", b'{"ids": [31]}'),
        (b"/orders/archive", b'{"ids": [31]}'),
        (b"/batch", b'{"ids": [31]}'),
        (b"/lookup/orders", b'{"personIds": [31]}'),
        (b"/lookup/order", b'{"ids": [31]}'),
        (b"/bulk/orders", b'{"ids": [31]}'),
    ],
)
def test_what_says_more_than_numbers_does_more_than_ask(target: bytes, body: bytes) -> None:
    assert not asks(Request("POST", target, (JSON,), body))


def test_the_first_of_several_questions_names_what_is_asked_for() -> None:
    request = Request("POST", b"/orders/batch", (JSON,), b'{"requests": [{"id": 31}, {"id": 32}]}')
    assert [each.value for each in named_objects(request)] == ["31"]
    lines = Request("POST", b"/orders", (JSON,), b'{"lines": [{"id": 31}]}')
    assert not named_fields(lines)


@pytest.mark.parametrize(
    "target",
    [
        b"/orders/cancel/batch",
        b"/orders/delete/bulk",
        b"/messages/archive/bulk",
        b"/orders/31/approve/many",
        b"/cancel/orders/batch",
        b"/deleteOrders/batch",
        b"/cancellations/batch",
        b"/favorites/bulk",
        b"/lookup/cancellations",
        b"/orders/batch?action=delete",
        b"/orders/batch?_method=DELETE",
    ],
)
def test_what_is_done_to_several_is_no_question(target: bytes) -> None:
    assert not asks(Request("POST", target, (JSON,), b'{"ids": [31]}'))


def test_numbers_of_something_else_are_what_is_made_of_it() -> None:
    assert not asks(Request("POST", b"/payments/batch", (JSON,), b'{"order_ids": [31]}'))
