"""Endpoints behind HTTP Basic and Digest: passwords and proofs that are compared, or that are not."""

import base64
import binascii
import hashlib
import re

from gatecrash.core.message import Request, Response
from tests.range.place import Given, answer, flaw, page, twin

USERS = {"ann": "quiet-river-7", "ben": "tall-cedar-3"}
REALM, NONCE = "store", "5f0c8a9b3d7e4c21"


def signed(place: str) -> Request:
    value = base64.b64encode(f"ann:{USERS['ann']}".encode())
    return Request("GET", place.encode(), ((b"Authorization", b"Basic " + value),))


def proof(name: str, uri: str) -> str:
    """RFC 7616 section 3.4.1, with MD5 and without qop, as old devices have it."""
    one = hashlib.md5(f"{name}:{REALM}:{USERS.get(name, '')}".encode()).hexdigest()
    two = hashlib.md5(f"GET:{uri}".encode()).hexdigest()
    return hashlib.md5(f"{one}:{NONCE}:{two}".encode()).hexdigest()


def digested(place: str) -> Request:
    value = f'Digest username="ann", realm="{REALM}", nonce="{NONCE}", uri="{place}", response="{proof("ann", place)}"'
    return Request("GET", place.encode(), ((b"Authorization", value.encode()),))


def told(request: Request) -> tuple[str, str]:
    """The name and the password of a request."""
    word, _, encoded = (request.first(b"Authorization") or b"").decode("latin-1").partition(" ")
    try:
        name, _, password = base64.b64decode(encoded, validate=True).decode().partition(":")
    except (binascii.Error, UnicodeDecodeError):
        return "", ""
    return (name, password) if word.lower() == "basic" else ("", "")


def stock(name: str) -> Response:
    return answer({"user": name, "shelves": [{"id": 4, "item": "lamp"}], "email": f"{name}@example.com"})


def refused() -> Response:
    return answer({"error": "who are you"}, 401)


@flaw("auth", request=signed)
def by_name(given: Given) -> Response:
    name, _ = told(given.request)
    return stock(name) if name in USERS else refused()


@twin("auth", request=signed)
def compared(given: Given) -> Response:
    name, password = told(given.request)
    return stock(name) if USERS.get(name) == password else refused()


@twin("auth", request=signed)
def refused_in_words(given: Given) -> Response:
    name, password = told(given.request)
    return stock(name) if USERS.get(name) == password else page("<h1>Sign in</h1><input type=password name=p>")


@flaw("auth", request=signed)
def any_at_all(given: Given) -> Response:
    name, _ = told(given.request)
    return stock("ann") if name else refused()


# What browsers are given before anybody has signed in: its script asks for everything else.
FRAME = (
    "<title>Calendars</title><section class=hidden><form data-name=form><input data-name=user><input data-name=word type=password>"
    "<button>Next</button></form></section><section class=hidden><a href='#' data-name=logout>Logout</a><ul></ul></section>"
    "<script src=fn.js></script>"
)


@twin("auth", request=signed)
def frame_of_an_application(_: Given) -> Response:
    return page(FRAME)


@twin("auth", request=signed)
def page_that_asks(given: Given) -> Response:
    name, password = told(given.request)
    return page("<h1>Staff</h1><p>ann@example.com, room 4</p>") if USERS.get(name) == password else refused()


@flaw("auth", request=signed)
def page_of_people_that_asks_nobody(_: Given) -> Response:
    return page(
        "<h1>Staff</h1><table><tr><th>Name</th><th>E-mail</th><th>Salary</th></tr><tr><td>Ann Lake</td>"
        "<td>ann.lake@example.com</td><td>4100</td></tr><tr><td>Ben Hill</td><td>ben.hill@example.com</td><td>3900</td></tr></table>"
    )


@flaw("auth", request=digested)
def proof_is_not_looked_at(given: Given) -> Response:
    name = re.search(r'username="(\w+)"', (given.request.first(b"Authorization") or b"").decode())
    return stock(name[1]) if name and name[1] in USERS else refused()


@twin("auth", request=digested)
def proof_is_compared(given: Given) -> Response:
    value = (given.request.first(b"Authorization") or b"").decode()
    name, response = re.search(r'username="(\w+)"', value), re.search(r'response="(\w+)"', value)
    good = name and response and response[1] == proof(name[1], given.request.path.decode())
    return stock(name[1]) if good else refused()


@twin("auth", request=digested)
def another_nonce_is_asked_for(given: Given) -> Response:
    """A proof may be used while its nonce lives; without it another is offered."""
    if proof_is_compared(given).status == 200:
        return stock("ann")
    challenge = (b"WWW-Authenticate", f'Digest realm="{REALM}", nonce="{NONCE}"'.encode())
    return Response(401, (challenge,), b"")


@flaw("auth", request=signed, missed=True)
def first_letters_compared(given: Given) -> Response:
    name, password = told(given.request)
    return stock(name) if name in USERS and USERS[name][:3] == password[:3] else refused()
