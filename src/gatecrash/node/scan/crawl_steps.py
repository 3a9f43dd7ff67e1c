"""How a browser comes from one page of a site to the next, and which of two steps are the same.

led(page, b"/next")      the request for what a page leads to
place_of(request)        equal for requests that lead to the same place, whatever token they carry
"""

import msgspec

from gatecrash.core.message import Request, with_header
from gatecrash.node.scan.crawl_forms import address_of

# What a request of a page brings wherever it leads; anything else is of one call of a script.
_OF_A_BROWSER = frozenset(
    {b"host", b"user-agent", b"accept", b"accept-language", b"sec-fetch-mode", b"referer", b"cookie"}
)


def led(page: Request, target: bytes) -> Request:
    """As a browser comes there from a page."""
    kept = tuple(each for each in page.headers if each[0].lower() in _OF_A_BROWSER)
    request = msgspec.structs.replace(page, method="GET", target=target, body=b"", headers=kept)
    referer = page.url.encode("latin-1", "replace")
    return msgspec.structs.replace(request, headers=with_header(request.headers, b"Referer", referer))


def place_of(request: Request) -> tuple[bytes, frozenset[tuple[bytes, bytes]]]:
    """Where a request goes, with the headers that a script alone gives it. A form that hands out another token with each page
    leads to the same place each time.
    """
    own = ((name.lower(), value) for name, value in request.headers if name.lower() not in _OF_A_BROWSER)
    return address_of(request), frozenset(own)
