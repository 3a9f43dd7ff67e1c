"""WebSockets: their opening signed in by a cookie or not at all, from any site or from the own one only.

A place says what it has to say and closes the socket: with 1000 where all is well.
"""

import json

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.operations.sockets import as_opening
from tests.range.place import Given, answer, flaw, miss, twin

SESSION, KEY = b"sessionid=3f9a0c77de114b02aa55", "t9Xq2LmZ4vRb8Kd1"
AGREES = ((b"Upgrade", b"websocket"), (b"Connection", b"Upgrade"))
OWN = {"name": "Ann Lee", "email": "ann.lee@tea.example", "phone": "+44 20 7946 0991", "balance": 812}
PUBLIC = {"town": "Dover", "wind": "north-west", "harbour": "open"}


def opening(path: str) -> Request:
    headers = ((b"Cookie", SESSION), (b"Origin", b"http://127.0.0.1"))
    return as_opening(Request("GET", path.encode(), headers))


def with_key(path: str) -> Request:
    """With what only the own site's pages know of the session."""
    return opening(f"{path}?csrf_token={KEY}")


def says(*messages: object, code: int = 1000) -> Response:
    closing = (b"WebSocket-Close", str(code).encode())
    return Response(101, (*AGREES, closing), "\n".join(map(json.dumps, messages)).encode())


def signed_in(given: Given) -> bool:
    return SESSION in (given.request.first(b"Cookie") or b"")


def refused() -> Response:
    return answer({"error": "please sign in"}, 401)


def origin(given: Given) -> str:
    return (given.request.first(b"Origin") or b"").decode()


def is_own(given: Given) -> bool:
    return origin(given) in ("", "http://127.0.0.1", given.request.origin)


@flaw("csrf", request=opening)
def tells_any_site(given: Given) -> Response:
    return says({"user": OWN}) if signed_in(given) else refused()


@flaw("csrf", request=opening)
def greets_strangers(given: Given) -> Response:
    """Opened for all, and told in a message who is there."""
    return says({"hello": "tea"}, {"user": OWN} if signed_in(given) else {"user": None})


@flaw("csrf", request=opening)
def own_by_its_beginning(given: Given) -> Response:
    if not signed_in(given):
        return refused()
    own = not origin(given) or origin(given).startswith("http://127.0.0.1")
    return says({"user": OWN}) if own else answer({"error": "origin"}, 403)


@flaw("csrf", request=opening)
def takes_null(given: Given) -> Response:
    if not signed_in(given):
        return refused()
    return says({"user": OWN}) if is_own(given) or origin(given) == "null" else answer({"error": "origin"}, 403)


@twin("csrf", request=opening)
def compares_origin(given: Given) -> Response:
    if not signed_in(given):
        return refused()
    return says({"user": OWN}) if is_own(given) else answer({"error": "origin"}, 403)


@twin("csrf", request=opening)
def closes_on_other_sites(given: Given) -> Response:
    if not signed_in(given):
        return refused()
    return says({"user": OWN}) if is_own(given) else says(code=1008)


@twin("csrf", request=opening)
def knows_nobody_from_elsewhere(given: Given) -> Response:
    """A page of another site hears what a visitor hears."""
    return says({"hello": "tea"}, {"user": OWN if signed_in(given) and is_own(given) else None})


@twin("csrf", request=with_key)
def wants_the_sessions_key(given: Given) -> Response:
    if not signed_in(given) or given.values.get("csrf_token") != KEY:
        return answer({"error": "forbidden"}, 403)
    return says({"user": OWN})


@twin("csrf", request=opening)
def feeds_everybody(_given: Given) -> Response:
    return says(PUBLIC)


@miss("csrf", request=opening)
def says_nothing_by_itself(given: Given) -> Response:
    return says() if signed_in(given) else refused()


@flaw("auth", request=opening)
def tells_whoever_comes(_given: Given) -> Response:
    return says({"customers": [OWN, OWN | {"name": "Ben Ray", "email": "ben.ray@tea.example"}]})


@twin("auth", request=opening)
def refuses_at_the_opening(given: Given) -> Response:
    return says({"customers": [OWN]}) if signed_in(given) and is_own(given) else refused()


@twin("auth", request=opening)
def closes_behind_the_opening(given: Given) -> Response:
    return says({"customers": [OWN]}) if signed_in(given) and is_own(given) else says(code=4401)


@twin("auth", request=opening)
def tells_the_weather(_given: Given) -> Response:
    return says(PUBLIC)
