"""What guards a recorded login against forged ones: a token in a header or a field, and the page that handed it out.

guards_of(login)                 the tokens that a login brings, by what they are called
places_of_guards(login, given)   where an answer holds them, by where the login has them
handed_out(value, given, name)   where it holds one; None where it does not

Scripts read it out of a cookie, a page's head or a JSON answer before they send the login.
"""

import re
from collections.abc import Iterator
from typing import Final

from gatecrash.core.auth.set_cookie import issued
from gatecrash.core.errors import InvalidPattern
from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.points.percent import unquote
from gatecrash.core.points.walk import walk
from gatecrash.core.testing.oracles.body import text_of
from gatecrash.core.testing.profiles.entrance import path_of_text
from gatecrash.core.testing.profiles.patterns import MOST_SEARCHED, compile_search
from gatecrash.core.testing.profiles.profile import Take

_GUARD: Final = re.compile(
    r"[cx]srf|forgery|(?:^|[-_])nonce|(?:^|form|security)[-_]token$|authenticity|request[-_]?verification",
    re.IGNORECASE,
)
_LEAST: Final = 8
_NAMED: Final = re.compile(r"\bname\s*=\s*[\"']?([\w.:-]{1,60})", re.IGNORECASE)


def guards_of(login: Request) -> Iterator[tuple[tuple[str, ...], str]]:
    """Each token with the point where it stands."""
    for found in walk(login).points:
        point, value = tuple(found.point), found.value.decode("utf-8", "replace")
        of_login = point[0] in ("post", "get") or (point[0] == "header" and len(point) == 2)
        if of_login and not found.container and len(value) >= _LEAST and is_guard(point[-1]):
            yield point, value


def is_guard(name: str) -> bool:
    """Whether a header or a field of this name guards against forged requests."""
    return _GUARD.search(name) is not None


def places_of_guards(login: Request, given: Exchange) -> dict[tuple[str, ...], Take]:
    """The tokens of a login that were read from this answer."""
    found = (
        (point, handed_out(value, given, f"guard{number}")) for number, (point, value) in enumerate(guards_of(login))
    )
    return {point: take for point, take in found if take is not None}


def handed_out(value: str, given: Exchange, variable: str) -> Take | None:
    """In a cookie, in JSON, or in a tag with a name."""
    response = given.response
    if response is None:
        return None
    for cookie in issued(response):
        name = cookie.name.decode("latin-1")
        if unquote(cookie.value).decode("latin-1") == value:
            return Take(variable, "crumb", name)
    path = path_of_text(response, value)
    if path is not None:
        return Take(variable, "json", path)
    pattern = _in_a_tag(value, response)
    return None if pattern is None else Take(variable, "pattern", pattern)


def _in_a_tag(value: str, response: Response) -> str | None:
    """How the text of a `meta` or of a hidden field is found by the name of its tag."""
    text = text_of(response)[:MOST_SEARCHED]
    at = text.find(value)
    tag = text[text.rfind("<", 0, at) : text.find(">", at) + 1] if at >= 0 else ""
    named = _NAMED.search(tag)
    if named is None:
        return None
    name = re.escape(named[1])
    for pattern in (
        rf"name=[\"']?{name}[\"']?[^<>]*(?:value|content)=[\"']?([^\"'<> ]+)",
        rf"(?:value|content)=[\"']?([^\"'<> ]+)[\"']?[^<>]*name=[\"']?{name}[\"' />]",
    ):
        if _finds(pattern, text, value):
            return pattern
    return None


def _finds(pattern: str, text: str, value: str) -> bool:
    try:
        found = compile_search(pattern).search(text)
    except InvalidPattern:
        return False
    return found is not None and found[1] == value
