"""Requests that do to an object what its owner decides."""

import pytest

from gatecrash.core.message import Request
from gatecrash.core.testing.authorization.objects.acts import acted_on, calls_act


@pytest.mark.parametrize(
    ("method", "target", "found"),
    [
        ("POST", b"/orders/7/cancel", b"/orders/7"),
        ("PATCH", b"/orders/7/return/", b"/orders/7"),
        ("POST", b"/bestellungen/7/stornieren", b"/bestellungen/7"),
        ("PUT", b"/pedidos/7/cancelar", b"/pedidos/7"),
        ("POST", b"/visit_cancel.php", b"/visit"),
        ("POST", b"/app/visit-cancel", b"/app/visit"),
        ("POST", b"/cancel_visit.php", b"/visit"),
        ("POST", b"/cancelVisit.jsp", b"/visit"),
        ("POST", b"/orders/cancelOrder", b"/orders"),
        ("POST", b"/orders/cancel.php", b"/orders"),
        ("POST", b"/cancel.php", b""),
        ("POST", b"/tax_return.php", b""),
        ("GET", b"/visit_cancel.php", b""),
        ("GET", b"/orders/7/cancel", b""),
        ("POST", b"/orders/7/approve", b""),
        ("POST", b"/orders/7", b""),
    ],
)
def test_what_is_acted_on_stands_above_the_deed(method: str, target: bytes, found: bytes):
    assert acted_on(Request(method, target)) == found


def test_a_function_says_what_it_does_first():
    assert not calls_act(Request("POST", b"/orders/7/cancel"))
    graph = b'{"query": "mutation { cancelOrder(id: 7) { state } }"}'
    assert calls_act(Request("POST", b"/graphql", ((b"Content-Type", b"application/json"),), graph))
