"""Members of collections in the middle of a path, by name: `/users/ann/orders`."""

from urllib.parse import unquote

from gatecrash.core.message import Request, Response
from tests.range.place import Given, answer, flaw, twin
from tests.range.store import rows


def below(suffix: str):
    """A request for a member's own things, behind the place's path."""
    return lambda path: Request("GET", f"{path}/users/ann{suffix}".encode())


def member(given: Given) -> str:
    return unquote(given.request.path.decode("latin-1").split("/users/")[1].split("/")[0])


@flaw("sqli", request=below("/orders"))
def joined(given: Given) -> Response:
    found = rows(f"SELECT name FROM users WHERE name = '{member(given)}'")
    return answer({"orders": [3, 5] if found else []})


@flaw("sqli", request=below("?view=full"))
def joined_with_a_query(given: Given) -> Response:
    found = rows(f"SELECT name FROM users WHERE name = '{member(given)}'")
    return answer({"name": found[0][0]}) if found else answer({"error": "not found"}, 404)


@twin("sqli", request=below("/orders"))
def bound(given: Given) -> Response:
    return answer({"orders": [3, 5] if rows("SELECT name FROM users WHERE name = ?", member(given)) else []})


@twin("sqli", request=below("/orders"))
def routed(given: Given) -> Response:
    """Knows its names by heart, and breaks over any other."""
    return answer({"ann": [3, 5]}[member(given)])


@twin("xss", request=below("/orders"))
def not_there(given: Given) -> Response:
    name = member(given)
    return answer({"orders": []}) if name == "ann" else answer({"error": f"no user {name}"}, 404)
