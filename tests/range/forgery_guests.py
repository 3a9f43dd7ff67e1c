"""Changing requests that visitors may make, too, with what is theirs; and some that they may not, told by a 403."""

import json

from gatecrash.core.message import Request, Response
from tests.range.place import Given, answer, flaw, posted, twin

SESSION = b"sessionid=3f9a0c77de114b02aa55"
COUNTED = {"views": 120}


def as_json(path: str) -> Request:
    return posted(path, b'{"item": 5}', b"application/json", ((b"Cookie", SESSION),))


def as_form(path: str) -> Request:
    return posted(path, b"mail=ann%40a.example", b"application/x-www-form-urlencoded", ((b"Cookie", SESSION),))


def signed_in(given: Given) -> bool:
    return SESSION in (given.request.first(b"Cookie") or b"")


@flaw("csrf", request=as_form)
def visitors_are_forbidden(given: Given) -> Response:
    return answer({"mail": "ann@a.example"}) if signed_in(given) else answer({"detail": "not for you"}, 403)


@twin("csrf", request=as_json)
def a_cart_of_guests(given: Given) -> Response:
    """Whoever comes without a session has a cart of his own from then on."""
    items = [3, json.loads(given.request.body)["item"]] if signed_in(given) else [5]
    return answer({"cart": items, "count": len(items)})


@twin("csrf", request=as_json)
def a_counter(given: Given) -> Response:
    COUNTED["views"] += 1
    return answer({"seen": "yes", **COUNTED})


@twin("csrf", request=as_form)
def forbidden_to_other_sites(given: Given) -> Response:
    if b".example" in (given.request.first(b"Origin") or b""):
        return answer({"detail": "not from there"}, 403)
    return answer({"mail": "ann@a.example"}) if signed_in(given) else answer({"detail": "not for you"}, 403)
