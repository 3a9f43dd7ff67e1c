"""What a token opens: recorded questions that are answered to it, and refused to a garbled one.

questions(situation)                    what may want a token
opened(situation, token, *question)     the question, where the token opens it
opened_by(situation, pair)              the first of them that a session's access token opens
"""

import re
from collections.abc import Generator
from typing import NamedTuple

import msgspec

from gatecrash.core.message import Exchange, Request, reading, with_header
from gatecrash.core.testing.asking import ask_raw, response_of
from gatecrash.core.testing.authorization.callers.credentials import garble, without_credentials
from gatecrash.core.testing.authorization.callers.oneself import asks_about_oneself
from gatecrash.core.testing.authorization.tokens.exchanged import Pair
from gatecrash.core.testing.known.page import Bearing, asking
from gatecrash.core.testing.oracles.difference import Fact, read
from gatecrash.core.testing.oracles.outcomes.refused import is_taken
from gatecrash.core.testing.probe import Answer, Situation, TestRequest

_MOST_PAGES = 8
_OF_ANY_SERVICE = re.compile(r"api|rest|v\d+(?:\.\d+)?|", re.IGNORECASE)
_BEARER: Bearing = (b"Authorization", b"Bearer ")


class Opened(NamedTuple):
    """A question that the access token answers: asked with a token of any kind. said: what nobody else is told."""

    request: Request
    bearing: Bearing
    said: frozenset[Fact]
    good: Exchange

    def with_token(self, token: bytes) -> Request:
        """The question with this token."""
        name, before = self.bearing
        changed: Request = msgspec.structs.replace(
            self.request, headers=with_header(self.request.headers, name, before + token)
        )
        return changed


def opened(
    situation: Situation, access: bytes, request: Request, bearing: Bearing
) -> Generator[TestRequest, Answer, Opened | None]:
    """The question, where it is answered to the access token and refused to a garbled one."""
    asked = Opened(request, bearing, frozenset(), situation.baseline.exchange)
    good = yield from ask_raw(asked.with_token(access), "control")
    if not is_taken(response_of(good)):
        return None
    stranger = yield from ask_raw(asked.with_token(garble(access, situation.random)), "control")
    said = read(response_of(good)).facts - read(response_of(stranger)).facts
    return asked._replace(said=said, good=good) if said and not is_taken(response_of(stranger)) else None


def opened_by(situation: Situation, session: Pair) -> Generator[TestRequest, Answer, Opened | None]:
    """The first question that the session's access token opens; None where no such one is known."""
    carried = (b"Cookie", session.cookie + b"=") if session.cookie else None
    for request, bearing in questions(situation, carried):
        page = yield from opened(situation, session.access, request, bearing)
        if page is not None:
            return page
    return None


def service_of(request: Request) -> str:
    """The first word of an address that says more than `api`: behind a gateway each service checks tokens by itself."""
    words = request.path.decode("latin-1").strip("/").split("/")
    return next((word for word in words if not _OF_ANY_SERVICE.fullmatch(word)), "")


def questions(situation: Situation, carried: Bearing | None = None) -> list[tuple[Request, Bearing]]:
    """What may want the token: recorded requests that had one in a header, those about oneself first, then one of each
    service; and `me` beside. carried: where all have it, such as a cookie.
    """
    bare = without_credentials(situation.baseline.request, situation.credentials)
    known = [page for page in situation.pages if carried or page.bearing is not None]
    known.sort(key=lambda page: not asks_about_oneself(page.request))
    first = {service_of(page.request): page for page in reversed(known)}
    known.sort(key=lambda page: not asks_about_oneself(page.request) and first[service_of(page.request)] is not page)
    asked = [(asking(bare, page), carried or page.bearing or _BEARER) for page in known[:_MOST_PAGES]]
    beside = situation.baseline.request.path.rstrip(b"/").rpartition(b"/")[0] + b"/me"
    return [*asked, (reading(bare, beside), carried or _BEARER)]
