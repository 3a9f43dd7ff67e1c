"""Where requests carry a token that a login gave: in Authorization, in a header of the application's own, in a cookie that a
script set, in the query, or where the message of a call says who calls; behind a word or alone.
"""

import re
from collections.abc import Collection, Iterator
from typing import Final

from gatecrash.core.inventory.called_credentials import of_a_call
from gatecrash.core.message import Request
from gatecrash.core.point import Point
from gatecrash.core.points.walk import walk

Place = tuple[str, ...]
# What headers, cookies and parameters are called that let somebody in.
_LETS_IN: Final = re.compile(
    r"auth|token|session|key|secret|ticket|jwt|bearer|pass|credential|(?:^|[-_.])sid$", re.IGNORECASE
)
# Other bodies hold what is asked for: a token there is one to be renewed or revoked.
_PARTS: Final = ("header", "get")


def places_of(request: Request, tokens: Collection[str]) -> Iterator[tuple[Place, str, str]]:
    """The point of each of these tokens, the token, and the word before it with its blank, if any."""
    callers = {one.point for one in of_a_call(request)} if tokens else frozenset[Point]()
    text = b"\n".join((request.target, *(value for _, value in request.headers), request.body if callers else b""))
    there = [token for token in tokens if token.encode() in text]
    for found in walk(request).points if there else ():
        if found.point[0] not in _PARTS and found.point not in callers:
            continue
        value = found.value.decode("latin-1")
        for token in there:
            word = value.removesuffix(token)
            if word != value and (not word or word.endswith(" ")):
                yield tuple(found.point), token, word


def lets_in(request: Request, token: str) -> bool:
    """Whether a request carries a token where its name says that it lets somebody in: other places hold tenants, too."""
    return any(is_called_one(point[-1]) for point, _, _ in places_of(request, (token,)))


def is_called_one(name: str) -> bool:
    """Whether a header, a cookie or a parameter of this name is there to let somebody in."""
    return _LETS_IN.search(name) is not None
