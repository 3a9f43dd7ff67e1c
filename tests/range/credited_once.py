"""Credits that are given once: a code and a returned order pay out each time, once, or the same however often; and amounts
that are sent below zero.
"""

from collections import defaultdict

from gatecrash.core.message import Request, Response
from tests.range.place import Given, answer, flaw, posted, twin

START, WORTH = 500, 25
HELD: defaultdict[str, int] = defaultdict(lambda: START)
USED: set[str] = set()


def voucher(place: str) -> Request:
    return posted(f"{place}/vouchers/redeem", b'{"code": "HARVEST25"}', b"application/json")


def returning(place: str) -> Request:
    return posted(f"{place}/parcels/70413/return", b'{"reason": "too small"}', b"application/json")


def sending(place: str) -> Request:
    return posted(f"{place}/transfers", b'{"to": "mill", "amount": 4}', b"application/json")


def credited(given: Given, amount: int) -> Response:
    place = given.request.path.decode()
    HELD[place] += amount
    return answer({"done": True, "balance": HELD[place]})


@flaw("mass_assignment", request=voucher)
def each_time(given: Given) -> Response:
    return credited(given, WORTH)


@flaw("mass_assignment", request=returning)
def paid_back_each_time(given: Given) -> Response:
    return credited(given, WORTH)


@twin("mass_assignment", request=voucher)
def used_up(given: Given) -> Response:
    place = given.request.path.decode()
    if place in USED:
        return answer({"error": "this voucher was used"}, 409)
    USED.add(place)
    return credited(given, WORTH)


@twin("mass_assignment", request=voucher)
def taken_and_counted_once(given: Given) -> Response:
    """Each time it is answered well, and gives something the first time alone."""
    place = given.request.path.decode()
    worth = 0 if place in USED else WORTH
    USED.add(place)
    return credited(given, worth)


@twin("mass_assignment", request=returning)
def back_already(given: Given) -> Response:
    place = given.request.path.decode()
    if place in USED:
        return answer({"state": "returned", "balance": HELD[place]})
    USED.add(place)
    return credited(given, WORTH)


def amount(given: Given) -> int | None:
    """How much is sent; None for what is no whole number."""
    sent = given.values.get("amount")
    return sent if isinstance(sent, int) and not isinstance(sent, bool) else None


@flaw("mass_assignment", request=sending)
def sent_backwards(given: Given) -> Response:
    sent = amount(given)
    return answer({"error": "amount"}, 422) if sent is None else credited(given, -sent)


@twin("mass_assignment", request=sending)
def only_above_zero(given: Given) -> Response:
    sent = amount(given)
    return answer({"error": "amount"}, 422) if sent is None or sent <= 0 else credited(given, -sent)


@twin("mass_assignment", request=sending)
def without_its_sign(given: Given) -> Response:
    sent = amount(given)
    return answer({"error": "amount"}, 422) if sent is None else credited(given, -abs(sent))
