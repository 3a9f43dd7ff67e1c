"""A wall that stands above an object: `/acme/` is shown to its own people alone, and a page below it to everybody who
is signed in.

Where a word of the address is what its reader is called (`/acme/bills/7` of whoever signed in as `acme`), or where he
alone was recorded below it and others below others, each has the same pages below his own word. The wall is told by the
nearest page above: it refuses the other, who is shown his own in its place.

told = yield from behind_a_wall(access, other, named)      in words; empty where nothing says so
"""

from collections.abc import Generator

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.addresses.kinship import kind_words
from gatecrash.core.testing.asking import ask_as, response_of
from gatecrash.core.testing.authorization.callers.holder import holder_values, values_of
from gatecrash.core.testing.authorization.callers.oneself import TENANT
from gatecrash.core.testing.authorization.objects.named import asking_for, kind_of, listing, named_objects
from gatecrash.core.testing.authorization.openness.access import Access
from gatecrash.core.testing.authorization.owners.listed_elsewhere import linked_as
from gatecrash.core.testing.authorization.owners.own_above import counterparts, is_kept_thing, own_words, read_place
from gatecrash.core.testing.authorization.owners.own_list import is_for_readers
from gatecrash.core.testing.authorization.owners.ownership import listed_apart
from gatecrash.core.testing.known.identity import Identity
from gatecrash.core.testing.known.objects import Named
from gatecrash.core.testing.oracles.outcomes.refused import is_good
from gatecrash.core.testing.probe import Answer, Situation, TestRequest

_MOST_PAGES = 2


def behind_a_wall(access: Access, other: Identity, named: Named) -> Generator[TestRequest, Answer, str]:
    """What says that nobody else should be shown what stands below the sender's word; empty where nothing does.

    Of an object in the path (`/acme/bills/7`) the page above shows it to its owner, and the other's own does not. Of
    the word itself (`/acme/statistics`) the page must stand at the word, nothing else be named, and the other must have
    one of his own.
    """
    situation, request = access.situation, access.request
    word = next(iter(own_words(request, named, holder_values(situation))), None)
    if word is None:
        return ""
    # The last word of an address is a page's, and no object's.
    named = named if named.sure else word
    is_object = named.point != word.point
    if is_for_readers(_kind(request, named, word)) or _may_be_shown(situation, named, word):
        return ""
    if not is_object and any(each.sure and each.point != word.point for each in named_objects(request)):
        return ""
    instead = counterparts(word.value, holder_values(situation), values_of(other, situation))[:1]
    if not instead:
        return ""
    for path in _places_above(request, word, is_object):
        page, mine = yield from read_place(listing(request, path))
        his = asking_for(page, word, instead[0]) if is_good(mine) else None
        if his is None or not _is_refused(response_of((yield from ask_as(page, other.name, "control"))), mine):
            continue
        theirs = response_of((yield from ask_as(his, other.name, "control")))
        if is_good(theirs) and (yield from _is_apart(access, other, named, mine, theirs, instead[0])):
            return f"{page.target.decode('latin-1')}, above it, is refused to the other, who is shown his own below {instead[0]!r}"
    return ""


def _is_apart(
    access: Access, other: Identity, named: Named, mine: Response, theirs: Response, instead: str
) -> Generator[TestRequest, Answer, bool]:
    """Whether the owner's page alone shows the object; of a page at the word, whether the other has one of his own."""
    request = access.request
    word = own_words(request, named, holder_values(access.situation))[0]
    if named.point != word.point:
        return listed_apart(mine, theirs, named.value, linked_as(request, named))
    own = asking_for(request, word, instead)
    return own is not None and is_good(response_of((yield from ask_as(own, other.name, "control"))))


def _may_be_shown(situation: Situation, named: Named, word: Named) -> bool:
    """Whether it may be for all who are signed in, though its owner's first page is his: people have galleries below
    their names, or what they chose to be called. Their bills are not among what they show, and the pages of what he was
    told is his tenant are its own.
    """
    if TENANT + word.value.lower() in holder_values(situation):
        return False
    return named.point == word.point or not is_kept_thing(situation.baseline.request, named)


def _kind(request: Request, named: Named, word: Named) -> str:
    return kind_of(request, named) if named.point != word.point else next(iter(kind_words(request)[-1:]), "")


def _is_refused(kept: Response, mine: Response) -> bool:
    """Whether a page is kept from who asks for it: refused, led away from, or not there for him."""
    return not is_good(kept) and kept.status > mine.status


def _places_above(request: Request, word: Named, is_object: bool) -> list[bytes]:
    """The addresses in whose place the request stands, the nearest first: at the word, and between it and an object."""
    segments = request.path.rstrip(b"/").split(b"/")
    at_word = int(word.point[1]) + 2
    above = [b"/".join(segments[:count]) for count in range(len(segments) - 1, at_word - 1, -1)]
    return above[:_MOST_PAGES] if is_object else above[-1:]
