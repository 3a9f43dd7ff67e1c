"""Whether an endpoint that answers without cookies should have asked for them.

A browser sends a site's cookies with every request to it (RFC 6265, section 5.4), so that they came along says nothing of
what an endpoint needs. Nor does a token that a client sends with whatever it asks once it has one, where it asked the same
before without. Credentials in headers and parameters are sent where somebody meant them to be.
"""

import re

from gatecrash.core.message import Response
from gatecrash.core.testing.holder import holder_values
from gatecrash.core.testing.ordering import is_safe
from gatecrash.core.testing.ownership import is_private, leaves
from gatecrash.core.testing.probe import Situation

_COOKIE = ("header", "COOKIE")
_LEAST_NAME = 3
# Parts of addresses at which things are done for somebody, or by those who run the site.
_OF_SOMEBODY = re.compile(
    r"(?:^|[/._-])(?:admin(?:istration)?|manage(?:r|ment)?|internal|private|staff|settings|config|backups?|debug|dashboard|console"
    r"|accounts?|users?|profiles?|me|members?|customers?|clients?|patients?|employees?|orders?|invoices?|payments?|billing"
    r"|cards?|wallets?|balances?|transactions?|transfers?|messages?|inbox|mailbox|secrets?|keys?|tokens?|exports?|reports?)"
    r"(?=$|[/._-])",
    re.IGNORECASE,
)


def is_at_stake(situation: Situation, good: Response) -> bool:
    """Whether a good answer, or what the request does, is anybody's business in particular.

    It is where credentials were meant for it (others than cookies), unless the record shows that visitors are answered, too:
    clients that sign in send their token with everything from then on. It is where the address says so; where the answer holds what
    people keep to themselves or names the caller; and where a request changes something in a way that no plain form can.
    """
    if not situation.visited and any(tuple(point[:2]) != _COOKIE for point in situation.credentials):
        return True
    request = situation.baseline.request
    if _OF_SOMEBODY.search(request.path.decode("latin-1")) or is_private(good):
        return True
    if not is_safe(request) and b"json" in (request.first(b"Content-Type") or b"").lower():
        return True
    names = {name for name in holder_values(situation) if len(name) >= _LEAST_NAME and not name.isdigit()}
    return any(leaf.value.lower() in names for leaf in leaves(good))
