"""Two tenants on pages and by GraphQL: an account's page with the number of anybody's, a query that asks for an order."""

import json
from collections.abc import Callable

from gatecrash.core.message import Request, Response
from tests.range.place import Given, answer, flaw, page, posted, text, twin
from tests.range.tenants_store import PEOPLE, SECRETS, SIGNED, asked, below, caller, orders

QUERY = "query One($id: Int!) { order(id: $id) { id owner item total address } }"


def shown(name: str) -> Response:
    """An account as a page shows it."""
    person = PEOPLE[name]
    return page(
        f"<h1>Account</h1><dl><dt>Name</dt><dd>{person['name']}</dd><dt>Phone</dt><dd>{person['phone']}</dd>"
        f"<dt>Balance</dt><dd>{SECRETS[name]}</dd></dl>"
    )


def sought(given: Given) -> str:
    """Whose number the request names; empty for nobody's."""
    number = str(given.values.get("id", ""))
    return next((name for name, each in PEOPLE.items() if str(each["id"]) == number and name in SECRETS), "")


@flaw("idor", request=asked("?id=7"))
def own_page(given: Given) -> Response:
    """Without a number it is the caller's own page; with one it is anybody's."""
    name = caller(given.request)
    if not name:
        return page("<p>Please sign in.</p>", 401)
    wanted = sought(given) if "id" in given.values else name
    return shown(wanted) if wanted else page("<p>No such account.</p>", 404)


@twin("idor", request=asked("?id=7"))
def own_page_only(given: Given) -> Response:
    """Whatever the number, the page is the caller's own."""
    name = caller(given.request)
    return shown(name) if name else page("<p>Please sign in.</p>", 401)


@twin("idor", request=asked("?id=7"))
def branch_page(given: Given) -> Response:
    """A shop's branches: without a number the caller's nearest, with one any of them, and nothing is anybody's own."""
    name = caller(given.request)
    if not name:
        return page("<p>Please sign in.</p>", 401)
    wanted = sought(given) if "id" in given.values else name
    if not wanted:
        return page("<p>No such branch.</p>", 404)
    return page(
        f"<dl><dt>Branch</dt><dd>{wanted.title()} Street</dd><dt>Open</dt><dd>{SECRETS[wanted] % 9}-18</dd></dl>"
    )


RECEIPTS = {"849fa80c6203fdc1": "ann", "78cae4c8e58936bb": "ben"}


def receipt(given: Given, *, checks: bool = False, listed: bool = False) -> Response:
    """A receipt at a code. checks: its owner alone is shown it. listed: all of them are listed to everybody."""
    name, path = caller(given.request), below(given.request)
    if not name:
        return page("<p>Please sign in.</p>", 401)
    if len(path) < 2 and listed:
        root = given.request.path.decode()
        return page("".join(f"<ul><li><a href='{root}/{code}'>No. {code}</a></li></ul>" for code in RECEIPTS))
    owner = RECEIPTS.get(path[1], "") if len(path) == 2 else ""
    if not owner or (checks and owner != name):
        return page("<p>No such receipt.</p>", 404)
    person = PEOPLE[owner]
    return page(f"<h1>Receipt</h1><p>To: {person['email']}</p><p>{person['name']}</p><p>Paid: {SECRETS[owner]}</p>")


@flaw("idor", request=asked("/receipts/849fa80c6203fdc1", tokens=SIGNED))
def anybodys_receipt(given: Given) -> Response:
    return receipt(given)


@twin("idor", request=asked("/receipts/849fa80c6203fdc1", tokens=SIGNED))
def ones_own_receipt(given: Given) -> Response:
    return receipt(given, checks=True)


_PRINTED = asked("/receipts/849fa80c6203fdc1/printing", tokens=SIGNED)
_BESIDE_PRINTED = (asked("/receipts", tokens=SIGNED), asked("/receipts/849fa80c6203fdc1", tokens=SIGNED))


def printing(given: Given, told: Callable[[str], str]) -> Response:
    """A page that waits for a print, below receipts that are kept. told: what it says of whom a receipt is for."""
    name, path = caller(given.request), below(given.request)
    if len(path) == 2 or not name:
        return receipt(given, checks=True)
    if len(path) < 2:
        root = given.request.path.decode()
        own = (code for code, owner in RECEIPTS.items() if owner == name)
        return page("".join(f"<ul><li><a href='{root}/{code}'>No. {code}</a></li></ul>" for code in own))
    code = path[1]
    return page(
        f"<title>{code}</title><h1>Receipt {code}</h1><p>No. {code} {told(RECEIPTS.get(code, ''))}is printed.</p>"
    )


@flaw("idor", request=_PRINTED, beside=_BESIDE_PRINTED)
def prints_of_anybody(given: Given) -> Response:
    return printing(given, lambda owner: f"of {SECRETS[owner]} for {PEOPLE[owner]['email']} " if owner else "")


@twin("idor", request=_PRINTED, beside=_BESIDE_PRINTED)
def prints_of_any_code(given: Given) -> Response:
    """It repeats the code that it is asked with, whatever that is, and says nothing else."""
    return printing(given, lambda owner: "")


@twin("idor", request=asked("/receipts/849fa80c6203fdc1", tokens=SIGNED))
def receipts_of_an_office(given: Given) -> Response:
    """Who works there sees all of them, and finds them in one list."""
    return receipt(given, listed=True)


def line(given: Given, told: str, *, checks: bool = False) -> Response:
    """What a text says in one line of an order that each caller's own list shows. checks: to its owner alone."""
    name, path = caller(given.request), below(given.request)
    if not name:
        return text("Please sign in.", 401)
    if len(path) < 2:
        return answer([{"id": each["id"]} for each in orders("owner = ?", name)])
    found = orders("id = ?", int(path[1])) if path[1].isdigit() else []
    if not found or (checks and found[0]["owner"] != name):
        return text("No such order.", 404)
    return text(told.format(**found[0]))


@flaw("idor", request=asked("/orders/31/export"))
def one_line_of_an_order(given: Given) -> Response:
    return line(given, "{owner} has {item} sent to {address}")


@twin("idor", request=asked("/orders/31/export"))
def one_line_of_ones_own_order(given: Given) -> Response:
    return line(given, "{owner} has {item} sent to {address}", checks=True)


@twin("idor", request=asked("/orders/31/state"))
def one_word_of_an_order(given: Given) -> Response:
    """Whether it is on its way, which is in the one word that it answers."""
    return line(given, "dispatched")


def file(given: Given, *, checks: bool = False, read_by_all: bool = False) -> Response:
    """An order as a file, whose page its owner alone reads; nothing lists them. checks: of the file, too. read_by_all: the page by all."""
    name, path = caller(given.request), below(given.request)
    if not name:
        return text("Please sign in.", 401)
    found = orders("id = ?", int(path[1])) if len(path) > 1 and path[1].isdigit() else []
    is_own = bool(found) and found[0]["owner"] == name
    if not found or not (is_own or (read_by_all or not checks if len(path) > 2 else read_by_all)):
        return text("No such order.", 404)
    shown = {key: found[0][key] for key in ("id", "item", "total")}
    return answer(shown) if len(path) < 3 else Response(200, (), b"\x00ORD\x01" + json.dumps(shown).encode())


# Other places show both the same number, and would say that it is for both.
@flaw("idor", request=asked("/orders/31/download"), apart=True)
def a_file_of_an_order(given: Given) -> Response:
    return file(given)


@twin("idor", request=asked("/orders/31/download"))
def a_file_of_ones_own_order(given: Given) -> Response:
    return file(given, checks=True)


@twin("idor", request=asked("/orders/31/download"))
def a_file_of_an_order_that_all_read(given: Given) -> Response:
    return file(given, read_by_all=True)


def query(path: str) -> Request:
    body = json.dumps({"query": QUERY, "variables": {"id": 31}}).encode()
    return posted(path, body, b"application/json", ((b"Authorization", SIGNED["ann"].encode()),))


def resolved(given: Given, where: str, *values: object) -> Response:
    """An order as a resolver gives it, whose owner is told by number as the token tells it."""
    found = orders(f"id = ? AND {where}", given.values["variables"]["id"], *values)
    order = {**found[0], "owner": {"id": PEOPLE[found[0]["owner"]]["id"]}} if found else None
    return answer({"data": {"order": order}})


def refused() -> Response:
    return answer({"data": {"order": None}, "errors": [{"message": "not authenticated"}]})


@flaw("idor", request=query)
def by_argument(given: Given) -> Response:
    return resolved(given, "1 = 1") if caller(given.request) else refused()


@twin("idor", request=query)
def by_argument_and_owner(given: Given) -> Response:
    name = caller(given.request)
    return resolved(given, "owner = ?", name) if name else refused()


@twin("idor", request=query)
def by_argument_of_all(given: Given) -> Response:
    """Deliveries that all who are signed in may see: nothing in them is private."""
    if not caller(given.request):
        return refused()
    found = orders("id = ?", given.values["variables"]["id"])
    seen = {"id": found[0]["id"], "item": found[0]["item"], "owner": found[0]["owner"]} if found else None
    return answer({"data": {"order": seen}})


PARCELS = {"7301": ("ann", "Two oars"), "7302": ("ben", "A lamp"), "7303": ("ann", "A buoy")}


def parcel_page(given: Given, *, checks: bool = False, listed: bool = False) -> Response:
    """The caller's parcels, each linked to by its number alone, and one by that number. checks, listed: as for receipts."""
    name, wanted = caller(given.request), str(given.values.get("no", ""))
    if not name:
        return page("<p>Please sign in.</p>", 401)
    if not wanted:
        own = [number for number, (owner, _) in PARCELS.items() if listed or owner == name]
        return page("".join(f"<ul><li><a href='?no={number}'>Parcel</a></li></ul>" for number in own))
    owner, content = PARCELS.get(wanted, ("", ""))
    if not owner or (checks and owner != name):
        return page("<p>No such parcel.</p>", 404)
    return page(f"<h1>Parcel</h1><p>{content}</p><p>Row {SECRETS[owner] % 97}</p><p>Gate {SECRETS[owner] % 89}</p>")


@flaw("idor", request=asked("?no=7301"))
def parcel_by_number(given: Given) -> Response:
    """Anybody's parcel is shown, and each caller's list has his own alone."""
    return parcel_page(given)


@twin("idor", request=asked("?no=7301"))
def parcel_of_its_owner(given: Given) -> Response:
    """Only its owner is shown it."""
    return parcel_page(given, checks=True)


@twin("idor", request=asked("?no=7301"))
def parcel_on_the_board(given: Given) -> Response:
    """All parcels are listed to everybody."""
    return parcel_page(given, listed=True)
