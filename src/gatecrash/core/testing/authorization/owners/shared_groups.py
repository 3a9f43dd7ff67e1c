"""Small groups that share what they have: a household, a board, a list. What stands in a group of both callers is not
one member's alone.

The application itself says who is in a group: the page of the group names the other caller among its members, as its
owner reads it, or a list shows the group to the other with his role in it. A company or a tenant is no such group: its
people keep things apart. Nor does a group share with a member what his role there lets him read alone.

stands_in_group_of(situation, other, named, shown)    whether it stands in a group that the other shares
has_his_own_beside(situation, other, named, by)   whether the other has something of his own in the same group
reads_alone_in(situation, other, named, shown)        what says that he is there to read alone, in words
"""

import re
from collections.abc import Generator
from itertools import pairwise
from typing import Final, NamedTuple

from gatecrash.core.inventory.identifiers import singular
from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.asking import ask, ask_as, response_of
from gatecrash.core.testing.authorization.callers.holder import holder_values, values_of
from gatecrash.core.testing.authorization.fields.references import others_instead
from gatecrash.core.testing.authorization.objects.answered_objects import IDENTIFIERS, Object, objects_in
from gatecrash.core.testing.authorization.objects.named import asking_for, named_objects
from gatecrash.core.testing.authorization.owners.ownership import concerns, names_owner
from gatecrash.core.testing.known.identity import Identity
from gatecrash.core.testing.known.objects import Named
from gatecrash.core.testing.known.page import Page, asking
from gatecrash.core.testing.oracles.leaves import leaves
from gatecrash.core.testing.oracles.outcomes.refused import is_taken
from gatecrash.core.testing.probe import Answer, Situation, TestRequest
from gatecrash.core.words.named import Words

_GROUP: Final = re.compile(
    r"(household|family|team|group|board|list|album|channel|room|circle|club|project|trip|event|notebook|space)"
    r"(?:_?(?:id|uid|uuid|key))?",
    re.IGNORECASE,
)
# Of these nobody is a member who only looks at them, or books a place: their members work at what stands there together.
_WORKED_AT: Final = frozenset({"household", "family", "team", "board", "project", "notebook"})
_MEMBERS: Final = re.compile(
    r"member|participant|people|users|collaborator|persons|players|attendees|guests|shared_?with", re.IGNORECASE
)
_ROLE: Final = re.compile(r"(?:my_?)?(?:role|membership|permissions?|joined(?:_?at)?|member_?since)", re.IGNORECASE)
_ONLY_READS: Final = Words(r"(?:can_?)?(?:read|view)(?:er|s|[_ -]?only)?|observer|auditor|spectator", re.IGNORECASE)
_CALLED: Final = (*IDENTIFIERS, "slug", "key", "code")
_PERSON: Final = re.compile(r"e-?mail(?:_?address)?|user_?name|login|password\w*", re.IGNORECASE)
_MOST_GROUPS: Final = 3
_MOST_LISTS: Final = 2
_LEAST_NAME: Final = 3


class _Group(NamedTuple):
    """One group, as a field names it."""

    kind: str
    value: str


def stands_in_group_of(
    situation: Situation, other: Identity, named: Named, shown: Response
) -> Generator[TestRequest, Answer, bool]:
    """Whether what the owner reads stands in a group that the other is a member of. shown: the answer in which the owner reads it."""
    todo, seen = _groups_of(shown, named.value), set[_Group]()
    while todo and len(seen) < _MOST_GROUPS:
        group = todo.pop(0)
        if group in seen:
            continue
        seen.add(group)
        page = next((page for page in situation.pages if _is_page_of(page.request, group)), None)
        if page is not None:
            mine = response_of((yield from ask(asking(situation.baseline.request, page), "control")))
            if is_taken(mine) and _names_member(mine, values_of(other, situation)):
                return True
            todo += _groups_of(mine, group.value)
        if (yield from _is_listed_with_his_role(situation, other, group)):
            return True
    return False


def has_his_own_beside(
    situation: Situation, other: Identity, named: Named, by: Exchange
) -> Generator[TestRequest, Answer, bool]:
    """Whether the other, who is shown the object, has one of his own in the same group that its members work at, as his
    list tells: then whoever is in it may change both. What names its owner, and not its maker alone, is that one's.

    by: how the owner reads the object.
    """
    asked, shown = by.request, response_of(by)
    groups = [*_groups_above(asked), *_groups_of(shown, named.value)]
    groups = [each for each in groups if each.kind in _WORKED_AT]
    if not groups or named.point[0] != "path" or names_owner(shown, holder_values(situation), makers=False):
        return False
    if not is_taken(response_of((yield from ask_as(asked, other.name, "control")))):
        return False
    lists = (page for page in situation.pages if named.value in page.shown and page.request.path != asked.path)
    for page, _ in zip(lists, range(_MOST_LISTS), strict=False):
        mine = response_of((yield from ask(asking(situation.baseline.request, page), "control")))
        theirs = response_of((yield from ask_as(asking(situation.baseline.request, page), other.name, "control")))
        for value in others_instead(named.value, asked.path, mine, theirs)[:1] if is_taken(theirs) else ():
            his = asking_for(asked, named, value)
            found = response_of((yield from ask_as(his, other.name, "control"))) if his is not None else None
            if his is not None and found is not None and is_taken(found):
                own = {*_groups_above(his), *_groups_of(found, value)}
                return any(each in own for each in groups)
    return False


def _is_listed_with_his_role(
    situation: Situation, other: Identity, group: _Group
) -> Generator[TestRequest, Answer, bool]:
    lists = (page for page in situation.pages if group.value in page.shown and _is_list(page))
    for page, _ in zip(lists, range(_MOST_LISTS), strict=False):
        theirs = response_of((yield from ask_as(asking(situation.baseline.request, page), other.name, "control")))
        role = _role_in(theirs, group)
        if role and not _ONLY_READS.fullmatch(role):
            return True
    return False


def reads_alone_in(
    situation: Situation, other: Identity, named: Named, shown: Response
) -> Generator[TestRequest, Answer, str]:
    """What says that the other is a member of the object's group to read alone, and its sender is more; empty where
    nothing does, or it concerns the other. shown: the answer in which the owner reads it.
    """
    request = situation.baseline.request
    if concerns(shown, values_of(other, situation)):
        return ""
    for group in list(dict.fromkeys((*_groups_above(request), *_groups_of(shown, named.value))))[:_MOST_GROUPS]:
        for page in [page for page in situation.pages if group.value in page.shown and _is_list(page)][:_MOST_LISTS]:
            his = _role_in(response_of((yield from ask_as(asking(request, page), other.name, "control"))), group)
            if not _ONLY_READS.fullmatch(his):
                continue
            own = _role_in(response_of((yield from ask(asking(request, page), "control"))), group)
            if own and not _ONLY_READS.fullmatch(own):
                where = page.request.path.decode("latin-1")
                return f"{where} calls the other {his!r} of {group.value!r}, and who sent it {own!r}"
    return ""


def _role_in(listed: Response, group: _Group) -> str:
    """The reader's role in a group, as a list tells it; empty where it does not show the group."""
    entries = objects_in(listed) if is_taken(listed) else []
    return next((role for each in entries if (role := _his_role(each, group))), "")


def _groups_above(request: Request) -> list[_Group]:
    """The groups below which an address stands: `/projects/lab/settings`."""
    segments = request.path.decode("latin-1").strip("/").split("/")
    named = ((_GROUP.fullmatch(singular(word)), value) for word, value in pairwise(segments))
    return [_Group(kind[1].lower(), value) for kind, value in named if kind is not None]


def _groups_of(shown: Response, identifier: str) -> list[_Group]:
    """The groups that the object with this identifier names, else those that the whole answer does."""
    objects = objects_in(shown)
    own = [each for each in objects if identifier in (str(each.get(name)) for name in IDENTIFIERS)] or objects[:1]
    # What stands in a page about a group stands in that group, too.
    return [group for each in (*own, *objects[:1]) for group in _named_groups(each)]


def _named_groups(found: Object) -> list[_Group]:
    groups: list[_Group] = []
    for name, value in found.items():
        kind = _GROUP.fullmatch(name)
        if isinstance(value, dict):
            value = next((value[key] for key in IDENTIFIERS if key in value), None)
        if kind and isinstance(value, str | int) and not isinstance(value, bool) and value:
            groups.append(_Group(kind[1].lower(), str(value)))
    return groups


def _is_page_of(request: Request, group: _Group) -> bool:
    """Whether an address ends in the group: `/households/31`."""
    segments = request.path.decode("latin-1").lower().rstrip("/").split("/")
    return len(segments) > 1 and segments[-1] == group.value.lower() and _is_word_for(segments[-2], group)


def _is_word_for(word: str, group: _Group) -> bool:
    return word in (group.kind, f"{group.kind}s", f"{group.kind[:-1]}ies")


def _is_list(page: Page) -> bool:
    """Whether a page names nobody, so that it may show each caller his own."""
    return not any(each.sure for each in named_objects(page.request))


def _his_role(entry: Object, group: _Group) -> str:
    """The reader's role in the group, where an entry of a list is that; else empty. A user of that number has a role, too."""
    is_group = group.value in (str(entry.get(name)) for name in _CALLED) and not any(map(_PERSON.fullmatch, entry))
    return next((str(entry[name]) for name in entry if is_group and _ROLE.fullmatch(name) and entry[name]), "")


def _names_member(page: Response, values: frozenset[str]) -> bool:
    """Whether a page names somebody among the members."""
    for leaf in leaves(page):
        value = leaf.value.lower()
        told = value in values and (value.isdigit() or len(value) >= _LEAST_NAME)
        if told and any(_MEMBERS.search(name) for name in leaf.path):
            return True
    return False
