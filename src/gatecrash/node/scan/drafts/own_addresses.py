"""The target's own address, put where a request names one that the target calls in vain.

What fetches a picture or tells a webhook is described with an address that nobody answers at, or that is not reached
from where the target runs; one whose host, port and path stand apart, with words that are no address at all. Such a
request is refused once everything else suits, and what it would have made is never seen. A server that never thought of
this falls over without a word of it. Its own server is there, and a page of its own changes nothing when it is read.
"""

import re
from collections.abc import Iterable

from gatecrash.core.errors import GatecrashError
from gatecrash.core.message import Request, Response
from gatecrash.core.points.rewrite import rewrite_many
from gatecrash.core.testing.effects.methods import is_safe
from gatecrash.core.testing.oracles.body import text_of
from gatecrash.core.testing.places.address_parts import in_parts
from gatecrash.core.testing.places.walked_points import walked
from gatecrash.formats.draft import Draft
from gatecrash.node.scan.drafts.answered import is_good, is_unfit

_MOST_CHARACTERS = 4000
_NOT_THROUGH = frozenset({424, 500, 502, 503, 504})
_IN_VAIN = re.compile(
    r"(?:could ?n.t|can ?n.t|cannot|could not|unable to|failed to|failure to) (?:fetch|connect|reach|resolve|download|load|retrieve|open|get)"
    r"|unreachable|name or service not known|getaddrinfo|ENOTFOUND|ECONNREFUSED|connection refused|max retries exceeded|no such host",
    re.IGNORECASE,
)
_ADDRESS = re.compile(rb"https?://[^\s/]", re.IGNORECASE)


def calling_itself(draft: Draft, others: Iterable[Draft]) -> Request | None:
    """The refused draft's request with the target's own address in the place of those that it names; None where none was
    called in vain, and none is named in parts. others: of the same document, of which one that only reads tells a page that
    is there.
    """
    request, response = draft.request, draft.response
    if not isinstance(response, Response) or not (is_unfit(response) or _is_in_vain(response)):
        return None
    values = [one for one in walked(request) if one.point[0] in ("get", "post") and not one.container]
    own = request.origin + _page(others)
    apart = next((told for one in values if (told := in_parts(request, one.point, own)) is not None), None)
    if apart is not None or not _is_in_vain(response):
        return apart if apart != request else None
    try:
        called = rewrite_many(
            request, {one.point: own.encode("latin-1", "replace") for one in values if _ADDRESS.match(one.value)}
        )
    except GatecrashError:
        return None
    return called if called != request else None


def _is_in_vain(response: Response) -> bool:
    if response.status in _NOT_THROUGH:
        return True
    return is_unfit(response) and _IN_VAIN.search(text_of(response)[:_MOST_CHARACTERS]) is not None


def _page(others: Iterable[Draft]) -> str:
    """The path of what is read without a query, and at which nothing is made; the root where there is none."""
    drafts = list(others)
    taken = {one.request.path for one in drafts if not is_safe(one.request)}
    pages = (one for one in drafts if one.request.method == "GET" and is_good(one.response) and not one.holes)
    free = (one.request for one in sorted(pages, key=lambda one: not one.public) if one.request.query is None)
    return next((one.path.decode("latin-1") for one in free if one.path not in taken), "/")
