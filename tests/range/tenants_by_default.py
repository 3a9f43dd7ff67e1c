"""Pages that tell each caller of himself, and take a header's word for who that is, or do not."""

from gatecrash.core.message import Request, Response
from tests.range.place import Given, answer, flaw, twin
from tests.range.tenants_store import PEOPLE, SIGNED, caller, unauthorized

NAMES = {str(person["id"]): name for name, person in PEOPLE.items()}
MILES = {"ann": ("12 Quay Lane", 1841, "2019-03-04"), "ben": ("3 Mill Row", 77, "2021-11-30")}


def ridden(place: str) -> Request:
    token = (b"Authorization", SIGNED["ann"].encode())
    return Request("GET", (place + "/ridden").encode(), (token, (b"X-Reader", b"7")))


def told(name: str) -> Response:
    street, miles, since = MILES.get(name, ("none", 0, "never"))
    return answer({"reader": PEOPLE[name]["id"], "street": street, "miles": miles, "since": since})


@flaw("idor", request=ridden)
def believes_the_header(given: Given) -> Response:
    name = caller(given.request)
    asked_for = (given.request.first(b"X-Reader") or b"").decode()
    return told(NAMES.get(asked_for, name)) if name else unauthorized()


@twin("idor", request=ridden)
def asks_the_session(given: Given) -> Response:
    name = caller(given.request)
    return told(name) if name else unauthorized()


@twin("idor", request=ridden)
def compares_the_header(given: Given) -> Response:
    name = caller(given.request)
    if not name:
        return unauthorized()
    asked_for = (given.request.first(b"X-Reader") or b"").decode()
    return told(name) if NAMES.get(asked_for, name) == name else answer({"error": "not you"}, 403)


@twin("idor", request=ridden)
def tells_the_same_of_all(given: Given) -> Response:
    """Whoever is meant: the club's own miles."""
    return answer({"club": "Quay", "miles": 8120, "since": "2011-05-05"}) if caller(given.request) else unauthorized()
