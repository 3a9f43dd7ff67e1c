"""Refresh tokens that are exchanged for others: what becomes of one that was used."""

import json
import secrets
import threading

from gatecrash.core.message import Request, Response
from tests.range.place import Given, answer, flaw, posted, twin

ANN = {"id": 7, "name": "Ann Marsh", "email": "ann@example.com", "phone": "+44 20 7946 0101"}
FIRST, ACCESS = "first-5b1f0c9a7de34a51b02f", "0f9a7de34a51b02f0a6c5b1f"
LOCK = threading.Lock()
OPEN: dict[str, set[str]] = {}
LIVE: dict[str, dict[str, str]] = {}
USED: dict[str, dict[str, str]] = {}


def renewal(place: str) -> Request:
    return posted(f"{place}/token/refresh", json.dumps({"refresh_token": FIRST}).encode(), b"application/json")


def entering(place: str) -> Request:
    sent = {"email": "ann@example.com", "password": "first-snow-3"}
    return posted(f"{place}/login", json.dumps(sent).encode(), b"application/json")


def about_oneself(place: str) -> Request:
    return Request("GET", f"{place}/me".encode(), ((b"Authorization", f"Bearer {ACCESS}".encode()),))


def exchanged(given: Given, *, used: str) -> Response:
    """used: what becomes of a token that was used: it is `kept`, `refused`, or ends the `session`."""
    place = given.request.path.decode().split("/")[2]
    with LOCK:
        good = OPEN.setdefault(place, {ACCESS})
        live, old = LIVE.setdefault(place, {FIRST: "recorded"}), USED.setdefault(place, {})
        if given.request.path.endswith(b"/me"):
            token = (given.request.first(b"Authorization") or b"").decode().removeprefix("Bearer ")
            return answer(ANN) if token in good else answer({"error": "please sign in"}, 401)
        if given.request.path.endswith(b"/login"):
            is_right = given.values.get("password") == "first-snow-3"
            return handed(good, live, secrets.token_hex(4)) if is_right else answer({"error": "wrong"}, 401)
        token = str(given.values.get("refresh_token"))
        session = live.get(token) or (old.get(token) if used == "kept" else None)
        if session is None:
            if used == "session":
                for each in [each for each, of in live.items() if of == old.get(token)]:
                    del live[each]
            return answer({"error": "please sign in"}, 401)
        old[token] = live.pop(token, session)
        return handed(good, live, session)


def handed(good: set[str], live: dict[str, str], session: str) -> Response:
    access, refresh = secrets.token_hex(16), secrets.token_hex(16)
    good.add(access)
    live[refresh] = session
    return answer({"access_token": access, "refresh_token": refresh})


BESIDE = {"request": renewal, "beside": (entering, about_oneself), "apart": True}


@flaw("auth", **BESIDE)
def keeps_the_used_one(given: Given) -> Response:
    return exchanged(given, used="kept")


@twin("auth", **BESIDE)
def takes_each_once(given: Given) -> Response:
    return exchanged(given, used="refused")


@twin("auth", **BESIDE)
def ends_the_session(given: Given) -> Response:
    return exchanged(given, used="session")
