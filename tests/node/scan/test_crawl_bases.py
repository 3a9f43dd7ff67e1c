"""Calls that come to nothing are asked for below a base, until one is known to hold."""

from gatecrash.core.message import Request
from gatecrash.node.scan.crawl_bases import Bases


def asked(target: bytes, method: str = "GET") -> Request:
    return Request(method, target, (), host="shop.example")


def test_each_base_is_asked_until_one_has_something() -> None:
    bases = Bases()
    bases.declared(["/v2", "/v3"])
    first = list(bases.instead_of(asked(b"/items?page=1")))
    assert [each.target for each in first] == [b"/v2/items?page=1", b"/v3/items?page=1", b"/api/items?page=1"]
    bases.came_to_something(first[1])
    bases.came_to_something(first[2])
    assert [each.target for each in bases.instead_of(asked(b"/carts"))] == [b"/v3/carts"]
    assert bases.meant(asked(b"/carts", "POST")).target == b"/v3/carts"


def test_no_further_base_is_asked_once_one_has_something() -> None:
    bases = Bases()
    bases.declared(["/v2", "/v3"])
    tries = bases.instead_of(asked(b"/items"))
    bases.came_to_something(next(tries))
    assert list(tries) == []


def test_a_try_is_not_tried_again_and_nothing_goes_below_a_base_twice() -> None:
    bases = Bases()
    assert list(bases.instead_of(asked(b"/api/items"))) == []
    (tried,) = bases.instead_of(asked(b"/items"))
    assert list(bases.instead_of(tried)) == []
    assert bases.meant(asked(b"/items", "POST")).target == b"/items"
    bases.came_to_something(tried)
    assert bases.meant(asked(b"/api/items", "POST")).target == b"/api/items"


def test_an_address_that_begins_as_the_base_does_is_a_whole_one() -> None:
    bases = Bases()
    bases.declared(["/backend/v1"])
    tried = next(bases.instead_of(asked(b"/items")))
    bases.came_to_something(tried)
    assert bases.meant(asked(b"/backend/tools/resolve", "POST")).target == b"/backend/tools/resolve"
    assert bases.meant(asked(b"/carts", "POST")).target == b"/backend/v1/carts"


def test_an_answer_of_another_address_proves_no_base() -> None:
    bases = Bases()
    bases.came_to_something(asked(b"/items"))
    assert bases.meant(asked(b"/carts", "POST")).target == b"/carts"


def test_few_bases_are_tried() -> None:
    bases = Bases()
    bases.declared(f"/v{number}" for number in range(50))
    assert len(list(bases.instead_of(asked(b"/items")))) == 5


def test_what_begins_as_a_call_that_was_answered_well_goes_below_no_base() -> None:
    bases = Bases()
    bases.stands(asked(b"/rest/items"))
    tried = next(bases.instead_of(asked(b"/carts")))
    bases.came_to_something(tried)
    bases.stands(tried)
    assert bases.meant(asked(b"/rest/orders", "POST")).target == b"/rest/orders"
    assert bases.meant(asked(b"/carts", "POST")).target == b"/api/carts"
