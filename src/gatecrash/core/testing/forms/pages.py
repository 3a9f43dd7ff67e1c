"""The page that a form was sent from: as the request says itself, else one of the record whose form sends to its address.

A browser sends no Referer where the page asks it not to (`Referrer-Policy: no-referrer`), and many clients never do.
"""

from collections.abc import Iterable
from urllib.parse import urlsplit

from gatecrash.core.message import Request
from gatecrash.core.testing.known.page import Page


def form_page_of(request: Request, pages: Iterable[Page]) -> bytes | None:
    """The target of that page, of the pages beside the request the nearest; None where none is known."""
    referer = sent_from(request)
    if referer is not None:
        return referer
    return next((page.request.target for page in pages if request.path in page.forms), None)


def sent_from(request: Request) -> bytes | None:
    """The page that a request says it was sent from, where it is of the request's host."""
    referer = request.first(b"Referer")
    if referer is None:
        return None
    try:
        parts = urlsplit(referer.decode("latin-1"))
    except ValueError:  # `http://[`
        return None
    own = (request.first(name) or b"" for name in (b"Host", b"Origin"))
    hosts = {request.origin.partition("://")[2], *(each.decode("latin-1").lower().rpartition("/")[2] for each in own)}
    if parts.netloc.lower() not in hosts or not parts.path:
        return None
    return (parts.path + (f"?{parts.query}" if parts.query else "")).encode("latin-1")
