"""Whom a list of what people keep to themselves is for, by the pages that lead there: the menu of a site shows it to one rank
alone.

Asked are a few recorded pages right beside it, and the front page, as the higher identity and as the lower one. All that lead
the higher one there must be read by the lower one as well, and lead him nowhere near. What tells nothing of several people may
be left out of a menu for any reason.
"""

from collections.abc import Generator

from gatecrash.core.message import Response, reading
from gatecrash.core.testing.asking import ask, ask_as, response_of
from gatecrash.core.testing.authorization.owners.page_links import links_to
from gatecrash.core.testing.authorization.owners.private_fields import private_of_several
from gatecrash.core.testing.effects.destruction import destroys
from gatecrash.core.testing.known.identity import Identity
from gatecrash.core.testing.oracles.body import text_of
from gatecrash.core.testing.oracles.outcomes.refused import is_good
from gatecrash.core.testing.oracles.pages.reflection import renders
from gatecrash.core.testing.probe import Answer, Situation, TestRequest

_MOST_BESIDE = 2

_Saying = Generator[TestRequest, Answer, str]


def offered_to_one(situation: Situation, lower: Identity, seen: Response) -> _Saying:
    """What says so, in words; empty where nothing does. seen: what the lower identity is told."""
    request = situation.baseline.request
    if not renders(seen) or not private_of_several(seen, frozenset(lower.known)):
        return ""
    beside = dict.fromkeys((*situation.alongside, *situation.around))
    pages = [reading(request, target) for target in (*list(beside)[:_MOST_BESIDE], b"/")]
    found = ""
    for page in pages:
        if page.path == request.path or destroys(page):
            continue
        mine = response_of((yield from ask(page, "control")))
        if not is_good(mine) or not links_to(text_of(mine), request.target):
            continue
        theirs = response_of((yield from ask_as(page, lower.name, "control")))
        if not is_good(theirs) or links_to(text_of(theirs), request.target):
            return ""
        found = found or page.path.decode("latin-1")
    if not found:
        return ""
    told = private_of_several(seen, frozenset(lower.known))
    return f"{found} leads the higher identity there, and not the lower one, who reads it as well. It tells {told}."
