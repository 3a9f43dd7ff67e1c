"""Keys that their owner takes back: some let in as before, some do not, and some that never did."""

import re
import secrets
from hashlib import sha256

from gatecrash.core.message import Request, Response
from tests.range.place import Given, answer, flaw, twin

OWNER = (b"Authorization", b"Bearer 5d0e9b1c7a3f4826")
KEYS: dict[str, dict[str, str]] = {}


def first(place: str) -> str:
    """The key of the record."""
    return sha256(place.encode()).hexdigest()[:40]


def making(path: str) -> Request:
    kind = (b"Content-Type", b"application/json")
    return Request("POST", f"{path}/keys".encode(), (OWNER, kind), b'{"label": "night"}')


def reading(path: str) -> Request:
    return Request("GET", f"{path}/timetable".encode(), ((b"X-Board-Key", first(path).encode()),))


def taking_back(path: str) -> Request:
    return Request("DELETE", f"{path}/keys/k1".encode(), (OWNER,))


def asked(given: Given, *, forgets: bool, compares: bool = True) -> Response:
    place, rest = re.match(r"(/[^/]+/[^/]+)/(.*)", given.request.path.decode("latin-1")).groups()
    kept = KEYS.setdefault(place, {})
    if rest == "timetable":
        key = (given.request.first(b"X-Board-Key") or b"").decode("latin-1")
        if compares and key not in kept.values():
            return answer({"error": "unknown key"}, 401)
        return answer({"board": "Nordplatz", "leaves": ["08:15", "08:35", "08:55"]})
    if given.request.first(b"Authorization") != OWNER[1]:
        return answer({"error": "sign in"}, 401)
    if given.request.method == "POST":
        # The first one is that of the record.
        number = f"k{len(kept) + 1}" if forgets or not kept else f"k{secrets.token_hex(4)}"
        kept[number] = first(place) if not kept else secrets.token_hex(16)
        return answer({"id": number, "value": kept[number]}, 201)
    if forgets:
        return answer({"done": True})
    kept[rest.rpartition("/")[2]] = ""
    return answer({"done": True})


def following(path: str) -> Request:
    return Request("GET", f"{path}/boards/{first(path)}".encode())


def linked(given: Given, *, forgets: bool) -> Response:
    """The timetable behind a link that anybody may follow who was given it."""
    place, rest = re.match(r"(/[^/]+/[^/]+)/(.*)", given.request.path.decode("latin-1")).groups()
    if not rest.startswith("boards/"):
        return asked(given, forgets=forgets)
    if rest.rpartition("/")[2] not in KEYS.get(place, {}).values():
        return answer({"error": "no such board"}, 404)
    return answer({"board": "Nordplatz", "leaves": ["08:15", "08:35", "08:55"]})


BESIDE = (making, reading)


@flaw("auth", request=taking_back, beside=BESIDE)
def marks_it_only(given: Given) -> Response:
    return asked(given, forgets=True)


@twin("auth", request=taking_back, beside=BESIDE)
def takes_it_back(given: Given) -> Response:
    return asked(given, forgets=False)


@twin("auth", request=taking_back, beside=BESIDE, also=("auth",))
def asks_for_none(given: Given) -> Response:
    """Its timetable is for everybody who passes, whatever key is brought."""
    return asked(given, forgets=True, compares=False)


@flaw("auth", request=taking_back, beside=(making, following))
def leads_on(given: Given) -> Response:
    return linked(given, forgets=True)


@twin("auth", request=taking_back, beside=(making, following))
def leads_nowhere(given: Given) -> Response:
    return linked(given, forgets=False)


@twin("auth", request=taking_back, beside=(making, following))
def leads_members_on(given: Given) -> Response:
    """What the link leads to is asked for by somebody who is signed in, who may read it without."""
    if given.request.first(b"Authorization") != OWNER[1]:
        return answer({"error": "sign in"}, 401)
    return linked(given, forgets=True)
