"""Whether what is read says of itself, to a visitor, that it is for everybody, or stands below a thing that does: a
public project; or whether visitors are shown it by the list above it, where it is called after nothing that people keep,
or all of it by the list of its kind, where that is asked for by name.

Its wiki is then for everybody, too, though its address begins as that of what people keep to themselves (`/projects/alpha/wiki`)
and all who have a key send it along. What stands below it and is called so itself is not: a public shop has orders, and takings.
"""

import re
from collections.abc import Generator
from urllib.parse import unquote

from gatecrash.core.message import Request, Response, reading
from gatecrash.core.statuses import FIRST_REDIRECT
from gatecrash.core.testing.addresses.sections import above
from gatecrash.core.testing.asking import ask_raw, response_of
from gatecrash.core.testing.authorization.callers.credentials import without_credentials
from gatecrash.core.testing.authorization.objects.named import named_objects
from gatecrash.core.testing.authorization.openness.somebodys_addresses import is_called_kept, is_called_somebodys
from gatecrash.core.testing.authorization.owners.lists_of_kind import lists_of
from gatecrash.core.testing.authorization.owners.ownership import is_published
from gatecrash.core.testing.authorization.owners.private_fields import is_private
from gatecrash.core.testing.effects.methods import is_safe
from gatecrash.core.testing.known.page import asking
from gatecrash.core.testing.operations.graphql import words_of
from gatecrash.core.testing.oracles.leaves import leaves
from gatecrash.core.testing.oracles.outcomes.refused import is_good
from gatecrash.core.testing.probe import Answer, Situation, TestRequest

_MOST = 2
_LONGEST_EXTENSION = 5
# Nobody's of its visitors, and the business of those who run the public thing: what it earns, who gives, what it is connected to.
_OF_ITS_OWNERS = re.compile(
    r"(?<![a-z])(?:revenues?|sales|earnings|turnover|payouts?|financ(?:es|ials)|budgets?|banks?|donors?|guest-?list|guests"
    r"|analytics|webhooks?|hooks|integrations|environments?|variables)(?![a-z])",
    re.IGNORECASE,
)


def public_above(situation: Situation, good: Response) -> Generator[TestRequest, Answer, str]:
    """The address of such a thing, which a request only reads, or something below it; empty where there is none.

    good: what a visitor gets, too.
    """
    request = situation.baseline.request
    listed = yield from _listed_by_name(situation, good)
    if listed or not is_safe(request) or is_private(good):
        return listed
    path = request.path.decode("latin-1")
    if is_published(good, wholly=True) and not is_called_somebodys(path) and not _OF_ITS_OWNERS.search(path):
        return path
    for upper in _above(request):
        bare = without_credentials(reading(request, upper + _extension(request.path)), situation.credentials)
        shown = response_of((yield from ask_raw(bare, "control")))
        name = upper.rpartition(b"/")[2].decode("latin-1")
        if shown.status < FIRST_REDIRECT and is_published(shown, wholly=True) and _is_of(shown, name):
            return upper.decode("latin-1")
    return (yield from _listed(situation))


def _listed_by_name(situation: Situation, good: Response) -> Generator[TestRequest, Answer, str]:
    """The list of its kind that is asked for by name, where that tells visitors all that this does: `venues` of `venue(id: …)`.
    What they should not be told is told of there.
    """
    request = situation.baseline.request
    for named in named_objects(request)[-1:]:
        for page in lists_of(situation.pages, request, named)[:1]:
            bare = without_credentials(asking(request, page), situation.credentials)
            shown = response_of((yield from ask_raw(bare, "control")))
            if is_good(shown) and _members(good) <= _members(shown):
                return f"{page.request.path.decode('latin-1')} {'-'.join(words_of(page.request))}"
    return ""


def _members(response: Response) -> set[tuple[str, str]]:
    return {(leaf.path[-1], leaf.value) for leaf in leaves(response) if leaf.path}


def _listed(situation: Situation) -> Generator[TestRequest, Answer, str]:
    """The list above it, where it shows visitors this very thing; whoever has made it may be named there, or on its own page."""
    request = situation.baseline.request
    upper, _, word = request.path.rstrip(b"/").rpartition(b"/")
    if upper.count(b"/") < 1 or is_called_kept(request.path.decode("latin-1")):
        return ""
    bare = without_credentials(reading(request, upper), situation.credentials)
    shown, name = response_of((yield from ask_raw(bare, "control"))), unquote(word.decode("latin-1"))
    return upper.decode("latin-1") if is_good(shown) and _names(shown, name) else ""


def _above(request: Request) -> list[bytes]:
    """The addresses of things above it, behind a word for their kind, where nothing below them is called kept."""
    return [
        upper
        for upper in above(request.path)
        if upper.count(b"/") > 1 and not _is_kept(request.path[len(upper) :].decode("latin-1"))
    ][-_MOST:]


def _is_kept(below: str) -> bool:
    return is_called_kept(below) or _OF_ITS_OWNERS.search(below) is not None


def _extension(path: bytes) -> bytes:
    """What an address ends with to be answered in a format: `.json`."""
    dot, extension = path.rpartition(b"/")[2].rpartition(b".")[1:]
    return dot + extension if dot and extension.isalpha() and len(extension) <= _LONGEST_EXTENSION else b""


def _is_of(shown: Response, name: str) -> bool:
    """Whether it is about the thing that the address names, no list of several."""
    return any(leaf.value == name for leaf in leaves(shown))


def _names(shown: Response, name: str) -> bool:
    """Whether a list has an entry of that name; a number may count something else."""
    told = (leaf for leaf in leaves(shown) if leaf.path and leaf.value == name)
    return any(not name.isdigit() or leaf.path[-1].lower().endswith("id") for leaf in told)
