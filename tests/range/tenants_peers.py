"""Orders with three customers of one rank: ann's colleague ben may have what is hers, and eva has nothing to do with either."""

import itertools
from collections.abc import Callable

from gatecrash.core.message import Response
from tests.range.place import Given, Handler, answer, flaw, twin
from tests.range.tenants_store import asked, below, caller, missing, unauthorized, written

NUMBERS = itertools.count(84_100)
HERS, COLLEAGUES, EVERYBODY = frozenset({"ann"}), frozenset({"ann", "ben"}), frozenset({"ann", "ben", "eva"})
NOTE = {"note": "Leave it at the back door"}
_READ = asked("/orders/8431")
_WRITE = written("PUT", "/orders/8431", b'{"note": "Leave it at the back door"}')
_DELETE = written("DELETE", "/orders/8431", b"")
_MADE = written("POST", "/orders", b'{"note": "Leave it at the back door"}')


def orders(listed: frozenset[str], reads: frozenset[str], does: frozenset[str]) -> Callable[[Given], Response]:
    """Orders of ann's and what she makes. listed: whose list shows them. does: who may write and delete them."""
    kept: dict[str, dict] = {"8431": dict(NOTE)}

    def answered(given: Given) -> Response:
        name, path, method = caller(given.request), below(given.request), given.request.method
        if not name:
            return unauthorized()
        if len(path) == 1 and method == "POST":
            kept[number := str(next(NUMBERS))] = {"note": given.values.get("note")}
            return answer({"id": int(number)}, 201)
        if len(path) == 1:
            return answer([{"id": int(each), **kept[each]} for each in [*kept][-20:] if name in listed])
        number = path[1]
        if number not in kept or name not in (reads if method == "GET" else does):
            return missing()
        if method == "PUT":
            kept[number] = {"note": given.values["note"]}
        shown = {"id": int(number), **kept[number]}
        if method == "DELETE" and number != "8431":
            del kept[number]
        return answer(shown)

    return answered


def at(name: str, answered: Callable[[Given], Response]) -> Handler:
    """A place of this name."""

    def handler(given: Given) -> Response:
        return answered(given)

    handler.__name__ = name
    return handler


# Whoever comes after the colleague is given it, too.
flaw("idor", request=_READ)(at("read_by_a_third", orders(COLLEAGUES, EVERYBODY, COLLEAGUES)))
flaw("idor", request=_WRITE)(at("written_by_a_third", orders(COLLEAGUES, EVERYBODY, EVERYBODY)))
flaw("idor", request=_DELETE, beside=(_MADE,))(at("gone_by_a_third", orders(COLLEAGUES, EVERYBODY, EVERYBODY)))
# The colleague has it by right: nobody else is let in.
twin("idor", request=_READ)(at("read_by_colleagues", orders(COLLEAGUES, COLLEAGUES, COLLEAGUES)))
twin("idor", request=_WRITE)(at("written_by_colleagues", orders(COLLEAGUES, COLLEAGUES, COLLEAGUES)))
twin("idor", request=_DELETE, beside=(_MADE,))(at("gone_by_colleagues", orders(COLLEAGUES, COLLEAGUES, COLLEAGUES)))
# A deputy: his own list shows none of it, and some rule lets him in, and not another.
twin("idor", request=_WRITE)(at("written_by_a_deputy", orders(HERS, COLLEAGUES, COLLEAGUES)))
twin("idor", request=_DELETE, beside=(_MADE,))(at("gone_by_a_deputy", orders(HERS, COLLEAGUES, COLLEAGUES)))
