"""Sessions that the answer to a login gives out (cookies, tokens), and requests that carry them as the recorded requests did.

session = session_of(response)                 None where it hands out nothing
for way in ways_of(page, session): way.on(request)
"""

from typing import NamedTuple

import msgspec

from gatecrash.core.auth.set_cookie import parse
from gatecrash.core.message import Request, Response, with_header
from gatecrash.core.testing.authorization.tokens.issued_tokens import handed_out
from gatecrash.core.testing.known.page import Bearing, Page

COOKIE = b"Cookie"
_BEARER: Bearing = (b"Authorization", b"Bearer ")
_MOST_TOKENS = 2


class Session(NamedTuple):
    """What a login hands out: cookies as a header's value, and tokens."""

    cookies: bytes
    tokens: tuple[bytes, ...]


class Way(NamedTuple):
    """A header that brings it along. before: what stands before the value there."""

    name: bytes
    before: bytes
    value: bytes

    def on(self, request: Request) -> Request:
        """The request with it."""
        headers = with_header(request.headers, self.name, self.before + self.value)
        changed: Request = msgspec.structs.replace(request, headers=headers)
        return changed


def session_of(response: Response) -> Session | None:
    """What an answer hands out; None where it is nothing."""
    parsed = (parse(header) for header in response.all(b"Set-Cookie"))
    crumbs = b"; ".join(each.name + b"=" + each.value for each in parsed if each is not None and each.value)
    tokens = tuple(each.value for each in handed_out(response))[:_MOST_TOKENS]
    return Session(crumbs, tokens) if crumbs or tokens else None


def ways_of(page: Page, session: Session) -> list[Way]:
    """The cookies, and each token where the page had one."""
    ways = [Way(COOKIE, b"", session.cookies)] if session.cookies else []
    return ways + [Way(*(page.bearing or _BEARER), token) for token in session.tokens]
