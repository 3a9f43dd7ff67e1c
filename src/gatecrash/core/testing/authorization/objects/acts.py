"""Requests that do to an object what its owner decides, or he whom it is for: `/orders/7/cancel`.

acted_on(request)       the address of the object
calls_act(request)      whether a function or a mutation does so
"""

import re

from gatecrash.core.message import Request
from gatecrash.core.testing.authorization.objects.named import only_reads
from gatecrash.core.testing.operations.graphql import words_of
from gatecrash.core.testing.operations.questions import called
from gatecrash.core.words.named import Words
from gatecrash.core.words.names import parted

# What its owner decides of an object, or he whom it is for, and nobody else: to approve and to pay, as others do, is none of it.
_ACTS = Words(
    r"cancel|close|end|finish|complete|mark-?_?(?:as-?_?)?(?:done|complete|lost|paid)|withdraw|return|refund|abort|stop|pause|resume|suspend"
    r"|freeze|unfreeze|lock|block|unlock|unblock|activate|deactivate|enable|disable|archive|unarchive|publish|unpublish|submit|reopen"
    r"|toggle|expire|renew|extend|prolong|accept|decline|reject|claim"
    # With what it is done to: `/orders/return_order?order_id=7`. To submit a report makes one.
    r"|(?:cancel|close|withdraw|return|refund|suspend|freeze|block|deactivate|archive|reopen)[-_]\w+",
    re.IGNORECASE,
)
# A script beside those of other pages, called after what it does to what: `/visit_cancel.php`, `/cancelVisit.jsp`.
_SCRIPT = re.compile(r"\.(?:php\d?|jspx?|aspx?|cgi|do|action)$", re.IGNORECASE)
_DEED = r"cancel|close|withdraw|suspend|freeze|deactivate|reopen|publish|unpublish|renew|extend"
_THING_FIRST = re.compile(rf"(?P<thing>[a-z]+(?:[-_][a-z]+)?)[-_](?:{_DEED})", re.IGNORECASE)
_THING_LAST = re.compile(rf"(?:{_DEED})[-_](?P<thing>[a-z]+(?:[-_][a-z]+)?)", re.IGNORECASE)


def acted_on(request: Request) -> bytes:
    """The address of the object to which a request does what its owner alone decides: `/orders/7` of `/orders/7/cancel`, `/visit` of
    `/visit_cancel.php`; else empty.
    """
    if request.method.upper() not in ("POST", "PUT", "PATCH"):
        return b""
    above, _, last = request.path.rstrip(b"/").rpartition(b"/")
    said = parted(_SCRIPT.sub("", last.decode("latin-1")))
    if above and _ACTS.fullmatch(said):
        return above
    done = _THING_FIRST.fullmatch(said) or (None if above else _THING_LAST.fullmatch(said))
    return b"" if done is None else above + b"/" + done["thing"].lower().encode()


def calls_act(request: Request) -> bool:
    """Whether a function or a mutation does to an object what its owner alone decides: `order.cancel`, `closeOrder`."""
    words = called(request) or words_of(request)
    return len(words) > 1 and _ACTS.fullmatch(words[0]) is not None and not only_reads(request)
