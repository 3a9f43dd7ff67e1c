"""What somebody says or offers in public under his name: all read his comment or his advert, and he alone changes it.

Of a page of a wiki or a document the author is who began it; of a comment, a post or a review he is who speaks. Of an advert
the seller is whose it is; of an order he is one of two.
"""

import re

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.authorization.objects.named import kind_of
from gatecrash.core.testing.known.objects import Named
from gatecrash.core.testing.oracles.leaves import leaves

_SPEECH = re.compile(
    r"(?:.*[-_])?(?:comment|repl|post|review|message|answer|testimonial|rating|tweet|statu(?:se)?|feedback|opinion|shout)"
)
_AUTHOR = re.compile(
    r"(?:author|writer|commenter|reviewer|poster|(?:posted|written|said)_?by)(?:_?(?:id|name|user_?name))?",
    re.IGNORECASE,
)
_OFFER = re.compile(
    r"(?:.*[-_])?(?:listing|advert(?:isement)?|ad|classified|offer|offering|gig|product|propert|apartment|flat|rental)"
)
_SELLER = re.compile(
    r"(?:seller|vendor|host|landlord|lessor|merchant|advertiser|(?:offered|sold|listed)_?by)(?:_?(?:id|name|user_?name))?",
    re.IGNORECASE,
)
_LEAST_NAME = 3


def is_said_by(request: Request, named: Named, shown: Response, values: frozenset[str]) -> bool:
    """Whether an answer about what a request names says that it is what somebody with these names has said, or offers; of a list,
    that all is.
    """
    kind = kind_of(request, named)
    names = _AUTHOR if _SPEECH.fullmatch(kind) else _SELLER if _OFFER.fullmatch(kind) else None
    if names is None:
        return False
    told = [leaf.value.lower() for leaf in leaves(shown) if leaf.path and _names_him(leaf.path, names)]
    return bool(told) and all(each in values and (each.isdigit() or len(each) >= _LEAST_NAME) for each in told)


def _names_him(path: tuple[str, ...], names: re.Pattern[str]) -> bool:
    """`author`, `author_id`, and `id` or a name within `author`."""
    return names.fullmatch(path[-1]) is not None or (
        len(path) > 1 and names.fullmatch(path[-2]) is not None and path[-1].lower() in ("id", "username", "login")
    )
