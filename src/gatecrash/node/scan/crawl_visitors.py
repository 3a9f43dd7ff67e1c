"""What a site's own pages lead its visitors to: meant for everybody, though whoever is signed in sends his cookies there, too.

list(open_to_all(pages, visitors))      the pages of somebody signed in, those marked as public; visitors: what a visitor was shown

A link to a page is the author's word. What robots.txt or a sitemap names is found by whoever attacks, data are asked for by
scripts, and what is for those who keep the site, or holds what people keep to themselves, may be linked by mistake: none of
these is marked.
"""

from collections.abc import Iterable, Iterator

import msgspec

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.statuses import FIRST_REDIRECT
from gatecrash.core.testing.authorization.owners.private_fields import is_private
from gatecrash.core.testing.authorization.ranks.ranked_functions import is_of_managers
from gatecrash.core.testing.effects.methods import is_safe
from gatecrash.core.testing.oracles.body import media_type
from gatecrash.core.testing.oracles.difference import read, same_but_for_numbers

_UNLINKED = (b"/robots.txt", b".xml")


def open_to_all(pages: Iterable[Exchange], visitors: Iterable[Exchange]) -> Iterator[Exchange]:
    """The pages in their order; public are those that say to a visitor who was led there what they say to their reader."""
    led = {each.request.target: each.response for each in visitors if _was_led_there(each)}
    for each in pages:
        visitor = led.get(each.request.target) if is_safe(each.request) else None
        yield msgspec.structs.replace(each, public=True) if visitor is not None and _is_same(each, visitor) else each


def _was_led_there(visitor: Exchange) -> bool:
    request, response = visitor.request, visitor.response
    if not is_safe(request) or response is None or response.status >= FIRST_REDIRECT:
        return False
    if "html" not in media_type(response) or is_private(response, strictly=True):
        return False
    return not _is_unlinked(request) and not is_of_managers(request)


def _is_unlinked(request: Request) -> bool:
    return (request.first(b"Referer") or b"").partition(b"?")[0].endswith(_UNLINKED)


def _is_same(page: Exchange, visitor: Response) -> bool:
    return page.response is not None and same_but_for_numbers(read(page.response), read(visitor))
