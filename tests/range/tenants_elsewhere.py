"""Objects of two tenants whose lists stand at addresses of their own, not above the objects."""

from gatecrash.core.message import Response
from tests.range.place import Given, answer, flaw, twin
from tests.range.tenants_store import UUIDS, asked, below, caller, missing, orders, unauthorized

MINE, FAVOURITES = "/tenants-elsewhere/mine", "/tenants-elsewhere/favourites"
OFFER = "77f2c9aa-91c4-4c7b-8a07-5d1c4e2f7b33"


def at(given: Given) -> str:
    """What is asked for behind the object's own word; empty where nothing is."""
    return "/".join(below(given.request)[1:])


@twin("idor", request=asked(""))
def mine(given: Given) -> Response:
    """The caller's own, as a list shows them."""
    name = caller(given.request)
    if not name:
        return unauthorized()
    return answer({"orders": [{"uuid": each["uuid"], "name": each["name"]} for each in orders("owner = ?", name)]})


@twin("idor", request=asked(""))
def favourites(given: Given) -> Response:
    """What the caller has marked in a catalogue that is everybody's."""
    name = caller(given.request)
    if not name:
        return unauthorized()
    return answer({"offers": [{"uuid": OFFER}] if name == "ann" else []})


@flaw("idor", request=asked(f"/deliveries/{UUIDS[0]}"))
def listed_elsewhere(given: Given) -> Response:
    if not caller(given.request):
        return unauthorized()
    found = orders("uuid = ?", at(given))
    return answer({"item": found[0]["item"], "address": found[0]["address"]}) if found else missing()


@twin("idor", request=asked(f"/deliveries/{UUIDS[0]}"))
def listed_elsewhere_and_checked(given: Given) -> Response:
    found = orders("uuid = ? AND owner = ?", at(given), caller(given.request) or "")
    if not caller(given.request):
        return unauthorized()
    return answer({"item": found[0]["item"], "address": found[0]["address"]}) if found else missing()


@twin("idor", request=asked(f"/offers/{OFFER}"))
def marked_by_one(given: Given) -> Response:
    """Everybody's to read; that one of them has marked it makes it nobody's own."""
    if not caller(given.request):
        return unauthorized()
    return answer({"uuid": OFFER, "item": "Lamp", "amount": 50}) if at(given) == OFFER else missing()


@twin("idor", request=asked(f"/offers/{OFFER}"))
def marked_by_one_and_listed(given: Given) -> Response:
    """The same with who sells it, in everybody's list."""
    if not caller(given.request):
        return unauthorized()
    if not at(given):
        return answer([{"uuid": OFFER}])
    return answer({"uuid": OFFER, "item": "Lamp", "phone": "+44 20 7946"}) if at(given) == OFFER else missing()
