"""Repairs that are put to bikes: a request names the bike in its body, and whose that is may not be looked at."""

import itertools

from gatecrash.core.message import Response
from tests.range.place import Given, answer, flaw, miss, twin
from tests.range.tenants_store import asked, below, caller, missing, unauthorized, written

NUMBERS = itertools.count(9001)
MADE: dict[str, list[dict]] = {}
BIKES = {5211: "ann", 5212: "ben"}
REPAIR = b'{"bike_id": 5211, "note": "The chain is torn"}'
BESIDE = (asked("/bikes"), asked("/bikes/5211"), asked("/bikes/5211/repairs"))
_REPAIR = written("POST", "/repairs", REPAIR)
BOOKED = (asked("/bikes"), asked("/bikes/5211"), asked("/bookings"))
_BOOKING = written("POST", "/bookings", b'{"bike_id": 5211, "hours": 2}')


def shop(given: Given, place: str, *, puts: str = "any", reads: str = "own", shows: str = "of it") -> Response:
    """puts: to whose bikes a repair is put. reads: whose bikes somebody reads. shows: which repairs a bike's page does."""
    name, path = caller(given.request), below(given.request)
    if not name:
        return unauthorized()
    made = MADE.setdefault(place, [])
    if given.request.method == "POST":
        bike = given.values.get("bike_id")
        if bike not in BIKES or (puts == "own" and BIKES[bike] != name):
            return missing()
        number = next(NUMBERS)
        made.append({"id": number, **given.values, "bike_id": bike if puts == "any" or BIKES[bike] == name else None})
        return answer({"id": number}, 201)
    if path == ["bikes"]:
        return answer([{"id": number, "colour": "green"} for number, owner in BIKES.items() if owner == name])
    bike = int(path[1]) if len(path) > 1 and path[1].isdigit() else 0
    if bike not in BIKES or (reads == "own" and BIKES[bike] != name):
        return missing()
    if len(path) == 2:
        return answer({"id": bike, "colour": "green", "frame": f"K{bike}"})
    shown = made[-30:] if shows != "none" else []
    return answer([each for each in shown if shows == "all" or each["bike_id"] == bike])


def bookings(given: Given, place: str, *, books: str = "any", lists: str = "owner") -> Response:
    """books: whose bikes somebody books a turn for. lists: whose turns somebody reads."""
    name, path = caller(given.request), below(given.request)
    if not name:
        return unauthorized()
    made = MADE.setdefault(f"bookings {place}", [])
    if given.request.method == "POST":
        bike = given.values.get("bike_id")
        if bike not in BIKES or (books == "own" and BIKES[bike] != name):
            return missing()
        made.append({"id": next(NUMBERS), "bike_id": bike, "hours": given.values.get("hours"), "by": name})
        return answer({"id": made[-1]["id"], "bike_id": bike}, 201)
    if path != ["bookings"]:
        return shop(given, place)
    whose = {"owner": lambda each: BIKES[each["bike_id"]] == name, "sender": lambda each: each["by"] == name}
    shown = filter(whose.get(lists, bool), made[-30:])
    return answer([{"id": each["id"], "bike_id": each["bike_id"]} for each in shown])


@flaw("idor", request=_REPAIR, beside=BESIDE)
def put_to_anybodys(given: Given) -> Response:
    return shop(given, "any")


@flaw("idor", request=_BOOKING, beside=BOOKED)
def booked_for_anybodys(given: Given) -> Response:
    """A booking has no text, and its owner reads it in his list of bookings."""
    return bookings(given, "any")


@twin("idor", request=_BOOKING, beside=BOOKED)
def booked_for_ones_own(given: Given) -> Response:
    return bookings(given, "own", books="own")


@twin("idor", request=_BOOKING, beside=BOOKED)
def booked_by_whoever_asks(given: Given) -> Response:
    """A booking is its sender's, whichever bike it names: its owner reads none of it."""
    return bookings(given, "sender", lists="sender")


@twin("idor", request=_BOOKING, beside=BOOKED)
def all_bookings_of_the_day(given: Given) -> Response:
    """The shop shows all whose turn it is."""
    return bookings(given, "day", lists="all")


@twin("idor", request=_REPAIR, beside=BESIDE)
def put_to_ones_own(given: Given) -> Response:
    return shop(given, "own", puts="own")


@twin("idor", request=_REPAIR, beside=BESIDE)
def taken_and_not_put_to_it(given: Given) -> Response:
    """Whatever is sent is kept, without the bike where that is not the sender's."""
    return shop(given, "dropped", puts="dropped")


@twin("idor", request=_REPAIR, beside=BESIDE)
def put_to_what_all_read(given: Given) -> Response:
    """The bikes of a club: each lists his own, and all read and repair them."""
    return shop(given, "club", reads="all")


@twin("idor", request=_REPAIR, beside=BESIDE)
def every_repair_is_shown_to_all(given: Given) -> Response:
    """The page of a bike shows what is repaired at the shop today, whosever it is."""
    return shop(given, "board", puts="dropped", shows="all")


@miss("idor", request=_REPAIR, beside=BESIDE)
def put_to_anybodys_and_shown_to_nobody(given: Given) -> Response:
    """Only the workshop reads what is to be repaired."""
    return shop(given, "workshop", shows="none")
