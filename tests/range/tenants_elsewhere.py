"""Objects of two tenants whose lists stand at addresses of their own, not above the objects."""

from gatecrash.core.message import Response
from tests.range.place import Given, answer, flaw, twin
from tests.range.tenants_store import SIGNED, UUIDS, asked, below, caller, missing, orders, unauthorized

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


def bill(given: Given, *, checks: bool = False, listed: bool = False) -> Response:
    """A bill that says whose it is, as other lists of his do, with nothing private. checks: its holder alone reads
    it. listed: all of them are listed to everybody.
    """
    name = caller(given.request)
    if not name:
        return unauthorized()
    if not at(given) and listed:
        return answer([{"id": each["id"]} for each in orders("id > ?", 0)])
    found = orders("id = ?", int(at(given))) if at(given).isdigit() else []
    if not found or (checks and found[0]["owner"] != name):
        return missing()
    return answer(
        {"id": found[0]["id"], "holder": found[0]["owner"], "item": found[0]["item"], "due": found[0]["total"]}
    )


# Other places show both the same number, and would say that it is for both.
@flaw("idor", request=asked("/bills/31", tokens=SIGNED), apart=True)
def a_bill_that_no_list_shows(given: Given) -> Response:
    return bill(given)


@twin("idor", request=asked("/bills/31", tokens=SIGNED))
def a_bill_of_ones_own(given: Given) -> Response:
    return bill(given, checks=True)


@twin("idor", request=asked("/bills/31", tokens=SIGNED))
def bills_of_an_office(given: Given) -> Response:
    """Who works there sees all of them, and finds them in one list."""
    return bill(given, listed=True)


@twin("idor", request=asked("/bills/33", tokens=SIGNED))
def a_bill_of_a_third(given: Given) -> Response:
    """What is asked for as either names somebody else: nobody of them holds it."""
    return bill(given)


@twin("idor", request=asked("/tasks/31", tokens=SIGNED))
def a_task_that_no_list_shows(given: Given) -> Response:
    """Work names who has it for all who work beside him."""
    return bill(given)
