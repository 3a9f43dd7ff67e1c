"""Sessions with two tokens: what a logout ends of them, and what the refresh token is good for afterwards."""

import itertools
import json
import threading

from gatecrash.core.message import Request, Response
from tests.range.place import Given, answer, flaw, posted, twin

ANN = {"id": 7, "name": "Ann Marsh", "email": "ann@example.com", "phone": "+44 20 7946 0101"}
FIRST, ACCESS = "first-5b1f0c9a7de34a51b02f", "0f9a7de34a51b02f0a6c5b1f"
NUMBERS = itertools.count(1)
LOCK = threading.Lock()
OPEN: dict[str, set[str]] = {}
OVER: dict[str, set[str]] = {}


def renewal(place: str) -> Request:
    return posted(f"{place}/token/refresh", json.dumps({"refreshToken": FIRST}).encode(), b"application/json")


def about_oneself(place: str) -> Request:
    return Request("GET", f"{place}/me".encode(), ((b"Authorization", f"Bearer {ACCESS}".encode()),))


def logout(place: str) -> Request:
    return Request("POST", f"{place}/logout".encode(), ((b"Authorization", f"Bearer {ACCESS}".encode()),))


def renewed(given: Given, *, ends: str) -> Response:
    """One session. ends: what its logout ends, the `access` token, the `session`, or nothing."""
    place = given.request.path.decode().split("/")[2]
    with LOCK:
        good, over = OPEN.setdefault(place, {ACCESS}), OVER.setdefault(place, set())
        if given.request.path.endswith(b"/refresh"):
            if given.values.get("refreshToken") != FIRST or FIRST in over:
                return answer({"error": "please sign in"}, 401)
            good.add(token := f"{next(NUMBERS):04d}-9a7de34a51b02f0a6c")
            return answer({"accessToken": token})
        token = (given.request.first(b"Authorization") or b"").decode().removeprefix("Bearer ")
        if token not in good:
            return answer({"error": "please sign in"}, 401)
        if given.request.path.endswith(b"/me"):
            return answer(ANN)
        if ends != "nothing":
            good.discard(token)
        if ends == "session":
            over.add(FIRST)
        return Response(204)


BESIDE = {"request": logout, "beside": (about_oneself, renewal), "apart": True}


@flaw("auth", **BESIDE)
def the_access_token_alone(given: Given) -> Response:
    return renewed(given, ends="access")


@twin("auth", **BESIDE)
def both_tokens(given: Given) -> Response:
    return renewed(given, ends="session")


@twin("auth", **BESIDE)
def refreshed_by_anybody(given: Given) -> Response:
    """What is handed out tells nothing of anybody, and opens what is for all."""
    if given.request.path.endswith(b"/refresh"):
        return answer({"accessToken": f"{next(NUMBERS):04d}-visitor-of-today"})
    return answer({"club": "Rowing", "founded": 1871}) if given.request.path.endswith(b"/me") else Response(204)
