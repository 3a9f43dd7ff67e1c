"""Identifiers of other users' objects that the application itself shows, in the same field of a page as the caller's own.

A list of posts tells which car each author drives (`"author": {"vehicle_id": …}`), a list of all books what each is called.
"""

import re
from collections.abc import Generator
from typing import NamedTuple

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.asking import ask, response_of
from gatecrash.core.testing.authorization.callers.holder import holder_values
from gatecrash.core.testing.authorization.objects.answered_objects import Object, objects_in
from gatecrash.core.testing.authorization.objects.named import listing
from gatecrash.core.testing.authorization.owners.private_fields import is_private
from gatecrash.core.testing.known.objects import Named
from gatecrash.core.testing.known.page import asking
from gatecrash.core.testing.oracles.leaves import leaves
from gatecrash.core.testing.oracles.outcomes.refused import is_good
from gatecrash.core.testing.probe import Answer, Situation, TestRequest

MOST_ASKED = 2
_MOST_SHOWN = 4
# What an object calls itself; by another name it is spoken of by an object of another kind.
_ITSELF = re.compile(r"^_?(?:id|uuid|guid|uid|key|number|no)$|name|title|slug", re.IGNORECASE)
# What others have tried is in lists as well.
_ONE_WORD = re.compile(r"[\w.@:+=~-]{1,128}")
_WHEREABOUTS = re.compile(r"latitude|longitude|^vin$|licen[sc]e_?(?:no|number)|tax_?id|private|street", re.IGNORECASE)
_WHO = re.compile(r"e-?mail|phone|mobile|(?:full|first|last|user)_?name", re.IGNORECASE)


class Shown(NamedTuple):
    """An identifier beside the own one. where: the page; spoken_of: by an object of another kind, so that no list of
    such objects shows it.
    """

    value: str
    where: str
    spoken_of: bool


def may_be_shown(situation: Situation, named: Named) -> bool:
    """Whether there is a page that may show others of the kind."""
    return named.collection is not None or any(named.value in page.shown for page in situation.pages)


def shown_beside(situation: Situation, named: Named) -> Generator[TestRequest, Answer, list[Shown]]:
    """The identifiers of others that stand where the caller's own does, by the pages that are known to show it and by its list."""
    found: dict[str, Shown] = {}
    values = holder_values(situation) | {named.value.lower()}
    for asked in _pages(situation, named):
        response = response_of((yield from ask(asked, "control")))
        if not is_good(response):
            continue
        where = asked.path.decode("latin-1")
        objects = [_scalars(each) for each in objects_in(response)]
        fields = {name for each in objects for name, value in each.items() if value == named.value}
        for each in objects:
            # Many of a list may be the caller's own.
            if values.isdisjoint(value.lower() for value in each.values()):
                for name in (name for name in fields & each.keys() if _ONE_WORD.fullmatch(each[name])):
                    found.setdefault(each[name], Shown(each[name], where, _ITSELF.search(name) is None))
    shown = list(found.values())
    return situation.random.sample(shown, min(_MOST_SHOWN, len(shown)))


def _scalars(shown: Object) -> dict[str, str]:
    return {name: str(value) for name, value in shown.items() if isinstance(value, str | int) and value is not True}


def tells_whereabouts(response: Response) -> bool:
    """Whether an answer says of somebody whom it names what no directory does: where he is, what he drives."""
    names = [leaf.path[-1] for leaf in leaves(response) if leaf.path and leaf.value]
    return any(map(_WHEREABOUTS.search, names)) and any(map(_WHO.search, names))


def is_kept(response: Response, known: frozenset[str], shown: Shown) -> bool:
    """Whether nobody would show what an answer holds to all who see the list; a list of such objects shows what may be seen of them."""
    return is_private(response, known, strictly=True) or (shown.spoken_of and tells_whereabouts(response))


def _pages(situation: Situation, named: Named) -> list[Request]:
    request = situation.baseline.request
    recorded = [asking(request, page) for page in situation.pages if named.value in page.shown]
    above = [listing(request, named.collection)] if named.collection is not None else []
    return list({asked.target: asked for asked in (*recorded, *above)}.values())[:MOST_ASKED]
