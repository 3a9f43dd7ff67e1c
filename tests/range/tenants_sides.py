"""What stands below the orders of two sides: who buys reads and writes it, and so does who sells, whom the order names."""

import threading

from gatecrash.core.message import Response
from tests.range.place import Given, answer, flaw, twin
from tests.range.tenants_store import PEOPLE, SIGNED, asked, below, caller, missing, unauthorized, written

LOCK = threading.Lock()
NOTES: dict[str, str] = {}
BUYERS = {"31": "ann", "32": "ben"}
INVOICE = asked("/orders/31/invoice", tokens=SIGNED)
NOTE = written("PUT", "/orders/31/delivery", b'{"note": "Ring twice"}', tokens=SIGNED)


def orders(given: Given, place: str, *, names: bool, guards: bool = True) -> Response:
    """Each buys what the other sells. names: whether an order says whom from. guards: whether both sides alone are let in below."""
    name, path = caller(given.request), below(given.request)
    if not name:
        return unauthorized()
    if path == ["orders"]:
        return answer([{"id": int(number)} for number, buyer in BUYERS.items() if buyer == name])
    number = path[1] if len(path) > 1 else ""
    if number not in BUYERS:
        return missing()
    buyer = BUYERS[number]
    seller = "ben" if buyer == "ann" else "ann"
    is_party = name == buyer or (names and name == seller)
    if not is_party and (guards or len(path) < 3):
        return missing()
    if path[2:] == ["invoice"]:
        return answer(
            {"billed_to": PEOPLE[buyer]["name"], "address": "Elm Street 5", "phone": PEOPLE[buyer]["phone"], "sum": 129}
        )
    if path[2:] == ["delivery"] and given.request.method == "PUT":
        with LOCK:
            NOTES[f"{place} {number}"] = str(given.values["note"])
    told = {"id": int(number), "total": 129}
    if path[2:] == ["delivery"]:
        return answer(
            {"order": int(number), "note": NOTES.get(f"{place} {number}", "Ring twice"), "address": "Elm Street 5"}
        )
    return answer(told | ({"buyer_id": PEOPLE[buyer]["id"], "seller_id": PEOPLE[seller]["id"]} if names else {}))


@flaw("idor", request=INVOICE)
def invoices_for_anybody(given: Given) -> Response:
    return orders(given, "anybody", names=False, guards=False)


@flaw("idor", request=NOTE)
def deliveries_by_anybody(given: Given) -> Response:
    return orders(given, "by anybody", names=False, guards=False)


@twin("idor", request=INVOICE)
def invoices_for_who_sells(given: Given) -> Response:
    return orders(given, "sides", names=True)


@twin("idor", request=NOTE)
def deliveries_by_who_sells(given: Given) -> Response:
    return orders(given, "by sides", names=True)
