"""Objects of two tenants of which only one of a few words is set, or what is so and is not."""

import threading

from gatecrash.core.message import Response
from tests.range.place import Given, answer, flaw, twin
from tests.range.tenants_store import below, caller, missing, unauthorized, written

LOCK = threading.Lock()
KEPT: dict[tuple[str, str], object] = {}
OWNERS = {"31": "ann", "32": "ben"}
STAGES = ("draft", "review", "closed")
STAGE, HIDDEN = b'{"stage": "draft"}', b'{"hidden": false}'
FIRST = {"stage": "draft", "hidden": False}


def papers(given: Given, place: str, field: str, *, writes: str, keeps: bool = True) -> Response:
    """A paper that its owner alone reads. writes: who sets the field besides him, one of `all` and `none`."""
    name, path = caller(given.request), below(given.request)
    if not name:
        return unauthorized()
    owner = OWNERS.get(path[1]) if len(path) > 1 else None
    if owner is None:
        return answer([{"id": int(each)} for each, of in OWNERS.items() if of == name]) if len(path) < 2 else missing()
    if given.request.method == "GET":
        held = KEPT.get((place, path[1]), FIRST[field])
        return answer({"id": int(path[1]), field: held}) if owner == name else missing()
    if owner != name and writes == "none":
        return missing()
    wanted = given.values[field]
    if field == "stage" and wanted not in STAGES:
        return answer({"error": f"stage must be one of: {', '.join(STAGES)}"}, 422)
    if keeps or owner == name:
        with LOCK:
            KEPT[place, path[1]] = wanted
    return answer({"ok": True})


@flaw("idor", request=written("PUT", "/papers/31", STAGE))
def anybody_sets_the_stage(given: Given) -> Response:
    return papers(given, "stage", "stage", writes="all")


@flaw("idor", request=written("PATCH", "/papers/31", HIDDEN))
def anybody_shows_and_hides(given: Given) -> Response:
    return papers(given, "hidden", "hidden", writes="all")


@twin("idor", request=written("PUT", "/papers/31", STAGE))
def the_owner_sets_the_stage(given: Given) -> Response:
    return papers(given, "own_stage", "stage", writes="none")


@twin("idor", request=written("PATCH", "/papers/31", HIDDEN))
def the_owner_shows_and_hides(given: Given) -> Response:
    return papers(given, "own_hidden", "hidden", writes="none")


@twin("idor", request=written("PUT", "/papers/31", STAGE))
def politely_sets_no_stage(given: Given) -> Response:
    return papers(given, "polite", "stage", writes="all", keeps=False)


@twin("idor", request=written("PUT", "/boards/31", STAGE))
def a_board_that_all_move_on(given: Given) -> Response:
    """A card of a board: whoever is signed in reads it, lists it and moves it on."""
    name, path = caller(given.request), below(given.request)
    if not name:
        return unauthorized()
    if given.request.method == "GET":
        card = {"id": 31, "stage": KEPT.get(("board", "31"), "draft")}
        return answer([card]) if len(path) < 2 else answer(card)
    if given.values["stage"] not in STAGES:
        return answer({"error": f"stage must be one of: {', '.join(STAGES)}"}, 422)
    with LOCK:
        KEPT["board", "31"] = given.values["stage"]
    return answer({"ok": True})
