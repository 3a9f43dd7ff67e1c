"""Which cookies stay at home where a page of another site makes a browser ask: what their SameSite attribute said when they
were set (RFC 6265bis, sections 5.5 and 5.7; Lax cookies come along where a link is followed, and with no form that is posted).
"""

from collections import OrderedDict
from collections.abc import Iterable
from typing import Final

from gatecrash.core.auth.parameters import COOKIE_STEPS
from gatecrash.core.auth.set_cookie import parse
from gatecrash.core.message import Exchange, Request
from gatecrash.core.point import Point
from gatecrash.core.testing.effects.methods import is_safe

MOST_KEPT: Final = 500
_STRICT, _LAX = b"strict", b"lax"


class SameSite:
    """What the answers of a run said of their cookies: the latest word on each, a bounded number.

    said.see(exchange)                        for each that is met
    said.kept_home(request, credentials)      without which of them another site's page comes
    """

    def __init__(self) -> None:
        """Nothing was said yet."""
        self._known: OrderedDict[tuple[str, str], bytes] = OrderedDict()

    def see(self, exchange: Exchange) -> bool:
        """Keep what one answer says; whether any of it is new."""
        if exchange.response is None:
            return False
        is_new = False
        for header in exchange.response.all(b"Set-Cookie"):
            cookie = parse(header)
            if cookie is None:
                continue
            place = cookie.domain.decode("latin-1").lstrip(".").lower() or exchange.request.host.lower()
            key, setting = (place, cookie.name.decode("latin-1")), _setting(header)
            is_new = is_new or self._known.get(key) != setting
            self._known[key] = setting
            self._known.move_to_end(key)
        while len(self._known) > MOST_KEPT:
            self._known.popitem(last=False)
        return is_new

    def kept_home(self, request: Request, credentials: Iterable[Point]) -> tuple[Point, ...]:
        """The credentials that are cookies which a browser leaves out of this request where another site's page makes it."""
        kept = {_STRICT} if is_safe(request) else {_STRICT, _LAX}
        return tuple(
            point
            for point in credentials
            if tuple(point[:3]) == COOKIE_STEPS and len(point) > 3 and self._of(request.host.lower(), point[3]) in kept
        )

    def _of(self, host: str, name: str) -> bytes:
        """What was said of a cookie that the host gets; the nearest domain's word first."""
        while host:
            if (said := self._known.get((host, name))) is not None:
                return said
            host = host.partition(".")[2]
        return b""


def _setting(header: bytes) -> bytes:
    """The SameSite attribute in lower case; empty where there is none."""
    for attribute in header.split(b";")[1:]:
        key, _, value = attribute.partition(b"=")
        if key.strip().lower() == b"samesite":
            return value.strip().lower()
    return b""
