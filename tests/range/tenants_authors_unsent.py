"""An API that says of what is made whose it is, by a member that no request of its own clients holds."""

import itertools

from gatecrash.core.message import Response
from tests.range.place import Given, answer, flaw, twin
from tests.range.tenants_authors import ann_writes
from tests.range.tenants_store import PEOPLE, below, caller, missing, unauthorized

NUMBERS = itertools.count(1)
MADE: dict[str, dict[int, dict]] = {}
LINE = ann_writes("/lines", text='"Sow it in October"')


def kept(given: Given, place: str, whose) -> Response:
    """One line, all of the caller's own, or a new one of whom `whose` says, by who sends it and whom that one names."""
    name, made = caller(given.request), MADE.setdefault(place, {})
    if not name:
        return unauthorized()
    own, path = PEOPLE[name]["id"], below(given.request)
    if given.request.method == "GET":
        if len(path) == 1:
            return answer({"lines": [each for each in made.values() if each["member_id"] == own][-20:]})
        found = made.get(int(path[1])) if len(path) == 2 and path[1].isdigit() else None
        return missing() if found is None or found["member_id"] != own else answer(found)
    member = whose(own, given.values.get("member_id"))
    if member is None:
        return answer({"error": "not yours"}, 403)
    number = next(NUMBERS)
    made[number] = {"id": number, "member_id": member, "text": given.values["text"]}
    return answer(made[number], 201)


@flaw("idor", request=LINE)
def lines_of_whom_they_name(given: Given) -> Response:
    return kept(given, "lines_of_whom_they_name", lambda own, named: own if named is None else named)


@twin("idor", request=LINE)
def lines_of_who_sends(given: Given) -> Response:
    return kept(given, "lines_of_who_sends", lambda own, _: own)


@twin("idor", request=LINE)
def lines_of_nobody_else(given: Given) -> Response:
    return kept(given, "lines_of_nobody_else", lambda own, named: own if named in (None, own) else None)
