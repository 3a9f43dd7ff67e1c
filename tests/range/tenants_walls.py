"""What everybody reads and one began: walls that all write on, and what its owner alone may change."""

from gatecrash.core.message import Response
from tests.range.place import Given, answer, flaw, twin
from tests.range.tenants_store import PEOPLE, SIGNED, asked, below, caller, missing, unauthorized, written

SHOWN: dict[str, dict[str, dict]] = {}
_LEAFLET = {"title": "Fair of the quarter", "owner_id": PEOPLE["ann"]["id"]}
_OTHER = {"title": "Lamps of the quay", "owner_id": PEOPLE["ben"]["id"]}


def walls(given: Given, place: str, *, alone: bool = False, **said: object) -> Response:
    """said: what each of them tells beside. alone: its owner's change is done, and nobody else's."""
    name, path = caller(given.request), below(given.request)
    if not name:
        return unauthorized()
    shown = SHOWN.setdefault(place, {"61201": {**_LEAFLET, **said}, "61202": {**_OTHER, **said}})
    if len(path) == 1:
        return answer([{"id": int(each), **shown[each]} for each in shown])
    if path[-1] not in shown:
        return missing()
    if given.request.method == "PUT":
        if alone and shown[path[-1]]["owner_id"] != PEOPLE[name]["id"]:
            return answer({"error": "forbidden"}, 403)
        shown[path[-1]]["title"] = str(given.values["title"])
    return answer({"id": int(path[-1]), **shown[path[-1]]})


def put(word: str) -> dict:
    """One of them is changed; the list and the page are read beside."""
    return {
        "request": written("PUT", f"/{word}/61201", b'{"title": "Fair of the quarter"}', tokens=SIGNED),
        "beside": (asked(f"/{word}", tokens=SIGNED), asked(f"/{word}/61201", tokens=SIGNED)),
    }


@flaw("idor", **put("leaflets"))
def of_leaflets(given: Given) -> Response:
    return walls(given, "of_leaflets")


@flaw("idor", **put("dashboards"))
def of_dashboards(given: Given) -> Response:
    """Each arranges his own, which all may look at."""
    return walls(given, "of_dashboards")


@flaw("idor", **put("sheets"))
def of_sheets_for_editors(given: Given) -> Response:
    """That its owner alone edits it is said, and not looked at."""
    return walls(given, "of_sheets", edit_policy="owner")


@twin("idor", **put("noticeboards"))
def of_noticeboards(given: Given) -> Response:
    return walls(given, "of_noticeboards")


@twin("idor", **put("pages"))
def of_pages_for_everyone(given: Given) -> Response:
    return walls(given, "of_pages", edit_policy="everyone")


@twin("idor", **put("tablets"))
def of_its_owner_alone(given: Given) -> Response:
    return walls(given, "of_tablets", alone=True)
