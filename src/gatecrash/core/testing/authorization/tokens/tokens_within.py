"""Signed tokens that a call brings along as one of its values: a link's `?token=`, an argument of a query, a member of a body, a
cookie beside the session.

Detection does not count them as credentials, for most values that look so are none; whoever looks at the signature must say.
"""

from random import Random
from typing import NamedTuple

from gatecrash.core.auth.jwt import PREFIX
from gatecrash.core.message import Request, Response
from gatecrash.core.point import Point
from gatecrash.core.points.walk import read
from gatecrash.core.testing.authorization.callers.credentials import COOKIE
from gatecrash.core.testing.authorization.tokens.jwt import Token, compact, parse
from gatecrash.core.testing.fresh_letters import fresh_letters
from gatecrash.core.testing.oracles.leaves import leaves
from gatecrash.core.testing.places.walked_points import walked

# RFC 7519, sections 4.1.4 to 4.1.6: one that is out of its time is refused for that.
_TIMES = frozenset({"exp", "nbf", "iat"})
_LEAST, _MOST = 10**8, 10**9


class Bearer(NamedTuple):
    """A token and where it stands. before: what stands before it at the point, a scheme word for one."""

    point: Point
    before: bytes
    token: Token


def bearers(request: Request, credentials: tuple[Point, ...]) -> list[Bearer]:
    """The tokens among the credentials and the values of the call, each place once, those of cookies last: browsers send them
    with whatever is asked, be it asked by another token.
    """
    found: list[Bearer] = []
    places = dict.fromkeys((*credentials, *tokens_within(request)))
    for point in sorted(places, key=lambda each: each[:-1] == COOKIE):
        before, space, last = (read(request, point) or b"").rpartition(b" ")
        token = parse(last)
        if token is not None:
            found.append(Bearer(point, before + space, token))
    return found


def tokens_within(request: Request) -> tuple[Point, ...]:
    """The places in the query, the body and the cookies whose whole value is a signed token."""
    return tuple(
        found.point
        for found in walked(request)
        if found.value.startswith(PREFIX) and _may_hold_one(found.point) and parse(found.value) is not None
    )


def _may_hold_one(point: Point) -> bool:
    return point[0] in ("get", "post") or point[:-1] == COOKIE


def invented(token: Token, random: Random) -> bytes:
    """A token of the same form that nobody issued, of whom and for whom there is nobody."""
    claims = {name: value if name in _TIMES else _other(value, random) for name, value in token.payload.items()}
    return compact(token.header, claims, lambda _signed: random.randbytes(32))


def only_shows(good: Response, other: Response) -> bool:
    """Whether an answer to an invented token says as many things as the good one, under the same names: it takes tokens apart."""
    return {leaf.path for leaf in leaves(good)} == {leaf.path for leaf in leaves(other)}


def _other(value: object, random: Random) -> object:
    if isinstance(value, str):
        return fresh_letters(random, 10)
    return random.randint(_LEAST, _MOST) if isinstance(value, int) and not isinstance(value, bool) else value
