"""Sessions that begin in two steps and end with a logout, and what a code confirms: what half a login opens, and is
open after the logout.
"""

import itertools
import json

from gatecrash.core.message import Request, Response
from tests.range.place import Given, answer, flaw, posted, twin

ANN = {"id": 7, "name": "Ann Marsh", "email": "ann@example.com", "phone": "+44 20 7946 0101"}
PASSWORD, LOGIN = "lamp-oil-and-rope", b'{"user": "ann", "password": "lamp-oil-and-rope"}'
WHOLE = "whole-5d0c11e7a9b34f20c4d8"
NUMBERS = itertools.count(1)
HALVES: dict[str, set[str]] = {}
ENDED: set[str] = set()


def bearing(token: str) -> tuple[bytes, bytes]:
    return b"Authorization", f"Bearer {token}".encode()


def in_session(name: str, path: str, method: str = "GET"):
    return lambda place: Request(method, f"{place}{path}".encode(), ((b"Cookie", f"sessionid={name}".encode()),))


def with_token(token: str, path: str):
    return lambda place: Request("GET", f"{place}{path}".encode(), (bearing(token),))


def signing_in(place: str) -> Request:
    return posted(f"{place}/login", LOGIN, b"application/json")


def session(given: Given) -> str:
    """What a request is let in with, wherever it stands; empty where it brings nothing."""
    token = (given.request.first(b"Authorization") or b"").decode().removeprefix("Bearer ")
    return token or (given.request.first(b"Cookie") or b"").decode().removeprefix("sessionid=")


def below(given: Given, word: str) -> bool:
    return given.request.path.endswith(word.encode())


def to_the_door() -> Response:
    return Response(302, ((b"Location", b"/login"),))


# Logouts


def left(given: Given, name: str, *, ends: bool) -> Response:
    """A session that a logout takes the cookie of; whether it is over as well."""
    if below(given, "/logout"):
        if ends:
            ENDED.add(session(given))
        return Response(302, ((b"Location", b"/login"), (b"Set-Cookie", b"sessionid=; Max-Age=0")))
    if session(given) != name or name in ENDED:
        return to_the_door()
    return answer(ANN) if below(given, "/me") else answer({"error": "no such page"}, 404)


def leaving(name: str) -> dict:
    return {"request": in_session(name, "/logout", "POST"), "beside": (in_session(name, "/me"),)}


@flaw("auth", **leaving("a1c7f0d2e94b4c58aa01"))
def a_cookie_taken_away(given: Given) -> Response:
    """The browser forgets its session; the server does not."""
    return left(given, "a1c7f0d2e94b4c58aa01", ends=False)


@twin("auth", **leaving("a1c7f0d2e94b4c58aa02"))
def a_stay_ended(given: Given) -> Response:
    return left(given, "a1c7f0d2e94b4c58aa02", ends=True)


@twin("auth", **leaving("a1c7f0d2e94b4c58aa03"))
def a_page_for_everybody(given: Given) -> Response:
    """What is still told is told to all."""
    return answer({"club": "Rowing", "founded": 1871, "town": "Ulm"}) if below(given, "/me") else to_the_door()


@twin("auth", **leaving("a1c7f0d2e94b4c58aa04"))
def one_that_asks_first(given: Given) -> Response:
    """Sent once more it is answered otherwise, so that nothing is known of it."""
    if below(given, "/logout"):
        return to_the_door() if next(NUMBERS) == 1 else answer({"error": "say so again"}, 409)
    return answer(ANN) if session(given) == "a1c7f0d2e94b4c58aa04" else to_the_door()


# Logins of two steps


def half(given: Given, place: str, *, in_json: bool) -> Response:
    """The password is right: what stands for half a login is handed out."""
    try:
        sent = json.loads(given.request.body)
    except ValueError:
        return answer({"error": "what is that"}, 400)
    if (sent.get("user"), sent.get("password")) != ("ann", PASSWORD):
        return answer({"error": "no such user or password"}, 401)
    token = f"half-{next(NUMBERS):04d}-9b34f20c4d8e7a15"
    HALVES.setdefault(place, set()).add(token)
    if in_json:
        return answer({"status": "totp_required", "tmpToken": token})
    return Response(302, ((b"Location", b"/login/code"), (b"Set-Cookie", f"sessionid={token}; HttpOnly".encode())))


def two_steps(given: Given, place: str, *, lets_in: bool, in_json: bool = False) -> Response:
    if below(given, "/login"):
        return half(given, place, in_json=in_json)
    good = session(given) == WHOLE or (lets_in and session(given) in HALVES.get(place, ()))
    if not good:
        return answer({"error": "please sign in"}, 401) if in_json else to_the_door()
    return answer(ANN) if below(given, "/me") else answer({"error": "no such page"}, 404)


BY_COOKIE = {"also": ("info",), "request": signing_in, "beside": (in_session(WHOLE, "/me"),)}
BY_TOKEN = {"also": ("info",), "request": signing_in, "beside": (with_token(WHOLE, "/me"),)}


@flaw("auth", **BY_COOKIE)
def one_step_is_enough(given: Given) -> Response:
    return two_steps(given, "one_step_is_enough", lets_in=True)


@flaw("auth", **BY_TOKEN)
def one_step_is_enough_in_json(given: Given) -> Response:
    return two_steps(given, "one_step_is_enough_in_json", lets_in=True, in_json=True)


@twin("auth", **BY_COOKIE)
def both_steps(given: Given) -> Response:
    return two_steps(given, "both_steps", lets_in=False)


@twin("auth", **BY_TOKEN)
def both_steps_in_json(given: Given) -> Response:
    return two_steps(given, "both_steps_in_json", lets_in=False, in_json=True)


@twin("auth", **BY_COOKIE)
def two_steps_to_what_is_open(given: Given) -> Response:
    if below(given, "/login"):
        return half(given, "two_steps_to_what_is_open", in_json=False)
    return answer({"club": "Rowing", "founded": 1871, "town": "Ulm"})


# Confirmations by a code


CODE, BEARER = "482913", "whole-77b1c05e2f9a4d36b8e1"


def confirmed(given: Given, *, optional: bool) -> Response:
    """A telephone number that is confirmed by the code which was sent to it. optional: looked at only where there is one."""
    if session(given) != BEARER:
        return answer({"error": "please sign in"}, 401)
    held = given.values.get("code")
    if held != CODE and not (optional and not held):
        return answer({"error": "wrong code"}, 422)
    return answer({"phone": ANN["phone"], "state": "confirmed"})


def confirming(place: str) -> Request:
    body = json.dumps({"phone": ANN["phone"], "code": CODE}).encode()
    request = posted(f"{place}/verify", body, b"application/json")
    return Request("POST", request.target, (*request.headers, bearing(BEARER)), body)


@flaw("auth", request=confirming)
def a_code_that_is_optional(given: Given) -> Response:
    """`if code and code != issued: refuse`"""
    return confirmed(given, optional=True)


@twin("auth", request=confirming)
def a_code_that_is_asked_for(given: Given) -> Response:
    return confirmed(given, optional=False)


@twin("auth", request=confirming)
def confirmed_for_good(given: Given) -> Response:
    """What was confirmed once stays so, and whoever asks again is told so whatever he sends."""
    if session(given) != BEARER:
        return answer({"error": "please sign in"}, 401)
    return answer({"phone": ANN["phone"], "state": "confirmed"})
