"""What GraphQL shops keep for their guests: a cart, in the session that they begin for whoever comes without one.

All operations have one address, and nearly all of a shop's are asked for with the session's cookie, so that only two
things tell: what is asked for is called after a cart (`addToCart`, `addItemToOrder`), and the answer to nobody hands
out a session of his own, or the key of a new cart that nobody guesses. Who names the cart that he means asks for that
one, and gets no new one.
"""

import re
from typing import Final

from gatecrash.core.auth.parameters import COOKIE_STEPS
from gatecrash.core.auth.randomness import looks_random
from gatecrash.core.auth.set_cookie import issued
from gatecrash.core.message import Request, Response
from gatecrash.core.points.walk import walk
from gatecrash.core.testing.operations.graphql import argument_of, operation_of, words_of
from gatecrash.core.testing.oracles.leaves import leaves
from gatecrash.core.words.names import parted

_CART: Final = re.compile(
    r"(?:^|-)(?:carts?|baskets?|bag|wish-?lists?)(?:-|$)|-(?:items?|lines?|products?|variants?)-(?:to|in)-order$"
)
_NAMES_ONE: Final = re.compile(
    r"(?:.*[-_])?(?:cart|basket|bag|wish_?list|order|checkout|line)[-_]?(?:id|code|key|token)", re.IGNORECASE
)
# `createCart`: whoever has its key goes on with it.
_BEGINS: Final = frozenset({"create", "new", "make", "start", "begin"})
_KEY: Final = re.compile(r"(?:.*_)?(?:id|key|token|code)", re.IGNORECASE)


def filled_a_guests_own(request: Request, unknown: Response) -> bool:
    """Whether an operation fills a cart, and the answer to nobody has begun one for him. unknown: that answer."""
    if operation_of(request) is None or _CART.search("-".join(words_of(request))) is None:
        return False
    points = [found.point for found in walk(request).points if not found.container]
    arguments = (argument_of(request, str(point[-1])) for point in points if point[0] == "post")
    if any(_NAMES_ONE.fullmatch(parted(name)) for name in arguments):
        return False
    sent = {str(point[-1]).encode() for point in points if tuple(point[:-1]) == COOKIE_STEPS}
    if any(cookie.name in sent and looks_random(cookie.value) for cookie in issued(unknown)):
        return True
    return words_of(request)[0] in _BEGINS and any(
        leaf.path and _KEY.fullmatch(parted(leaf.path[-1])) and looks_random(leaf.value.encode("utf-8", "replace"))
        for leaf in leaves(unknown)
    )
