"""Requests that sign in, and pages of logins and registrations."""

import re

from gatecrash.core.message import Request
from gatecrash.core.testing.effects.methods import is_safe
from gatecrash.core.testing.effects.spoken import spoken_address
from gatecrash.core.words.named import Words
from gatecrash.core.words.pieces import pieces_of

SIGNS_IN = Words(r"log[-_]?[io]n|sign[-_]?in|logon|/auth(?:enticate)?\b|/sessions?\b|/tokens?\b", re.IGNORECASE)
_SIGNS_UP = Words(
    r"sign[-_]?up(?![a-z])|regist(?:er|ration)(?![a-z])|(?:create|new)[-_]?account(?![a-z])|/join/?$", re.IGNORECASE
)
_HOLDS_PASSWORD = re.compile(
    rb"pass|pwd|(?<![a-z])(?:pw|pin(?:-?code)?|(?<![_-])secret)(?![a-z])|"
    + b"|".join(map(re.escape, pieces_of("password"))),
    re.IGNORECASE,
)


def shows_a_login(request: Request) -> bool:
    """Whether a request asks for a page by the name of a login (`/login`, `?do=login`)."""
    return is_safe(request) and SIGNS_IN.search(request.target.decode("latin-1")) is not None


def shows_an_entrance(request: Request) -> bool:
    """Whether a request asks for a page by the name of a login or of a registration, which asks whoever comes for a password."""
    said = request.target.decode("latin-1")
    return shows_a_login(request) or (is_safe(request) and _SIGNS_UP.search(said) is not None)


def signs_in(request: Request) -> bool:
    """Whether a request signs in with a password, which locks its account when it is tested with others; some APIs do so by GET."""
    if request.method.upper() not in ("POST", "GET") or SIGNS_IN.search(spoken_address(request)) is None:
        return False
    return _HOLDS_PASSWORD.search(request.body or request.query or b"") is not None
