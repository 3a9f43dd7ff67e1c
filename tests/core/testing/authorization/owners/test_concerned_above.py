"""Who is named by an object may have what stands below it."""

from random import Random

import pytest
from tests.core.testing.driving import answered
from tests.range.place import PLACES
from tests.range.tenants_sides import INVOICE
from tests.range.test_tenants_graph import claims

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.point import Point
from gatecrash.core.testing.authorization.owners.concerned_above import is_concerned_above
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.known.identity import Identity
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probe import Situation

BEN = Identity("ben", known=("8", "ben@example.com"))


def concerned(path: bytes, order: bytes) -> tuple[bool, list[bytes]]:
    """Whether he is, by what an order says, and what is asked for."""
    request, seen = Request("GET", path, host="a.example"), list[bytes]()

    def shop(asked: Request) -> Response:
        seen.append(asked.path)
        return Response(200, ((b"Content-Type", b"application/json"),), order)

    situation = Situation(
        baseline=Baseline("bl_1", Exchange(request, Response(200))),
        point=Point(),
        value=b"",
        credentials=(),
        policy=DEFAULT,
        random=Random(1),
        identities=(Identity("ann", known=("7",)), BEN),
    )
    return answered(is_concerned_above(situation, request, BEN), shop), seen


def test_the_object_that_something_stands_below_is_asked() -> None:
    assert concerned(b"/orders/31/invoice", b'{"id": 31, "seller_id": 8}') == (True, [b"/orders/31"])
    assert concerned(b"/orders/31/invoice", b'{"id": 31, "seller_id": 9, "total": 8}') == (False, [b"/orders/31"])


def test_nothing_is_asked_of_what_stands_below_no_object() -> None:
    for path in (b"/orders/31", b"/orders", b"/invoices/31"):
        assert concerned(path, b'{"seller_id": 8}') == (False, [])


@pytest.mark.parametrize("place", [each for each in PLACES if each.path.startswith("/tenants-sides/")], ids=str)
def test_both_sides_of_an_order_are_let_in_below_it(place) -> None:
    assert INVOICE is not None
    assert claims(place) == ({place.type} if place.flaw else set())
