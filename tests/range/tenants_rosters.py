"""Lists of those who belong to a place, and how much of each they tell the others."""

from collections.abc import Callable

from gatecrash.core.message import Response
from tests.range.place import Given, answer, flaw, miss, twin
from tests.range.tenants_store import PEOPLE, SECRETS, SIGNED, asked, below, caller, unauthorized

ROSTER = asked("/crew", tokens=SIGNED)
Told = Callable[[str, str], dict[str, object]]


def roster(given: Given, told: Told, *, own: bool = False) -> Response:
    """Everybody by name and address. told: what is added of each, by the name of the reader. own: nobody but himself is told."""
    name = caller(given.request)
    if not name or below(given.request) != ["crew"]:
        return unauthorized()
    shown = [each for each in PEOPLE if not own or each == name]
    return answer([{"email": PEOPLE[each]["email"], **told(each, name)} for each in shown])


def account(name: str) -> str:
    return f"GB29NWBK{SECRETS[name]:014}"


@flaw("info", request=ROSTER)
def accounts_of_all(given: Given) -> Response:
    return roster(given, lambda each, _: {"name": PEOPLE[each]["name"], "iban": account(each)})


@twin("info", request=ROSTER)
def accounts_each_his_own(given: Given) -> Response:
    return roster(given, lambda each, reader: {"iban": account(each) if each == reader else None})


@twin("info", request=ROSTER)
def accounts_of_those_one_pays(given: Given) -> Response:
    """What the reader wrote down himself of the others, and of himself."""
    return roster(given, lambda each, reader: {"iban": f"{account(each)[:-2]}{PEOPLE[reader]['id']}0"})


@twin("info", request=ROSTER)
def one_account_for_all(given: Given) -> Response:
    return roster(given, lambda *_: {"iban": account("ida")})


@twin("info", request=ROSTER)
def how_to_reach_each(given: Given) -> Response:
    return roster(given, lambda each, _: {"name": PEOPLE[each]["name"], "phone": PEOPLE[each]["phone"]})


@miss("info", request=ROSTER)
def accounts_below_numbers(given: Given) -> Response:
    """Nothing but a small number says whose each is, which may be any number."""
    name = caller(given.request)
    if not name:
        return unauthorized()
    return answer([{"no": PEOPLE[each]["id"], "iban": account(each)} for each in PEOPLE])
