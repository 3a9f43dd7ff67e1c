"""What stands below a word that calls its reader: `/ann@example.com/bills/31`. Each has the same pages below his own."""

from collections.abc import Callable, Collection

from gatecrash.core.message import Response
from tests.range.place import Given, answer, flaw, miss, twin
from tests.range.tenants_store import PEOPLE, SIGNED, asked, below, caller, missing, unauthorized

BILLS = {"31": ("ann", "Cable car", 412), "32": ("ben", "Boat rental", 233), "33": ("ann", "Hut dinner", 96)}
SHARED = {number: ("ann ben", what, spent) for number, (_, what, spent) in BILLS.items()}
_WORD = str(PEOPLE["ann"]["email"])
_BILL, _SPENT, _DRAWING = (asked(f"/{_WORD}/{each}", tokens=SIGNED) for each in ("bills/31", "spent", "drawings/31"))
Shown = Callable[[str, list[str]], Response]
ROOT, SPENT, LIST, ONE = "root", "spent", "list", "one"


def _kind(path: list[str]) -> str:
    return ROOT if not path else SPENT if path == ["spent"] else LIST if len(path) == 1 else ONE


def house(given: Given, shown: Shown, *, open_to_all: Collection[str] = ()) -> Response:
    """What is below a word, for whoever is called so. open_to_all: what everybody who is signed in is shown. shown: by the house's name."""
    name, path = caller(given.request), below(given.request)
    if not name:
        return unauthorized()
    whose = next((each for each, told in PEOPLE.items() if path and told["email"] == path[0]), "")
    if not whose or (whose != name and _kind(path[1:]) not in open_to_all):
        return missing()
    return shown(whose, path[1:])


def bills(whose: str, path: list[str], *, any_number: bool = False, kept: dict = BILLS) -> Response:
    """The bills of a house. any_number: one of another house is found by its number, too."""
    own = {number: each for number, each in kept.items() if whose in each[0].split()}
    if _kind(path) == ROOT:
        return answer({"house": f"House {len(whose)}-{whose[0]}", "currency": "EUR", "bills": len(own)})
    if _kind(path) == SPENT:
        return answer(
            {"spent": sum(each[2] for each in own.values()), "longest": max(each[1] for each in own.values())}
        )
    found = kept if any_number else own
    if _kind(path) == ONE:
        return _told(path[1], found[path[1]]) if path[1] in found else missing()
    return answer([{"id": int(number), "what": each[1]} for number, each in own.items()])


def _told(number: str, bill: tuple[str, str, int]) -> Response:
    return answer({"id": int(number), "what": bill[1], "amount": bill[2]})


@flaw("idor", request=_BILL)
def bill_of_every_house(given: Given) -> Response:
    """The lists are guarded, and what stands in them is not."""
    return house(given, bills, open_to_all=(ONE,))


# People's names have pages below them that all may see.
@miss("idor", request=_SPENT)
def sums_of_every_house(given: Given) -> Response:
    return house(given, bills, open_to_all=(SPENT,))


@flaw("idor", request=_BILL)
def bill_by_its_number_alone(given: Given) -> Response:
    """Whose house it is is looked at, and whose bill it is is not."""
    return house(given, lambda whose, path: bills(whose, path, any_number=True))


@twin("idor", request=_BILL)
def bill_is_looked_at_too(given: Given) -> Response:
    return house(given, bills)


@twin("idor", request=_SPENT)
def houses_that_all_may_visit(given: Given) -> Response:
    """Members see each other's pages, from the first one on."""
    return house(given, bills, open_to_all=(ROOT, SPENT))


@twin("idor", request=_DRAWING)
def drawings_that_all_may_see(given: Given) -> Response:
    """The list is its owner's to tidy up; a drawing is for everybody who has its address."""
    return house(given, bills, open_to_all=(ONE,))


@twin("idor", request=_BILL)
def bills_of_both_houses(given: Given) -> Response:
    return house(given, lambda whose, path: bills(whose, path, kept=SHARED), open_to_all=(ONE,))


@twin("idor", request=_BILL)
def bills_are_counted_in_each_house(given: Given) -> Response:
    """Each has a bill 31 of its own."""

    def shown(whose: str, path: list[str]) -> Response:
        own = ("31", (whose, f"Bread for {whose}", 40 + len(whose)))
        return _told(*own) if _kind(path) == ONE and path[1] == "31" else bills(whose, path, kept=dict([own]))

    return house(given, shown)
