"""How the answer to a draft is read: whether it gives something, and whether it says that the values do not suit."""

from gatecrash.core.message import Response
from gatecrash.core.statuses import CONFLICT, FIRST_ERROR, FIRST_SERVER_ERROR
from gatecrash.core.testing.oracles.body import text_of
from gatecrash.core.testing.oracles.outcomes.told_errors import gives_nothing, tells_errors
from gatecrash.formats.draft import Draft
from gatecrash.node.scan.drafts.listed_rows import json_in, rows_of

# What a target answers where a value names nothing, or does not suit it.
_UNFIT = frozenset({400, 404, 405, 406, 410, 415, 422})


def is_good(response: Response | object | None) -> bool:
    """Whether it is an answer, and no error."""
    return isinstance(response, Response) and response.status < FIRST_ERROR and not fails(response)


def is_unfit(response: Response | object | None) -> bool:
    """Whether the values do not suit: said so, or fallen over."""
    return isinstance(response, Response) and (
        response.status in _UNFIT or response.status == FIRST_SERVER_ERROR or fails(response)
    )


def conflicts(response: Response) -> bool:
    """Whether the values would suit, were it not for what is there already."""
    return response.status == CONFLICT


def fails(response: Response) -> bool:
    """Whether GraphQL tells under a good status that nothing came of it: errors, or nothing at all where something was asked for."""
    if response.status >= FIRST_ERROR:
        return False
    text = text_of(response)
    return gives_nothing(text) or (tells_errors(text) and '"data"' not in text)


def says_as_much(draft: Draft, other: Draft) -> bool:
    """Whether its answer is not the emptier one: what was just made often has nothing below it yet."""
    one, before = draft.response, other.response
    return not isinstance(before, Response) or (isinstance(one, Response) and 2 * len(one.body) >= len(before.body))


def lists_any(draft: Draft) -> bool:
    """Whether its answer lists anything: a filter by whose things they are finds one's own, however few there are."""
    return isinstance(draft.response, Response) and bool(rows_of(json_in(draft.response)))
