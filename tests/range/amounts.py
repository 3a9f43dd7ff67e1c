"""Orders that are paid from a balance: below zero one is paid out, or is looked at as it should be."""

from collections import defaultdict

from gatecrash.core.message import Request, Response
from tests.range.place import Given, answer, flaw, posted, twin

PRICE, START = 3, 600
LEFT: defaultdict[str, int] = defaultdict(lambda: START)


def ordering(place: str) -> Request:
    return posted(f"{place}/orders", b'{"product_id": 4, "quantity": 2}', b"application/json")


def paid(given: Given, count: int) -> Response:
    """The order, and what is left of the balance."""
    place = given.request.path.decode()
    if LEFT[place] < count * PRICE:
        return answer({"error": "not enough credit"}, 402)
    LEFT[place] -= count * PRICE
    return answer({"message": "ordered", "credit": LEFT[place]}, 201)


def counted(given: Given) -> int | None:
    """How many are ordered; None for what is no whole number."""
    count = given.values.get("quantity")
    return count if isinstance(count, int) and not isinstance(count, bool) else None


@flaw("mass_assignment", request=ordering)
def paid_out(given: Given) -> Response:
    count = counted(given)
    return answer({"error": "quantity"}, 422) if count is None else paid(given, count)


@twin("mass_assignment", request=ordering)
def checked(given: Given) -> Response:
    count = counted(given)
    return answer({"error": "quantity"}, 422) if count is None or not 0 < count < 100 else paid(given, count)


@twin("mass_assignment", request=ordering)
def never_below_zero(given: Given) -> Response:
    """The order is taken, and comes to nothing."""
    count = counted(given)
    return answer({"error": "quantity"}, 422) if count is None else paid(given, max(0, count))
