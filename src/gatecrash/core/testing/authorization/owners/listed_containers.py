"""What stands above an object and is its sender's by a list alone: a team of `/teams`, which nothing that he is told of
himself names.

Where the list shows it to him and not to the other, the other's list tells which ones are his in its place.

may_be_listed(situation, named)                      whether the record has such a list
yield from below_listed(situation, named, other)     the request below what the other's list shows
names_container(request, moved, named, shown)        whether an answer says that it belongs where it was recorded
"""

from collections.abc import Generator
from typing import NamedTuple

from gatecrash.core.inventory.identifiers import look_of
from gatecrash.core.message import Request, Response
from gatecrash.core.testing.addresses.kinship import kind_words
from gatecrash.core.testing.asking import ask, ask_as, response_of
from gatecrash.core.testing.authorization.callers.holder import holder_values, values_of
from gatecrash.core.testing.authorization.fields.references import others_instead
from gatecrash.core.testing.authorization.objects.answered_objects import IDENTIFIERS
from gatecrash.core.testing.authorization.objects.made_by_forms import Links
from gatecrash.core.testing.authorization.objects.named import asking_for, kind_of, list_above, listing, named_objects
from gatecrash.core.testing.authorization.owners.listed_elsewhere import is_shared, linked_as
from gatecrash.core.testing.authorization.owners.ownership import identifying, listed_apart
from gatecrash.core.testing.known.identity import Identity
from gatecrash.core.testing.known.objects import Named
from gatecrash.core.testing.known.page import asking
from gatecrash.core.testing.oracles.leaves import leaves
from gatecrash.core.testing.oracles.outcomes.refused import is_good
from gatecrash.core.testing.probe import Answer, Situation, TestRequest
from gatecrash.core.words.names import plain

_MOST_TRIED = 2
_MOST_ABOVE = 2
_ENDS = ("", "id", "uid", "uuid", "no", "nr", "number", "ref", "key")


class _Container(NamedTuple):
    """One, and the question for its list; None where no such page was recorded."""

    named: Named
    listed: Request | None


def may_be_listed(situation: Situation, named: Named) -> bool:
    """Whether something stands above the object in its address, and a recorded list shows that."""
    return any(each.listed is not None for each in _above(situation, named, situation.baseline.request))


def below_listed(
    situation: Situation, named: Named, other: Identity, request: Request | None = None
) -> Generator[TestRequest, Answer, list[Request]]:
    """The request for the same object below what the other's list shows in the place of what the sender's shows alone."""
    given = request or situation.baseline.request
    above = _above(situation, named, given)
    for number, container in enumerate(above):
        instead = (yield from _instead(situation, given, container, other)) if container.listed is not None else []
        moved = [each for value in instead if (each := asking_for(given, container.named, value)) is not None]
        if moved:
            within = above[number + 1 : number + 2]
            return [*moved, *((yield from _within(moved[0], within[0], other)) if within else [])]
    return []


def _above(situation: Situation, named: Named, request: Request) -> list[_Container]:
    """What stands before the object in the path, the outermost first."""
    if named.point[0] != "path":
        return []
    found = [
        each
        for each in named_objects(request, holder_values(situation))
        if each.sure and each.point[0] == "path" and int(each.point[1]) < int(named.point[1])
    ]
    return [_Container(each, _recorded_list(situation, request, each)) for each in found[-_MOST_ABOVE:]]


def _recorded_list(situation: Situation, request: Request, above: Named) -> Request | None:
    """The recorded question for the list that something stands in: at the address above it, else at one that is called so (`/me/teams`)."""
    place = list_above(request, above.point)
    shown = [page for page in situation.pages if above.value in page.shown and page.request.method.upper() == "GET"]
    at_place = [page for page in shown if page.request.path.rstrip(b"/") == place]
    kind = kind_words(listing(request, place))[-1:]
    called = [page for page in shown if kind and kind_words(page.request)[-1:] == kind]
    page = next(iter([*at_place, *called]), None)
    return None if page is None else asking(request, page)


def _instead(
    situation: Situation, request: Request, container: _Container, other: Identity
) -> Generator[TestRequest, Answer, list[str]]:
    """What the other's list shows, where the sender's shows the container and the other's, as good a one, does not."""
    assert container.listed is not None
    for listed in _with_and_without_filters(container.listed):
        found = yield from _shown_instead(situation, request, container.named, listed, other)
        if found:
            return found
    return []


def _with_and_without_filters(listed: Request) -> list[Request]:
    """What is asked for by a state shows nothing of who has one in another state."""
    return [listed] if listed.query is None else [listed, listing(listed, listed.path)]


def _shown_instead(
    situation: Situation, request: Request, named: Named, listed: Request, other: Identity
) -> Generator[TestRequest, Answer, list[str]]:
    address = linked_as(request, named)
    mine = response_of((yield from ask(listed, "control")))
    theirs = response_of((yield from ask_as(listed, other.name, "control")))
    if not (is_good(mine) and is_good(theirs) and listed_apart(mine, theirs, named.value, address)):
        return []
    if is_shared(mine, named, address, values_of(other, situation)):
        return []
    return [each for each in _told(request, named, mine, theirs) if each != named.value][:_MOST_TRIED]


def _told(request: Request, named: Named, mine: Response, theirs: Response) -> list[str]:
    """The identifiers of a list that stand where the other one has its own, and that the other one does not show."""
    keys = {leaf.path for leaf in leaves(mine) if leaf.value == named.value}
    keys = identifying(keys, named.value, linked_as(request, named))
    links = Links.of(request, named)
    if not keys:
        return sorted(links.in_page(theirs) - links.in_page(mine))
    return others_instead(named.value, linked_as(request, named), mine, theirs)


def _within(moved: Request, inner: _Container, other: Identity) -> Generator[TestRequest, Answer, list[Request]]:
    """The request with what stands within replaced, too, by the first that the other's own list there shows."""
    listed = response_of(
        (yield from ask_as(listing(moved, list_above(moved, inner.named.point)), other.name, "control"))
    )
    if not is_good(listed):
        return []
    told = [leaf.value for leaf in leaves(listed) if leaf.path and leaf.path[-1].lower() in IDENTIFIERS]
    links = Links.of(moved, inner.named)
    alike = [each for each in told or sorted(links.in_page(listed)) if look_of(each) == look_of(inner.named.value)]
    both = [asking_for(moved, inner.named, each) for each in alike if each != inner.named.value][:1]
    return [each for each in both if each is not None]


def names_container(request: Request, moved: Request, named: Named, shown: Response) -> str:
    """What an answer calls the place where it was recorded, and not where it was asked for; empty where it names none."""
    there = {tuple(each.point): each.value for each in named_objects(moved)}
    for above in named_objects(request):
        if above.point[0] != "path" or int(above.point[1]) >= int(named.point[1]):
            continue
        kind = kind_of(request, above)
        if kind and there.get(tuple(above.point)) != above.value and _says(shown, kind, above.value):
            return f"{kind} {above.value}"
    return ""


def _says(shown: Response, kind: str, value: str) -> bool:
    """Whether a field that is called after a kind holds this identifier: `team_id`, `teamId`, `team`, or the `id` in a `team`."""
    for leaf in leaves(shown):
        if leaf.value == value and leaf.path:
            *before, name = leaf.path
            called = before[-1] if name.lower() in IDENTIFIERS and before else name
            if any(plain(called) in (word + end for end in _ENDS) for word in (kind, kind + "y", kind + "s")):
                return True
    return False
