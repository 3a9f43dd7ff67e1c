"""Operations on teas: what is sold, said and delivered. Four of them build SQL by hand; their twins only look so."""

import asyncio
import contextlib
import random
import re
import sqlite3
from http import HTTPStatus

from gatecrash.demo.target.guards import bearer
from gatecrash.demo.target.http import Call, Reply
from gatecrash.demo.target.store import Store

# Seconds that an answer takes beyond its work.
_MOODS = (0.0, 0.0, 0.02, 0.1, 0.3)
_SQL_LOOKS = re.compile(r"['\";]|--|\b(select|union|and|or)\b", re.IGNORECASE)


def health(store: Store, _: Call) -> Reply:
    """Open by design: load balancers ask."""
    store.row("SELECT 1")
    return Reply(HTTPStatus.OK, {"healthy": True})


def teas(store: Store, call: Call) -> Reply:
    """Open to all; a signed-in customer sees the member's price too."""
    columns = "id, name, origin, cents" if bearer(store, call) is None else "id, name, origin, cents, member_cents"
    return Reply(HTTPStatus.OK, {"teas": store.rows(f"SELECT {columns} FROM teas ORDER BY id")})  # noqa: S608 - constants


def teas_by_origin(store: Store, call: Call) -> Reply:
    """FLAW, sqli: the value goes into a quoted string; errors and the number of rows both show."""
    origin = call.query.get("origin", "")
    sql = f"SELECT id, name, cents FROM teas WHERE origin = '{origin}' ORDER BY id"  # noqa: S608 - planted
    return _unsafe(store, sql, "teas")


def reviews(store: Store, call: Call) -> Reply:
    """FLAW, sqli: the value goes in as a number, without quotes."""
    tea_id = call.query.get("tea_id", "0")
    return _unsafe(store, f"SELECT id, stars, text FROM reviews WHERE tea_id = {tea_id} ORDER BY id", "reviews")  # noqa: S608 - planted


def tastings(store: Store, call: Call) -> Reply:
    """FLAW, sqli, blind: errors look like an empty result; only what is true or false shows."""
    city = call.query.get("city", "")
    try:
        found = store.rows(f"SELECT id, city, tea_id FROM tastings WHERE city = '{city}' ORDER BY id")  # noqa: S608 - planted
    except sqlite3.Error:
        found = []
    return Reply(HTTPStatus.OK, {"tastings": found})


async def wishes(store: Store, call: Call) -> Reply:
    """FLAW, sqli, blind: the same answer whatever the query gives, so that only the time it takes tells anything."""
    tea = call.query.get("tea", "")
    with contextlib.suppress(sqlite3.Error, sqlite3.Warning):
        await store.long_rows(f"SELECT id FROM teas WHERE name = '{tea}'")  # noqa: S608 - planted
    return Reply(HTTPStatus.OK, {"wish": "noted"})


async def parcels(store: Store, call: Call) -> Reply:
    """Twin of `wishes`: the same answer always, slow now and then for no reason that is in the request."""
    await asyncio.sleep(random.choice(_MOODS))  # noqa: S311 - a mood, not a secret
    store.row("SELECT id FROM teas WHERE name = ?", call.query.get("tea", ""))
    return Reply(HTTPStatus.OK, {"parcel": "on its way"})


def suppliers(store: Store, call: Call) -> Reply:
    """Twin of `teas_by_origin`: the same shape, with a bound parameter."""
    found = store.rows("SELECT id, name FROM suppliers WHERE country = ? ORDER BY id", call.query.get("country", ""))
    return Reply(HTTPStatus.OK, {"suppliers": found})


def greetings(_: Store, call: Call) -> Reply:
    """Twin: whatever is sent comes back, quotes and all, as JSON."""
    return Reply(HTTPStatus.OK, {"greeting": f"Your tea is ready, {call.query.get('name', 'friend')}."})


def shipments(store: Store, call: Call) -> Reply:
    """Twin: refuses with 403 whatever looks like SQL, as a filter in front of it would."""
    ref = call.query.get("ref", "")
    if _SQL_LOOKS.search(ref):
        return Reply(HTTPStatus.FORBIDDEN, {"error": "This request was blocked."})
    found = store.row("SELECT ref, order_id, state FROM shipments WHERE ref = ?", ref)
    return Reply(HTTPStatus.OK, {"shipments": [found] if found else []})


def invoices(store: Store, call: Call) -> Reply:
    """Twin of `reviews`: any odd input is a 500, and no database had a part in it."""
    number = call.query.get("number", "")
    if not (number.isascii() and number.isdigit() and len(number) < 10):
        return Reply(HTTPStatus.INTERNAL_SERVER_ERROR, {"error": "Something went wrong on our side."})
    found = store.rows(
        "SELECT o.id, o.grams, t.name FROM orders o JOIN teas t ON t.id = o.tea_id WHERE o.id = ?", int(number)
    )
    return Reply(HTTPStatus.OK, {"invoices": found})


def quotes(store: Store, call: Call) -> Reply:
    """Twin: a JSON body, read with bound parameters; nothing is stored."""
    wish = call.document()
    name, grams = wish.get("tea"), wish.get("grams")
    if not isinstance(name, str) or not isinstance(grams, int) or not 0 < grams <= 10_000:
        return Reply(HTTPStatus.BAD_REQUEST, {"error": "Send a tea's name and 1 to 10000 grams."})
    tea = store.row("SELECT name, cents FROM teas WHERE name = ?", name)
    if tea is None:
        return Reply(HTTPStatus.NOT_FOUND, {"error": "We do not sell this tea."})
    return Reply(HTTPStatus.OK, {"tea": tea["name"], "grams": grams, "cents": tea["cents"] * grams // 100})


def stock(store: Store, call: Call) -> Reply:
    """What lies in the warehouse, for its machines."""
    found = store.rows(
        "SELECT name, grams FROM teas WHERE grams >= ? ORDER BY id", _number(call.query.get("least", "0"))
    )
    return Reply(HTTPStatus.OK, {"stock": found})


def daily_report(store: Store, _: Call) -> Reply:
    """Sales so far, for the office."""
    return Reply(
        HTTPStatus.OK, {"report": store.rows("SELECT tea_id, sum(grams) AS grams FROM orders GROUP BY tea_id")}
    )


def _unsafe(store: Store, sql: str, name: str) -> Reply:
    try:
        return Reply(HTTPStatus.OK, {name: store.rows(sql)})
    except (sqlite3.Error, sqlite3.Warning) as error:
        text = f"sqlite3.{type(error).__name__}: {error}"
        return Reply(HTTPStatus.INTERNAL_SERVER_ERROR, {"error": text})


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0
