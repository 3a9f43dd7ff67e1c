"""What others are shown of an object: all of it, or a view without what is its owner's alone."""

from gatecrash.core.message import Response
from tests.range.place import Given, answer, flaw, twin
from tests.range.tenants_store import PEOPLE, asked, below, caller, missing, unauthorized

ENTRIES = {
    41: {"id": 41, "owner": "ann", "title": "dentist in Elm Street", "start": "9:00", "end": "10:00"},
    42: {"id": 42, "owner": "ben", "title": "bank", "start": "11:00", "end": "12:00"},
}


def calendar(name: str) -> Response:
    return answer([each for each in ENTRIES.values() if each["owner"] == name])


def entry(given: Given) -> tuple[str, dict | None]:
    """Who asks, and for which entry; none where he asks for the list."""
    path = below(given.request)
    number = path[1] if len(path) > 1 else ""
    return caller(given.request), ENTRIES.get(int(number)) if number.isdigit() else None


@flaw("idor", request=asked("/calendar/41"))
def told_to_colleagues(given: Given) -> Response:
    name, found = entry(given)
    if not name:
        return unauthorized()
    if len(below(given.request)) < 2:
        return calendar(name)
    return answer(found) if found else missing()


@twin("idor", request=asked("/calendar/41"))
def busy_for_colleagues(given: Given) -> Response:
    """Others read when somebody is busy, and not with what."""
    name, found = entry(given)
    if not name:
        return unauthorized()
    if len(below(given.request)) < 2:
        return calendar(name)
    if found is None:
        return missing()
    return answer(found if found["owner"] == name else {**found, "title": "busy"})


@twin("idor", request=asked("/people/7"))
def a_card_without_its_telephone(given: Given) -> Response:
    """Each reads his own card, and of others what stands on the door."""
    name, path = caller(given.request), below(given.request)
    if not name:
        return unauthorized()
    if len(path) < 2:
        return answer([{"id": PEOPLE[name]["id"], "name": PEOPLE[name]["name"]}])
    found = next((each for each in PEOPLE.values() if str(each["id"]) == path[1]), None)
    if found is None:
        return missing()
    card = {**found, "town": "Delft", "floor": "second", "room": "2.17", "likes": "rowing", "since": "May"}
    own = found["id"] == PEOPLE[name]["id"]
    return answer({field: value for field, value in card.items() if own or field not in ("phone", "email")})
