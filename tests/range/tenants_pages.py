"""Two tenants on pages and by GraphQL: an account's page with the number of anybody's, a query that asks for an order."""

import json

from gatecrash.core.message import Request, Response
from tests.range.place import Given, answer, flaw, page, posted, twin
from tests.range.tenants_store import PEOPLE, SECRETS, SIGNED, asked, caller, orders

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
