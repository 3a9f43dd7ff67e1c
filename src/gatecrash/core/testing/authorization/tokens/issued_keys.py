"""Keys that a service makes for whoever asks for one: they are shown to him once, and are his.

Whoever posts to `/keys`, to `/users/7/tokens` or to `/keys/7/rotate`, or calls `createApiKey`, is answered with a new one. A list
of keys shows none of them.
"""

import re

from gatecrash.core.message import Request
from gatecrash.core.testing.authorization.objects.named import asks
from gatecrash.core.testing.operations.graphql import address_of
from gatecrash.core.words.names import parted

# By the words of `oracles/leaks/leaks.py`.
_OF_A_CALLER = frozenset(
    {"a private key", "an Amazon access key", "a GitHub token", "a Slack token", "a Stripe secret key"}
)
_ISSUES = re.compile(
    r"[/._-](?:key|token|credential|secret|key[-_]?pair)s?(?:/[^/]*\d[^/]*)?(?:/(?:new|create|generate|rotate|regenerate|renew|roll|reset))?/?$",
    re.IGNORECASE,
)


def issues_a_key(request: Request) -> bool:
    """Whether a request asks for a new key; what only asks for those that there are is none."""
    if request.method.upper() != "POST" or asks(request):
        return False
    return _ISSUES.search(parted(address_of(request), "-")) is not None


def may_be_issued(what: str) -> bool:
    """Whether a secret, by its words, is of a kind that is made for a caller."""
    return what in _OF_A_CALLER
