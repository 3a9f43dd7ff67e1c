"""What a draft asks for, by its holes: one thing or many, by filters or not, and how soon it may be asked."""

import msgspec

from gatecrash.core.message import Request, Response
from gatecrash.core.statuses import FORBIDDEN
from gatecrash.core.testing.authorization.objects.acts import acted_on
from gatecrash.core.testing.authorization.openness.access import may_be_repeated
from gatecrash.core.testing.effects.methods import is_safe
from gatecrash.core.testing.operations.graphql import only_queries
from gatecrash.formats.draft import Draft
from gatecrash.node.scan.drafts.answered import is_unfit
from gatecrash.node.scan.drafts.known_values import segments


def spared(draft: Draft) -> Draft:
    """The draft with nothing optional in it."""
    return draft if draft.spare is None else msgspec.structs.replace(draft, request=draft.spare, spare=None)


def is_filtered(draft: Draft) -> bool:
    """Whether it asks by something that it need not ask by."""
    return draft.spare is not None and any(hole.point[0] == "get" or hole.loose for hole in draft.holes)


def asks_for_one(draft: Draft) -> bool:
    """Whether a word of its path or of its query names what it asks for, or an argument of what it calls does."""
    if is_a_question(draft.request):
        return any(not hole.given for hole in draft.holes)
    return any(hole.point[0] == "path" or (hole.point[0] == "get" and not hole.loose) for hole in draft.holes)


def is_a_question(request: Request) -> bool:
    """Whether it calls what only reads by its name: a GraphQL query, or a function at the one address of all."""
    return not is_safe(request) and may_be_repeated(request)


def path_names_a_thing(draft: Draft) -> bool:
    """Whether its path names a thing that the document does not say to be there."""
    return any(hole.point[0] == "path" for hole in draft.holes)


def found_nothing(draft: Draft) -> bool:
    """Whether it was sent about nothing that its sender may have: what a document shows is often somebody else's."""
    response = draft.response
    refused = isinstance(response, Response) and response.status == FORBIDDEN and path_names_a_thing(draft)
    return refused or is_unfit(response)


def names_its_end(draft: Draft) -> bool:
    """Whether the last word of its path names a thing, and not what is asked for of it."""
    last = ("path", str(len(segments(draft.request)) - 1))
    return any(tuple(hole.point) == last for hole in draft.holes) or only_queries(draft.request)


def unknown(draft: Draft) -> tuple[int, bool]:
    """How many values of a draft the document did not show, and whether it asks by some that a list may teach."""
    must = any(hole.loose and not hole.given for hole in draft.holes) and not is_filtered(draft)
    return sum(not hole.given and not hole.loose for hole in draft.holes), must


def care(draft: Draft) -> tuple[int, bool, bool, int]:
    """What is asked of a collection before what is asked of a thing in it, and what makes a thing before what changes it, which is
    too late once it was sent back or closed.
    """
    in_path = sum(hole.point[0] == "path" and not hole.given for hole in draft.holes)
    return in_path, bool(acted_on(draft.request)), draft.request.method.upper() != "POST", unknown(draft)[0]
