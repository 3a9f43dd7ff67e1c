"""Operations on a customer's own things. One of them never looks at its token, one takes any; their twins check it."""

import time
from http import HTTPStatus

from gatecrash.demo.target.guards import bearer, refused
from gatecrash.demo.target.http import Call, Reply
from gatecrash.demo.target.store import Store


def login(store: Store, call: Call) -> Reply:
    """Name and password for a bearer token."""
    wish = call.document()
    token = store.sign_in(str(wish.get("login", "")), str(wish.get("password", "")))
    if token is None:
        return Reply(HTTPStatus.UNAUTHORIZED, {"error": "Login and password do not belong together."})
    return Reply(HTTPStatus.OK, {"token": token})


def orders(store: Store, call: Call) -> Reply:
    """The customer's own orders."""
    found = store.rows("SELECT id, tea_id, grams FROM orders WHERE customer_id = ? ORDER BY id", bearer(store, call))
    return Reply(HTTPStatus.OK, {"orders": found})


def order(store: Store, call: Call) -> Reply:
    """One order, and only its owner's."""
    number = _number(call.captured["order_id"])
    sql = "SELECT id, tea_id, grams FROM orders WHERE id = ? AND customer_id = ?"
    found = store.row(sql, number, bearer(store, call))
    if found is None:
        return Reply(HTTPStatus.NOT_FOUND, {"error": "You have no such order."})
    return Reply(HTTPStatus.OK, found)


def customer(store: Store, call: Call) -> Reply:
    """FLAW, auth: the document asks for a token, every client sends one, and nobody looks at it."""
    found = store.row("SELECT id, name, street FROM customers WHERE id = ?", _number(call.captured["customer_id"]))
    if found is None:
        return Reply(HTTPStatus.NOT_FOUND, {"error": "There is no such customer."})
    return Reply(HTTPStatus.OK, found)


def wallet(store: Store, call: Call) -> Reply:
    """Twin of `customer`: the same look, the token checked; the time in it moves between two calls."""
    sql = "SELECT c.name, sum(o.grams) AS points FROM customers c JOIN orders o ON o.customer_id = c.id WHERE c.id = ?"
    found = store.row(sql, bearer(store, call))
    return Reply(HTTPStatus.OK, {"wallet": found, "as_of": time.time()})


def loyalty(_store: Store, call: Call) -> Reply:
    """FLAW, auth: a token must be there, and any will do."""
    scheme, _, token = call.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not token.strip():
        return refused("Bearer")
    return Reply(HTTPStatus.OK, {"loyalty": {"club": "Silver needle", "since": "spring", "gift": "a bamboo whisk"}})


def membership(store: Store, call: Call) -> Reply:
    """Twin of `loyalty`: the same look, the token checked."""
    if bearer(store, call) is None:
        return refused("Bearer")
    return Reply(HTTPStatus.OK, {"membership": {"club": "Golden tip", "since": "autumn", "gift": "a clay pot"}})


def settings(store: Store, call: Call) -> Reply:
    """Twin of `customer`: refuses with 200 and an error in the body, as many older APIs do."""
    found = bearer(store, call)
    if found is None:
        return Reply(HTTPStatus.OK, {"ok": False, "error": "login_required"})
    person = store.row("SELECT login, name FROM customers WHERE id = ?", found)
    return Reply(HTTPStatus.OK, {"ok": True, "settings": {"person": person, "newsletter": False, "language": "en"}})


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0
