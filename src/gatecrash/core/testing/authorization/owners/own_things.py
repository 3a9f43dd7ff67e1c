"""Things of a kind that each keeps for himself, given to whoever names their owner by his number: `/history?user_id=7`.

The address does not say what is told there. A list of such things in the record (`/bookings`), which names nobody and shows each
caller his own, says it: what is told holds nearly all that stands in the owner's list alone. Posts and the like may be read by all,
though `/posts/mine` shows each his own: a list of those says nothing. Nor is it said of calendars and what else shows people to
each other: who has booked a room tells all.
"""

import re
from collections.abc import Generator

from gatecrash.core.inventory.identifiers import singular
from gatecrash.core.message import Response
from gatecrash.core.testing.asking import ask, ask_as, response_of
from gatecrash.core.testing.authorization.objects.named import named_objects
from gatecrash.core.testing.authorization.owners.own_list import is_for_readers, is_kept_kind
from gatecrash.core.testing.known.identity import Identity
from gatecrash.core.testing.known.page import Page, asking
from gatecrash.core.testing.oracles.leaves import leaves
from gatecrash.core.testing.oracles.outcomes.refused import is_good
from gatecrash.core.testing.probe import Answer, Situation, TestRequest

_MOST_LISTS = 2
_NEARLY_ALL, _LEAST_TOLD = 0.8, 4
# Shorter values are flags, and the number of other things as well.
_LEAST_LONG = 3

# Where people see what others have planned.
_PLANS = re.compile(
    r".*(?:calendar|agenda|schedul|availab|planner|timeline|timetable|rota|roster|occupan|board).*", re.IGNORECASE
)

_Entries = frozenset[tuple[str, str]]


def holds_things_of_his_list(
    situation: Situation, other: Identity, good: Response, seen: Response, values: frozenset[str]
) -> Generator[TestRequest, Answer, str]:
    """What says that an answer holds what is its owner's alone, in words; empty where no list says so.

    good: what the owner was given. seen: what the other was. values: what the owner is called.
    """
    if _is_for_others(situation.baseline.request.path):
        return ""
    lists = [page for page in situation.pages if _lists_what_is_kept(page, situation, values)]
    for page in lists[:_MOST_LISTS]:
        asked = asking(situation.baseline.request, page)
        mine = response_of((yield from ask(asked, "control")))
        theirs = response_of((yield from ask_as(asked, other.name, "control")))
        # An empty list, as a page that stands in between, tells nothing of what the other has.
        if not (is_good(mine) and is_good(theirs) and leaves(theirs)):
            continue
        alone = _entries(mine) - _entries(theirs)
        if _tells(good, alone) and _tells(seen, alone):
            where = page.request.path.decode("latin-1")
            return f"{where} shows each caller his own, and what is told here stands in the owner's"
    return ""


def _is_for_others(path: bytes) -> bool:
    view = path.rstrip(b"/").rpartition(b"/")[2].decode("latin-1").lower()
    return _PLANS.fullmatch(view) is not None or is_for_readers(view)


def _lists_what_is_kept(page: Page, situation: Situation, values: frozenset[str]) -> bool:
    """Whether a page is the whole list of what each keeps for himself, and names nobody."""
    asked = page.request
    if asked.method.upper() != "GET" or asked.query is not None or asked.path == situation.baseline.request.path:
        return False
    kind = singular(asked.path.rstrip(b"/").rpartition(b"/")[2].decode("latin-1").lower())
    return is_kept_kind(kind) and not any(each.sure for each in named_objects(asked, values))


def _entries(response: Response) -> _Entries:
    told = (leaf for leaf in leaves(response) if leaf.path and len(leaf.value) >= _LEAST_LONG)
    return frozenset((leaf.path[-1], leaf.value) for leaf in told)


def _tells(response: Response, alone: _Entries) -> bool:
    return len(alone) >= _LEAST_TOLD and len(alone & _entries(response)) >= _NEARLY_ALL * len(alone)
