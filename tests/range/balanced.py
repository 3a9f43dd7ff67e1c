"""Two versions of a sound application behind one balancer, which answer by turns: the newer one says more and minds odd input."""

from itertools import count

from gatecrash.core.message import Response
from tests.range.place import HEADER, JSON, QUERY, Given, answer, twin
from tests.range.store import rows

WAYS = (QUERY, JSON, HEADER)
KINDS = ("sqli", "nosqli", "ldapi", "xpathi", "ssti", "rce", "xxe", "deserialization")


def older(given: Given) -> Response:
    """Takes anything, and looks for it."""
    found = rows("SELECT id, name, price FROM items WHERE name = ?", given.q)
    return answer({"items": [{"id": row[0], "name": row[1]} for row in found] or [{"id": 1, "name": "tea"}]})


def newer(given: Given) -> Response:
    """Says more of what it finds."""
    found = rows("SELECT id, name, price FROM items WHERE name = ?", given.q) or rows(
        "SELECT id, name, price FROM items"
    )
    listed = [
        {"id": str(row[0]), "title": row[1], "price": row[2], "links": {"self": f"/items/{row[0]}"}} for row in found
    ]
    return answer({"version": 2, "data": listed})


def strict(given: Given) -> Response:
    """Refuses what is no plain word."""
    if not isinstance(given.values.get("q", ""), str) or not given.q.replace(" ", "").isalnum():
        return answer({"code": "E400", "message": "a plain word is wanted"}, 400)
    return older(given)


def by_turns(name: str, other: object) -> object:
    turns = count()

    def place(given: Given) -> Response:
        return (older if next(turns) % 2 else other)(given)

    place.__name__, place.__module__ = name, __name__
    return place


for _type in KINDS:
    for _other in (newer, strict):
        twin(_type, ways=WAYS)(by_turns(f"{_type}_{_other.__name__}", _other))
