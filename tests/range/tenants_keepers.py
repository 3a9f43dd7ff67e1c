"""Objects that all see in one list, each under the name of somebody, in a field that no list of words has: `keeper`."""

from collections.abc import Callable

from gatecrash.core.message import Response
from tests.range.place import Given, answer, flaw, twin
from tests.range.tenants_store import PEOPLE, SIGNED, asked, below, caller, missing, unauthorized

VOLUMES = {"herbal": "ann", "atlas": "ben", "ledger": "eva"}
_HERBAL = asked("/volumes/herbal", tokens=SIGNED)
Told = Callable[[str, str], dict[str, object]]


def _library(given: Given, told: Told, *, guarded: bool = False) -> Response:
    """The list, and one volume. told: what is said of it, by its title and its keeper's address."""
    name, path = caller(given.request), below(given.request)
    if not name:
        return unauthorized()
    if path == ["volumes"]:
        return answer({"volumes": [{"title": title} for title in VOLUMES]})
    keeper = VOLUMES.get(path[-1], "")
    if not keeper or (guarded and keeper != name):
        return missing()
    return answer({"title": path[-1], **told(path[-1], str(PEOPLE[keeper]["email"]))})


def _hidden(title: str, keeper: str) -> dict[str, object]:
    return {"hidden_text": f"between two leaves of the {title}", "keeper": keeper}


@flaw("idor", request=_HERBAL)
def hidden_texts_of_every_keeper(given: Given) -> Response:
    return _library(given, _hidden)


@twin("idor", request=_HERBAL)
def hidden_texts_for_their_keepers(given: Given) -> Response:
    return _library(given, _hidden, guarded=True)


@twin("idor", request=_HERBAL)
def what_is_said_of_a_volume(given: Given) -> Response:
    """Who keeps it is said beside it, so that others ask him."""
    return _library(given, lambda title, keeper: {"remark": f"the {title} is on the upper shelf", "keeper": keeper})


@twin("idor", request=_HERBAL)
def hidden_texts_of_a_reading_circle(given: Given) -> Response:
    """Who wrote it down, or changed it last, did so for all."""

    def told(title: str, member: str) -> dict[str, object]:
        return {"hidden_text": f"the end of the {title}", "written_by": member, "updated_by": member, "reader": member}

    return _library(given, told)
