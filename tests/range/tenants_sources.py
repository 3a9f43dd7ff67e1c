"""A bank of two tenants: who makes a transfer says which account it is taken from, and is believed or not."""

import itertools

from gatecrash.core.message import Response
from tests.range.place import Given, answer, flaw, twin
from tests.range.tenants_store import PEOPLE, SIGNED, asked, below, caller, missing, unauthorized, written

NUMBERS = itertools.count(9001)
MADE: dict[str, dict[int, dict]] = {}
ACCOUNTS = {"ann": [70311, 70312], "ben": [70411]}
RENT = b'{"from_account": 70311, "to_account": 70312, "amount": 5, "memo": "Rent of the shed"}'
LIST = (asked("/accounts", tokens=SIGNED),)


def bank(given: Given, place: str, *, checks: bool = False, believes: bool = True, joint: bool = False) -> Response:
    """checks: only one's own account may be named. believes: what is named is taken from. joint: both list all accounts."""
    name, path = caller(given.request), below(given.request)
    if not name:
        return unauthorized()
    own = [number for each in ACCOUNTS.values() for number in each] if joint else ACCOUNTS.get(name, [])
    made = MADE.setdefault(place, {})
    if path == ["accounts"]:
        return answer([{"id": number, "kind": "current"} for number in own])
    if path[:1] != ["transfers"]:
        return missing()
    if given.request.method == "GET":
        found = made.get(int(path[1])) if len(path) == 2 and path[1].isdigit() else None
        if len(path) == 1:
            return answer([each for each in list(made.values())[-20:] if each["from_account"] in own])
        return answer(found) if found is not None and found["from_account"] in own else missing()
    source = given.values["from_account"] if believes else own[0]
    if checks and source not in own:
        return missing()
    number = next(NUMBERS)
    made[number] = {"id": number, **given.values, "from_account": source}
    return answer({"id": number}, 201)


@flaw("idor", request=written("POST", "/transfers", RENT, tokens=SIGNED), beside=LIST)
def taken_from_anybodys(given: Given) -> Response:
    return bank(given, "any")


@twin("idor", request=written("POST", "/transfers", RENT, tokens=SIGNED), beside=LIST)
def taken_from_ones_own(given: Given) -> Response:
    return bank(given, "own", checks=True)


@twin("idor", request=written("POST", "/transfers", RENT, tokens=SIGNED), beside=LIST)
def taken_from_the_callers_own(given: Given) -> Response:
    """Whatever is named, it is taken from the caller's first one."""
    return bank(given, "callers", believes=False)


@twin("idor", request=written("POST", "/transfers", RENT, tokens=SIGNED), beside=LIST)
def taken_from_what_both_have(given: Given) -> Response:
    return bank(given, "joint", joint=True)


HELD: dict[str, dict[str, int]] = {}
PURSES = {"ann": "P-70311", "ben": "P-70411"}
TIP = b'{"wallet_from": "P-70311", "wallet_to": "P-70900", "amount": 3}'
PURSE_LIST = (asked("/wallets", tokens=SIGNED),)


def purse(given: Given, place: str, *, checks: bool = False, believes: bool = True) -> Response:
    """Wallets that say what they hold, and tips without a word beside them, which nobody reads again."""
    name, path = caller(given.request), below(given.request)
    if name not in PURSES:
        return unauthorized()
    held = HELD.setdefault(place, dict.fromkeys(PURSES.values(), 100_000))
    if path == ["wallets"]:
        return answer([{"id": PURSES[name], "balance": held[PURSES[name]]}])
    if path != ["tips"] or given.request.method != "POST":
        return missing()
    source = given.values["wallet_from"] if believes else PURSES[name]
    if source not in held or (checks and source != PURSES[name]):
        return missing()
    if int(given.values["amount"]) <= 0:
        return answer({"error": "the amount must be above zero"}, 422)
    held[source] -= int(given.values["amount"])
    return answer({"done": True}, 201)


@flaw("idor", request=written("POST", "/tips", TIP, tokens=SIGNED), beside=PURSE_LIST)
def tipped_from_anybodys(given: Given) -> Response:
    return purse(given, "any")


@twin("idor", request=written("POST", "/tips", TIP, tokens=SIGNED), beside=PURSE_LIST)
def tipped_from_ones_own(given: Given) -> Response:
    return purse(given, "own", checks=True)


@twin("idor", request=written("POST", "/tips", TIP, tokens=SIGNED), beside=PURSE_LIST)
def tipped_from_the_callers(given: Given) -> Response:
    return purse(given, "callers", believes=False)


GIFT = b'{"from_id": 7, "to_id": 8, "points": 3}'
OWN_POINTS = (asked("/points", tokens=SIGNED),)


def points(given: Given, place: str, *, checks: bool = False, believes: bool = True) -> Response:
    """What each has gathered, told to himself alone, and gifts from one to another, each called by his own number."""
    name, path = caller(given.request), below(given.request)
    if name not in PURSES:
        return unauthorized()
    held = HELD.setdefault(place, {str(PEOPLE[each]["id"]): 100_000 for each in PURSES})
    own = str(PEOPLE[name]["id"])
    if path == ["points"]:
        return answer({"id": int(own), "points": held[own]})
    if path != ["gifts"] or given.request.method != "POST":
        return missing()
    source = str(given.values["from_id"]) if believes else own
    if source not in held or (checks and source != own):
        return missing()
    if int(given.values["points"]) <= 0:
        return answer({"error": "no points are given"}, 422)
    held[source] -= int(given.values["points"])
    return answer({"done": True}, 201)


@flaw("idor", request=written("POST", "/gifts", GIFT, tokens=SIGNED), beside=OWN_POINTS)
def given_by_whoever_is_named(given: Given) -> Response:
    return points(given, "named")


@twin("idor", request=written("POST", "/gifts", GIFT, tokens=SIGNED), beside=OWN_POINTS)
def given_by_who_is_named_and_sends_it(given: Given) -> Response:
    return points(given, "sender", checks=True)


@twin("idor", request=written("POST", "/gifts", GIFT, tokens=SIGNED), beside=OWN_POINTS)
def given_by_who_sends_it(given: Given) -> Response:
    """Whoever is named, they are taken from who sends it."""
    return points(given, "senders", believes=False)
