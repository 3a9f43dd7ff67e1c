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

# What its owner decides of an object, or he whom it is for, and nobody else: to approve and to pay, as others do, is none of it.
_ACTS = Words(
    r"cancel|close|end|finish|complete|mark-?_?(?:as-?_?)?(?:done|complete|lost|paid)|withdraw|return|refund|abort|stop|pause|resume|suspend"
    r"|freeze|unfreeze|lock|block|unlock|unblock|activate|deactivate|enable|disable|archive|unarchive|publish|unpublish|submit|reopen"
    r"|toggle|expire|renew|accept|decline|reject|claim"
    # With what it is done to: `/orders/return_order?order_id=7`. To submit a report makes one.
    r"|(?:cancel|close|withdraw|return|refund|suspend|freeze|block|deactivate|archive|reopen)[-_]\w+",
    re.IGNORECASE,
)


def acted_on(request: Request) -> bytes:
    """The address of the object to which a request does what its owner alone decides: `/orders/7` of `/orders/7/cancel`; else empty."""
    above, _, last = request.path.rstrip(b"/").rpartition(b"/")
    acts = request.method.upper() in ("POST", "PUT", "PATCH") and _ACTS.fullmatch(last.decode("latin-1"))
    return above if acts else b""


def calls_act(request: Request) -> bool:
    """Whether a function or a mutation does to an object what its owner alone decides: `order.cancel`, `closeOrder`."""
    words = called(request) or words_of(request)
    return len(words) > 1 and _ACTS.fullmatch(words[0]) is not None and not only_reads(request)
