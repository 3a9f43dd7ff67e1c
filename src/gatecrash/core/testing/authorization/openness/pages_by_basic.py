"""Pages that credentials in a header came along to, which nobody chose for them.

Browsers send them ahead with all that stands below where they were asked for, and programs that read a site with all of it
(RFC 7617, section 2.2): nobody chose the page for them, so that they say as little of it as a cookie does. Of a token no browser
that goes to a page knows anything: where one came along, whoever reads the site sent it with all of it.
"""

import re

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.authorization.callers.credentials import AUTHORIZATION
from gatecrash.core.testing.oracles.body import media_type
from gatecrash.core.testing.probe import Situation

_PAGES = frozenset({"text/html", "application/xhtml+xml"})
_BASIC = re.compile(rb"\s*+basic\s", re.IGNORECASE)


def is_page_by_basic(situation: Situation, good: Response) -> bool:
    """Whether a page is answered to credentials that are Basic."""
    request = situation.baseline.request
    if not any(tuple(point[:2]) == AUTHORIZATION for point in situation.credentials):
        return False
    return _BASIC.match(request.first(b"Authorization") or b"") is not None and media_type(good) in _PAGES


def goes_to_a_page(request: Request) -> bool:
    """Whether a browser goes to an address, as by a link: no script of a page asks, which alone could have put a token there."""
    accepts = request.first(b"Accept") or b""
    return request.first(b"Sec-Fetch-Mode") == b"navigate" and accepts.startswith(b"text/html")
