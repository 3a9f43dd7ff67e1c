"""Rows and documents, and functions that change and delete those that they are told, carelessly."""

import json
import re
import sqlite3
from collections.abc import Callable, Mapping
from typing import Any

ROWS = (
    (1, "cup", 3, 1),
    (2, "tea", 5, 1),
    (3, "green tea", 7, 1),
    (4, "tea", 9, 2),
    (5, "", 1, 1),
    (6, "o'clock", 2, 2),
)
_SCHEMA = "CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT, price INTEGER, owner INTEGER)"
Values = Mapping[str, Any]
_OPERATORS: dict[str, Callable[[Any, Any], bool]] = {
    "$eq": lambda value, other: value == other,
    "$ne": lambda value, other: value != other,
    "$gt": lambda value, other: type(value) is type(other) and value > other,
    "$gte": lambda value, other: type(value) is type(other) and value >= other,
    "$lt": lambda value, other: type(value) is type(other) and value < other,
    "$in": lambda value, other: value in other,
    "$nin": lambda value, other: value not in other,
    "$exists": lambda _, other: bool(other),
    "$regex": lambda value, other: isinstance(value, str) and re.search(str(other), value) is not None,
}


def refill(database: sqlite3.Connection) -> None:
    database.executescript(f"DROP TABLE IF EXISTS items; {_SCHEMA}")
    database.executemany("INSERT INTO items VALUES (?, ?, ?, ?)", ROWS)
    database.commit()


def _run(database: sqlite3.Connection, statement: str) -> dict[str, Any]:
    """One statement after the other where there are several, as SQLite's scripts run them."""
    before = database.total_changes
    if ";" in statement:
        database.executescript(statement)
        return {"changed": database.total_changes - before}
    return {"rows": database.execute(statement).fetchall(), "changed": database.total_changes - before}


def _written(statement: str) -> "Rows":
    """What writes its values into the statement."""

    def run(database: sqlite3.Connection, said: Values) -> dict[str, Any]:
        return _run(database, statement.format(**said))

    return run


def _taken(database: sqlite3.Connection, said: Values) -> dict[str, Any]:
    """Reads, and deletes what was read."""
    found = _run(database, f"SELECT * FROM items WHERE name = '{said['name']}'")
    _run(database, f"DELETE FROM items WHERE name = '{said['name']}' AND owner = 1")
    return found


def _any(database: sqlite3.Connection, said: Values) -> str:
    """A name that is not there means all."""
    name = said.get("name", "")
    database.execute("DELETE FROM items WHERE ? = '' OR name = ?", (name, name))
    return "Deleted."


def _by_leading_number(database: sqlite3.Connection, said: Values) -> str:
    """What a text begins with is the number."""
    number = re.match(r"\s*\d+", str(said["id"]))
    database.execute("DELETE FROM items WHERE id = ?", (int(number[0]) if number else 0,))
    return "Deleted."


def _reset(database: sqlite3.Connection, said: Values) -> str:
    database.execute("UPDATE items SET price = 0 WHERE id = CAST(? AS INTEGER)", (said["id"],))
    return "ok"


def _several(database: sqlite3.Connection, said: Values) -> dict[str, Any]:
    """Numbers as a list, or joined by commas; none means all."""
    ids = said.get("ids", "")
    ids = [each for each in ids.split(",") if each] if isinstance(ids, str) else ids
    where = f" WHERE id IN ({', '.join('?' * len(ids))})" if ids else ""
    database.execute(f"DELETE FROM items{where}", [each if isinstance(each, int | str) else None for each in ids])
    return {"ok": True}


Rows = Callable[[sqlite3.Connection, Values], Any]
FUNCTIONS: dict[str, tuple[Rows, dict[str, Any]]] = {
    "item-remove": (_written("DELETE FROM items WHERE name = '{name}' AND owner = 1"), {"name": "tea"}),
    "item-remove-by-id": (_written("DELETE FROM items WHERE id = {id}"), {"id": "2"}),
    "item-remove-like": (_written("DELETE FROM items WHERE name LIKE '{name}'"), {"name": "tea"}),
    "item-price": (_written("UPDATE items SET price = {price} WHERE name = '{name}'"), {"price": "3", "name": "tea"}),
    "item-label": (_written("UPDATE items SET name = '{name}' WHERE id = 1"), {"name": "tea"}),
    "console": (_written("{sql}"), {"sql": "SELECT name FROM items WHERE id = 2"}),
    "item-take": (_taken, {"name": "tea"}),
    "item-any": (_any, {"name": "tea"}),
    "item-by-number": (_by_leading_number, {"id": "2"}),
    "item-reset": (_reset, {"id": "2"}),
    "items-between": (
        _written("UPDATE items SET owner = 9 WHERE id BETWEEN {first} AND {last}"),
        {"first": "2", "last": "3"},
    ),
    "items-several": (_several, {"ids": "2,3"}),
}
"""Each function by its name, with what it is told when it is recorded."""


def nested(said: Values) -> dict[str, Any]:
    """What brackets behind a name say, as PHP, Rails and Node read them: `name[$ne]=tea`."""
    read: dict[str, Any] = {}
    for name, value in said.items():
        inner = re.fullmatch(r"(\w+)\[(\$?\w*)\]", name)
        if inner is None:
            read[name] = value
        else:
            known = read.get(inner[1])
            read[inner[1]] = {**(known if isinstance(known, dict) else {}), inner[2]: value}
    return read


def _agrees(value: Any, condition: Any) -> bool:
    if not isinstance(condition, dict):
        return bool(value == condition)
    return all(_OPERATORS[name](value, other) for name, other in condition.items())


class Documents(list[dict[str, Any]]):
    """Found by conditions as MongoDB writes them; an operator that it does not know is a LookupError."""

    def find(self, conditions: Values) -> list[dict[str, Any]]:
        return [each for each in self if all(_agrees(each.get(name), said) for name, said in conditions.items())]


def _documents_gone(documents: Documents, said: Values) -> dict[str, Any]:
    found = documents.find({"name": nested(said).get("name")})
    documents[:] = [each for each in documents if each not in found]
    return {"removed": len(found)}


def _documents_priced(documents: Documents, said: Values) -> dict[str, Any]:
    found = documents.find({"name": nested(said).get("name"), "owner": 1})
    for each in found:
        each["price"] = 1
    return {"updated": len(found)}


def _documents_filtered(documents: Documents, said: Values) -> dict[str, Any]:
    """All that was said is the condition: who says nothing means all."""
    conditions = {name: value for name, value in nested(said).items() if name in ("name", "owner")}
    found = documents.find(conditions)
    documents[:] = [each for each in documents if each not in found]
    return {"removed": len(found)}


OF_DOCUMENTS: dict[str, tuple[Callable[[Documents, Values], Any], dict[str, Any]]] = {
    "document-remove": (_documents_gone, {"name": "tea"}),
    "document-price": (_documents_priced, {"name": "tea"}),
    "document-filter": (_documents_filtered, {"name": "tea", "owner": 1}),
}


def fresh_documents() -> Documents:
    return Documents({"id": number, "name": name, "owner": owner} for number, name, _, owner in ROWS)


def told(documents: Documents) -> dict[str, str]:
    """Each document by its number."""
    return {f"document {each['id']}": json.dumps(each) for each in documents}
