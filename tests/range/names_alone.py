"""Passwords that are set for who brings nothing but a name, and some that ask for more; each beside its registration and its login."""

import secrets

from gatecrash.core.message import Request, Response
from tests.range.asked import sending
from tests.range.place import Given, answer, flaw, twin

ANN, BEA, FIRST = "ann@example.org", "bea@example.org", "first-snow-3"
PASSWORDS: dict[tuple[str, object], object] = {}


def registering(path: str) -> Request:
    return sending(email=BEA, password=FIRST)(f"{path}/register")


def entering(path: str) -> Request:
    return sending(email=BEA, password=FIRST)(f"{path}/login")


def setting(path: str) -> Request:
    return sending(email=BEA, new_password="quiet-river-8")(f"{path}/forgot")


def setting_with_code(path: str) -> Request:
    return sending(email=BEA, code="482913", new_password="quiet-river-8")(f"{path}/forgot")


BESIDE = (registering, entering)


def entrance(given: Given) -> Response | None:
    """What the registration and the login answer; None of what sets a password."""
    place, _, last = given.request.path.decode("latin-1").rpartition("/")
    name, password = given.values.get("email"), given.values.get("password")
    if last == "register":
        PASSWORDS.setdefault((place, name), password)
        return answer({"message": "welcome"}, 201)
    if last == "login":
        is_right = name and PASSWORDS.get((place, name)) == password
        return answer({"token": secrets.token_hex(16)}) if is_right else answer({"error": "wrong"}, 401)
    return None


def put(given: Given) -> Response:
    place = given.request.path.decode("latin-1").rpartition("/")[0]
    if (place, given.values.get("email")) not in PASSWORDS:
        return answer({"error": "nobody has this address"}, 404)
    PASSWORDS[place, given.values.get("email")] = given.values.get("new_password")
    return answer({"message": "It was set."})


@flaw("auth", request=setting, beside=BESIDE)
def asks_for_a_name(given: Given) -> Response:
    return entrance(given) or put(given)


@flaw("auth", request=setting_with_code, beside=BESIDE)
def looks_at_no_code(given: Given) -> Response:
    return entrance(given) or (put(given) if given.values.get("code") else answer({"error": "no code"}, 400))


@twin("auth", request=setting_with_code, beside=BESIDE)
def compares_the_code(given: Given) -> Response:
    """Each account's is another one, and nobody is told."""
    return entrance(given) or answer({"error": "that is not what we sent"}, 400)


@twin("auth", request=setting, beside=BESIDE)
def waits_for_a_link(given: Given) -> Response:
    """It is kept until somebody follows the link in the mail."""
    return entrance(given) or answer({"message": "We have written to you."})
