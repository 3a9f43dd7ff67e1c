"""An object that is made for a test because the recorded one is not there any more: it is the sender's, what was there
before stays as it is.

fresh = yield from renewed(situation, named)     the same request for an object just made; None where none can be made
yield from removed(fresh)                        its owner deletes it, where the record shows how
yield from taken_away(situation, request, made)  the same of whatever a test has made
"""

from collections.abc import Generator
from contextlib import suppress
from typing import NamedTuple

import msgspec

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.asking import Stopped, ask, response_of
from gatecrash.core.testing.authorization.objects.answered_objects import IDENTIFIERS
from gatecrash.core.testing.authorization.objects.made_anew import in_name_of, made_anew, may_make
from gatecrash.core.testing.authorization.objects.named import asking_for, list_above, named_fields, named_objects
from gatecrash.core.testing.authorization.objects.renewals import is_of_its_kind
from gatecrash.core.testing.authorization.owners.lists_of_kind import asked_for, names_list_of
from gatecrash.core.testing.known.objects import Made, Named
from gatecrash.core.testing.known.page import Page
from gatecrash.core.testing.operations.graphql import operation_of
from gatecrash.core.testing.operations.questions import called
from gatecrash.core.testing.oracles.outcomes.refused import is_taken
from gatecrash.core.testing.probe import Answer, Situation, TestRequest

_MOST_MAKERS = 2


class Fresh(NamedTuple):
    """situation: with the recorded pages as they are asked for about the new object. request: what is recorded, about
    it. answered: what the application said when its owner sent that. made: all that was made for it.
    """

    situation: Situation
    request: Request
    named: Named
    answered: Response
    made: tuple[str, ...]


def renewed(situation: Situation, named: Named) -> Generator[TestRequest, Answer, Fresh | None]:
    """Make an object of the kind that the baseline changes, and change it as its owner; None where that is not taken."""
    changing, renewal = situation.baseline.request, situation.renewal
    makers = [each for each in renewal.makers if is_of_its_kind(changing, named, each.request)]
    # What was made for the record is not made anew.
    known = msgspec.structs.replace(situation, makers=renewal.makers)
    for maker in makers[:_MOST_MAKERS] if may_make(situation) else ():
        made = yield from made_anew(known, maker, named.value)
        request = _about(changing, named, made[0]) if made else None
        if request is None:
            continue
        told = msgspec.structs.replace(situation, pages=tuple(_pages(situation, named, made[0])))
        answered = response_of((yield from ask(request, "control")))
        fresh = Fresh(told, request, named._replace(value=made[0]), answered, made)
        if is_taken(answered):
            return fresh
        yield from removed(fresh)
    return None


def removed(fresh: Fresh) -> Generator[TestRequest, Answer, None]:
    """Its owner deletes what was made, where such a request was recorded and the policy leaves none such out."""
    yield from taken_away(fresh.situation, fresh.request, fresh.made)


def taken_away(situation: Situation, own: Request, made: tuple[str, ...]) -> Generator[TestRequest, Answer, None]:
    """The same of what was made for any test. own: a request of its owner."""
    if situation.renewal.removal is None:
        return
    request, named = situation.renewal.removal
    excluded = {method.upper() for method in situation.policy.methods_excluded}
    for each in made if request.method.upper() not in excluded else ():
        asked = asking_for(request, named, each)
        if asked is None:
            continue
        # What was found is found, be it that nothing more is answered.
        with suppress(Stopped):
            yield from ask(in_name_of(own, Made(asked, ())), "confirm")


def _about(request: Request, named: Named, new: str) -> Request | None:
    """The request about another object, whose number its body may repeat."""
    asked = asking_for(request, named, new)
    if asked is None:
        return None
    for each in named_fields(request):
        if each.value == named.value and each.point != named.point and each.point[-1] in IDENTIFIERS:
            asked = asking_for(asked, each, new) or asked
    return asked


def _pages(situation: Situation, named: Named, new: str) -> list[Page]:
    """The recorded pages, as they may show the new object; those about another thing of the old one's number are left out."""
    request, pages = situation.baseline.request, situation.pages
    if operation_of(request) is not None or called(request):
        asked = [Page(each, rendered=False) for each in asked_for(pages, request, named, new)]
        lists = [page for page in pages if names_list_of(page.request, request, named)]
        return [page._replace(shown=page.shown | {new}) for page in (*asked, *lists)]
    above = list_above(request, named.point) + b"/" if named.point[0] == "path" else b""
    return [shown for page in pages if (shown := _shown(page, named, new, above)) is not None]


def _shown(page: Page, named: Named, new: str, above: bytes) -> Page | None:
    """above: the address that objects of the kind stand below; empty where none is known."""
    about = next(
        (each for each in (*named_objects(page.request), *named_fields(page.request)) if each.value == named.value),
        None,
    )
    if about is None:
        return page._replace(shown=page.shown | {new}) if named.value in page.shown else page
    if not above or not page.request.path.startswith(above):
        return None
    asked = asking_for(page.request, about, new)
    return page._replace(request=asked, shown=page.shown | {new}) if asked is not None else None
