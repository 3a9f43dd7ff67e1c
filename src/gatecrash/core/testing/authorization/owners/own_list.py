"""Lists that show each caller his own: what they leave out, and the caller is given all the same, is somebody else's.

One user alone is enough for it: his list names nobody but him as an owner, and the object beside his own names another.
"""

import re
from urllib.parse import parse_qsl

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.authorization.objects.named import kind_of, list_above
from gatecrash.core.testing.authorization.owners.ownership import identifying, is_owner_field, is_published, owner_field
from gatecrash.core.testing.known.objects import Named
from gatecrash.core.testing.oracles.leaves import leaves
from gatecrash.core.testing.oracles.outcomes.refused import is_good
from gatecrash.core.testing.probe import Situation

# What people write for others to read, and offer to them: a list of one's own says nothing of who may read it.
_FOR_READERS = re.compile(
    r"post|article|blog|comment|repl|review|rating|recipe|photo|picture|image|video|track|playlist|album|listing|advert|ad|offer|product|item"
    r"|question|answer|thread|topic|discussion|event|poll|quiz|course|lesson|page|wiki|repo(?:sitor)?|project|snippet|gist|paste|story"
    r"|stor|profile|user|member|people|person|announcement|new|auction|book|game|score|channel|room|group|team|club|tweet|status|feed",
    re.IGNORECASE,
)
# Of these what many join, take or look at: a list of them may be what each has chosen, where a project or a photo that he made is his.
_JOINED = re.compile(
    r"course|lesson|class|workshop|seminar|webinar|training|lecture|event|tournament|match|meet_?up|club|league|article|blog|announcement"
    r"|new|podcast|episode|magazine|auction|offer|book|game|product|item|store|station|show|movie|film",
    re.IGNORECASE,
)
# What people keep for themselves, and what stands in no catalogue that several choose from.
_KEPT = re.compile(
    r"(?:.*[-_])?(?:bill|expense|invoice|receipt|order|booking|reservation|rental|contract|payment|payslip|statement|quote|transfer|transaction|claim)"
)
_MANY = re.compile(r"(?:ies|s|y)$")
# What says how much of a list is shown, in which order and form; any other parameter may be a filter of the caller's own choice.
_WHOLE = re.compile(
    r"(?:page|per|limit|offset|size|count|cursor|skip|take|top|sort|order|direction|dir|format|lang|locale|version|api|fields|include"
    r"|expand|embed|with|number|by|after|before|v|_|-)+",
    re.IGNORECASE,
)


def list_of(situation: Situation, named: Named) -> bytes | None:
    """The target of the list that an object of the path stands in; None where there is none.

    As it was recorded, where that is the whole list. A list that was recorded with a filter (`?mine=1`, `?assignee=7`)
    leaves out what the caller did not ask for, so the list is asked for without it.
    """
    request = situation.baseline.request
    if named.point[0] != "path" or not int(named.point[1]):
        return None
    if is_for_readers(kind_of(request, named)):
        return None
    above = list_above(request, named.point)
    recorded = (
        page for page in situation.pages if page.request.path.rstrip(b"/") == above and named.value in page.shown
    )
    return next((page.request.target for page in recorded if _is_whole(page.request)), above)


def is_for_readers(kind: str) -> bool:
    """Whether things are of a kind that people write for others, offer to them, or join: `article`, `course`, `event`."""
    return _FOR_READERS.fullmatch(_MANY.sub("", kind)) is not None


def may_be_chosen(kind: str, named: Named, mine: Response, theirs: Response) -> bool:
    """Whether two lists of such things may be what each reader chose of what is everybody's: things that people join or
    read, or lists with an entry in common.
    """
    of_many = _JOINED.fullmatch(_MANY.sub("", kind)) is not None
    return of_many or share_entries(mine, theirs, named)


def is_kept_kind(kind: str) -> bool:
    """Whether things are of a kind that each keeps for himself: `invoice`, `booking`."""
    return _KEPT.fullmatch(kind) is not None


def share_entries(mine: Response, theirs: Response, named: Named) -> bool:
    """Whether two lists have an entry in common: then each shows some of what is everybody's."""
    shown = {leaf.path for leaf in leaves(mine) if leaf.value == named.value}
    places = identifying(shown, named.value, named.collection or b"")
    ones, others = ({leaf for leaf in leaves(each) if leaf.path in places} for each in (mine, theirs))
    return not ones.isdisjoint(others)


def _is_whole(request: Request) -> bool:
    asked = parse_qsl((request.query or b"").decode("latin-1"), keep_blank_values=True)
    return all(_WHOLE.fullmatch(name) for name, _ in asked)


def shows_only_own(listed: Response, named: Named, values: frozenset[str]) -> bool:
    """Whether a list shows the object, and names nobody but the caller where its entries name their owner."""
    if not is_good(listed) or is_published(listed):
        return False
    told = [(owner_field(leaf), leaf.value.lower()) for leaf in leaves(listed) if leaf.path and is_owner_field(leaf)]
    fields = {field for field, owner in told if owner in values}
    owners = {owner for field, owner in told if field in fields}
    return bool(owners) and owners <= values and not leaves_out(listed, named.value)


def leaves_out(listed: Response, value: str) -> bool:
    """Whether a list does not show an object, by its identifier in any field."""
    return not any(leaf.value == value for leaf in leaves(listed))


def is_shown_to_all(situation: Situation, named: Named, value: str) -> bool:
    """Whether another recorded page of such objects shows one of others, too: then they are shown to the caller by intent."""
    kind, own = kind_of(situation.baseline.request, named).encode(), list_of(situation, named)
    return any(
        value in page.shown and kind in page.request.path.lower() and page.request.target != own
        for page in situation.pages
    )
