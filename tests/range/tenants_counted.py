"""Objects of two tenants of which only how many is changed, several that are asked for at once, a function by its method, and
what is put into baskets.
"""

import threading

from gatecrash.core.message import Response
from tests.range.place import Given, answer, flaw, twin
from tests.range.tenants_store import PEOPLE, SIGNED, asked, below, caller, missing, orders, unauthorized, written

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


ENTRY = b'{"good": 12, "basketId": 7, "quantity": 2}'
WITH_BASKETS = (asked("/basket/7", tokens=SIGNED), asked("/entries", tokens=SIGNED))
ENTRIES: dict[str, list[dict[str, object]]] = {}


def entries(given: Given, place: str, *, kept: tuple[str, ...], told: bool = True) -> Response:
    """What lies in baskets, which are numbered as their owners are; anybody who is signed in reads all entries.

    kept: into whose basket it may be put, beside the caller's own. told: whether an entry says in which it lies.
    """
    name, path = caller(given.request), below(given.request)
    if not name:
        return unauthorized()
    own = int(str(PEOPLE[name]["id"]))
    with LOCK:
        held = ENTRIES.setdefault(place, [{"id": 501, "good": 9, "basketId": 8, "quantity": 3}])
        if path[0] == "basket":
            return answer({"id": int(path[1]), "customer": int(path[1])}) if path[1] == str(own) else missing()
        if given.request.method == "POST":
            wanted = int(str(given.values["basketId"]))
            into = wanted if name in kept else own
            new = {"id": 501 + len(held), "good": 12, "basketId": into, "quantity": int(str(given.values["quantity"]))}
            held.append(new)
        shown = [each if told else {key: each[key] for key in each if key != "basketId"} for each in held]
    return answer(shown[-1], 201) if given.request.method == "POST" else answer(shown)


@flaw("idor", request=written("POST", "/entries", ENTRY, tokens=SIGNED), beside=WITH_BASKETS)
def put_into_any_basket(given: Given) -> Response:
    """All read the entries, and each says in whose basket it lies."""
    return entries(given, "any_basket", kept=tuple(PEOPLE))


@twin("idor", request=written("POST", "/entries", ENTRY, tokens=SIGNED), beside=WITH_BASKETS)
def put_into_ones_own_basket(given: Given) -> Response:
    """Whichever is named."""
    return entries(given, "own_basket", kept=())


@twin("idor", request=written("POST", "/entries", ENTRY, tokens=SIGNED), beside=WITH_BASKETS)
def put_into_ones_own_untold(given: Given) -> Response:
    """The same, and no entry says where it lies."""
    return entries(given, "own_untold", kept=(), told=False)
