"""Objects of two tenants of which only how many is changed, several that are asked for at once, and a function by its method."""

import threading

from gatecrash.core.message import Response
from tests.range.place import Given, answer, flaw, twin
from tests.range.tenants_store import PEOPLE, asked, below, caller, missing, orders, unauthorized, written

LOCK = threading.Lock()
COUNTS: dict[tuple[str, str], int] = {}
LIMITS: dict[str, int] = {}
OWNERS = {"31": "ann", "32": "ben"}
TWO = b'{"product": 12, "quantity": 2}'
LIMIT = b'{"limit": 500}'


def basket(given: Given, place: str, *, may_write: bool, keeps: bool = True) -> Response:
    """A basket that anybody may look at; its owner's own by the list. may_write: whether others may change it."""
    name, path = caller(given.request), below(given.request)
    if not name:
        return unauthorized()
    if len(path) < 2:
        return answer([{"id": int(number)} for number, owner in OWNERS.items() if owner == name])
    owner = OWNERS.get(path[1])
    if owner is None:
        return missing()
    if given.request.method == "PUT":
        if owner != name and not may_write:
            return answer({"error": "forbidden"}, 403)
        if owner == name or keeps:
            with LOCK:
                COUNTS[place, path[1]] = int(str(given.values["quantity"]))
    return answer({"id": int(path[1]), "product": 12, "quantity": COUNTS.get((place, path[1]), 2)})


@flaw("idor", request=written("PUT", "/baskets/31", TWO))
def anybody_counts(given: Given) -> Response:
    return basket(given, "anybody_counts", may_write=True)


@twin("idor", request=written("PUT", "/baskets/31", TWO))
def owners_count(given: Given) -> Response:
    return basket(given, "owners_count", may_write=False)


@twin("idor", request=written("PUT", "/baskets/31", TWO))
def politely_counts_nothing(given: Given) -> Response:
    return basket(given, "politely", may_write=True, keeps=False)


def several(given: Given, *, own: bool) -> Response:
    """Orders by their numbers; all of the caller's without any. own: others' are left out."""
    name = caller(given.request)
    if not name:
        return unauthorized()
    found = orders("owner = ?", name) if own or "ids" not in given.values else orders("1 = 1")
    wanted = str(given.values.get("ids", "")).split(",")
    chosen = [each for each in found if "ids" not in given.values or str(each["id"]) in wanted]
    return answer({"orders": [{"id": each["id"], "address": each["address"]} for each in chosen]})


@flaw("idor", request=asked("/orders?ids=31,31"))
def several_at_once(given: Given) -> Response:
    return several(given, own=False)


@twin("idor", request=asked("/orders?ids=31,31"))
def several_of_ones_own(given: Given) -> Response:
    return several(given, own=True)


@twin("idor", request=asked("/lamps?ids=31,32"))
def several_of_a_catalogue(given: Given) -> Response:
    wanted = str(given.values.get("ids", "31,32,33")).split(",")
    lamps = [{"id": number, "name": f"Lamp {number}", "address": "shelf 5"} for number in (31, 32, 33)]
    return answer([each for each in lamps if str(each["id"]) in wanted]) if caller(given.request) else unauthorized()


def limit(given: Given, place: str, *, read: tuple[str, ...], write: tuple[str, ...]) -> Response:
    """A customer's limit. read, write: the ranks that may."""
    name = caller(given.request)
    if not name:
        return unauthorized()
    if PEOPLE[name]["rank"] not in (read if given.request.method == "GET" else write):
        return answer({"error": "forbidden"}, 403)
    if given.request.method == "PUT":
        LIMITS[place] = int(str(given.values["limit"]))
    return answer({"limit": LIMITS.get(place, 500), "currency": "EUR"})


MANAGERS, ALL = ("manager",), ("manager", "customer")


@flaw("auth", request=written("PUT", "/limits/8", LIMIT, name="ida"))
def read_is_refused_and_write_is_not(given: Given) -> Response:
    """The check stands at one of two methods."""
    return limit(given, "flawed", read=MANAGERS, write=ALL)


@twin("auth", request=written("PUT", "/limits/8", LIMIT, name="ida"))
def both_are_refused(given: Given) -> Response:
    return limit(given, "both", read=MANAGERS, write=MANAGERS)


@twin("auth", request=written("PUT", "/limits/8", LIMIT, name="ida"))
def everybody_sets_a_limit(given: Given) -> Response:
    """Nothing says that it is for managers."""
    return limit(given, "everybody", read=ALL, write=ALL)
