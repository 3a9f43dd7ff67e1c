"""Described calls that change something, with the token header that a site's own scripts were seen to send beside them.

guarded = Guarded(pages)     what the site's pages showed, calls of its scripts among it
guarded.draft(described)     a draft that has the header, the cookie that it repeats, and the page that it is read from

No description has such a header: it is the site's own way, on the same host, to tell its calls from those of other sites.
"""

from collections.abc import Iterable

import msgspec

from gatecrash.core.message import Exchange, Request, with_header
from gatecrash.core.statuses import FIRST_ERROR
from gatecrash.core.testing.effects.methods import is_safe
from gatecrash.core.testing.effects.sign_in import signs_in
from gatecrash.core.testing.forms.tokens import cookies_of, is_called_token
from gatecrash.formats.draft import Draft

_Place = tuple[str, str, int]


class Guarded:
    """The first call of each origin that was let in with such headers; where none was, the first that has any."""

    def __init__(self, pages: Iterable[Exchange]) -> None:
        """Look for them."""
        self._calls: dict[_Place, Exchange] = {}
        for page in pages:
            if is_safe(page.request) or not _tokens(page.request):
                continue
            known = self._calls.setdefault(_origin(page.request), page)
            if not _was_let_in(known) and _was_let_in(page):
                self._calls[_origin(page.request)] = page

    def draft(self, draft: Draft) -> Draft:
        """As it is where it only reads, signs in, or says itself what it is sent with and from."""
        request, call = draft.request, self._calls.get(_origin(draft.request))
        if call is None or is_safe(request) or signs_in(request) or _tokens(request) or request.first(b"Referer"):
            return draft
        headers = request.headers
        for name, value in _tokens(call.request):
            headers = with_header(headers, name, value)
        crumbs = _repeated(call.request)
        if crumbs:
            own = request.first(b"Cookie")
            headers = with_header(headers, b"Cookie", b"; ".join([*([own] if own else []), *crumbs]))
        page = call.request.first(b"Referer")
        headers = with_header(headers, b"Referer", page) if page else headers
        return msgspec.structs.replace(draft, request=msgspec.structs.replace(request, headers=headers))


def _tokens(request: Request) -> list[tuple[bytes, bytes]]:
    return [
        pair for pair in request.headers if pair[0].lower() != b"cookie" and is_called_token(pair[0].decode("latin-1"))
    ]


def _repeated(request: Request) -> list[bytes]:
    """The cookies that one of its token headers repeats, as they are sent."""
    told = {value for _, value in _tokens(request)}
    names = {name for name, value in cookies_of(request).items() if value in told}
    crumbs = (crumb.strip() for crumb in (request.first(b"Cookie") or b"").split(b";"))
    return [crumb for crumb in crumbs if crumb.partition(b"=")[0].strip().decode("latin-1") in names]


def _was_let_in(exchange: Exchange) -> bool:
    return exchange.response is not None and exchange.response.status < FIRST_ERROR


def _origin(request: Request) -> _Place:
    return request.scheme, request.host, request.port
