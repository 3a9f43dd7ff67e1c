"""What a page says of its own, beside what every page of its site says to the same caller.

A site's pages have a frame: a navigation that greets whoever is signed in and leads to what is his, and another one for
visitors. Between them stands what the page is about. Where visitors get that, too, the page asks for no credentials, though no
two answers are alike. The frame is what an address that does not exist shows to the same caller, or the site's front page.
"""

import re
from collections.abc import Generator
from typing import NamedTuple

import msgspec

from gatecrash.core.message import Exchange, Request, Response, reading
from gatecrash.core.statuses import FIRST_ERROR, FIRST_REDIRECT
from gatecrash.core.testing.asking import ask_raw, response_of
from gatecrash.core.testing.authorization.openness.access import Access, nowhere
from gatecrash.core.testing.authorization.openness.exposure import Stake
from gatecrash.core.testing.authorization.openness.guarded_beside import guarded_around
from gatecrash.core.testing.authorization.openness.offered_forms import stake_beside_offers
from gatecrash.core.testing.authorization.owners.private_fields import is_private
from gatecrash.core.testing.effects.destruction import destroys
from gatecrash.core.testing.known.page import landing_of
from gatecrash.core.testing.oracles.difference import MARKUP, Reading, read, stable
from gatecrash.core.testing.oracles.outcomes.refused import LOGIN_FORM, refusal
from gatecrash.core.testing.oracles.text_parts import Fact
from gatecrash.core.testing.probe import Answer, TestRequest

_MAIL = re.compile(r"(?<![\w.+-])[\w.+-]++@[\w-]++\.[\w.-]+")
_TEXT, _DIGITS = re.compile(r"[^\W\d_]{3}"), re.compile(r"\d+")
# One address is the site's own, as often as not.
_PEOPLE = 2
_LEAST_OWN = 3


class OwnPart(NamedTuple):
    """What showed that visitors are given all that a page says of its own. around: what stands around it and is kept, in words."""

    exchange: Exchange
    around: str


def gives_its_own_part(
    case: Access, bare: Request, dropped: Exchange
) -> Generator[TestRequest, Answer, OwnPart | None]:
    """The answer to whoever has no credentials, asked for once more, where it has all that the page says of its own,
    and that is how to reach several people, or what they keep to themselves, or what is kept around it tells that it
    should be kept; None otherwise. A page that answers a change must say what its address does not say without one.
    Nothing is asked where nobody is told.
    """
    response = response_of(dropped)
    seen = read(response)
    if seen.kind != "html" or response.status >= FIRST_REDIRECT or case.refuses(dropped):
        return None
    own = _said(stable(case.readings))
    around = yield from _stakes(case, response, own & seen.facts)
    if around is None:
        return None
    frame: frozenset[Fact] = frozenset()
    for other in _frames(case, bare):
        frame |= _facts((yield from ask_raw(other, "control")))
        left = own - frame if case.safe else _but_for_numbers(own, frame)
        if left <= seen.facts and case.safe:
            break
    if not left <= seen.facts or not _still_tells(case, response, left, around):
        return None
    elsewhere = nowhere(bare, case.situation)
    missing = yield from ask_raw(elsewhere if case.safe else reading(elsewhere, elsewhere.target), "control")
    again = yield from ask_raw(bare, "confirm")
    if left <= _facts(missing) or not left <= _facts(again) or case.refuses(again):
        return None
    return OwnPart(again, around)


def goes_on_behind_its_redirect(case: Access, bare: Request, dropped: Exchange) -> Generator[TestRequest, Answer, bool]:
    """Whether whoever has no credentials is sent to the login, and is given all that the page says in the same answer,
    twice; or all that it says beside the frame of the site, which greets its caller.

    A good answer that redirects is no page: frameworks write the same sentence into every redirect.
    """
    response = response_of(dropped)
    if not FIRST_REDIRECT <= response.status < FIRST_ERROR or case.good.status >= FIRST_REDIRECT:
        return False
    own, given = _said(stable(case.readings)), _facts(dropped)
    if not own <= given:
        if not case.safe or not _texts(own & given):
            return False
        for other in _frames(case, bare):
            own -= _facts((yield from ask_raw(other, "control")))
    # Without the frame, a title alone may have been written before the check.
    least = 1 if own == _said(stable(case.readings)) else _LEAST_OWN
    if len(_texts(own)) < least or not own <= given:
        return False
    if not case.refuses(dropped) and not (yield from _leads_to_a_login(bare, response)):
        return False
    elsewhere = nowhere(bare, case.situation)
    missing = yield from ask_raw(elsewhere if case.safe else reading(elsewhere, elsewhere.target), "control")
    again = yield from ask_raw(bare, "confirm")
    return not own <= _facts(missing) and own <= _facts(again)


def _leads_to_a_login(bare: Request, redirect: Response) -> Generator[TestRequest, Answer, bool]:
    """Whether a page asks for a password where a redirect leads, whatever its address is called."""
    landing = landing_of(bare, redirect)
    if landing is None or landing == bare.target:
        return False
    return refusal(response_of((yield from ask_raw(reading(bare, landing), "control")))) == LOGIN_FORM


def _stakes(case: Access, response: Response, shared: frozenset[Fact]) -> Generator[TestRequest, Answer, str | None]:
    """What is kept around the page, in words, empty where it is somebody's by itself; None where nothing says that it is."""
    stake = yield from stake_beside_offers(case.situation, response)
    if stake is Stake.SURE and (not case.safe or is_private(response, strictly=True) or _several_people(shared)):
        return ""
    if stake is Stake.NONE or case.situation.visited or not shared:
        return None
    return (yield from guarded_around(case.situation)) or None


def _still_tells(case: Access, response: Response, left: frozenset[Fact], around: str) -> bool:
    """Whether what is left without the frame is enough to say that the page was given."""
    if around or not case.safe:
        return any(_TEXT.search(said) for _, said in left)
    return is_private(response, strictly=True) or _several_people(left)


def _but_for_numbers(own: frozenset[Fact], frame: frozenset[Fact]) -> frozenset[Fact]:
    """Without what the frame says in other numbers: how many things lie in a cart changes meanwhile."""
    told = {(where, _DIGITS.sub("#", said)) for where, said in frame}
    return frozenset((where, said) for where, said in own if (where, _DIGITS.sub("#", said)) not in told)


def _frames(case: Access, bare: Request) -> list[Request]:
    """Pages that have the frame of the site; of what answers a change also the page that is there without one, its form."""
    frames = [nowhere(case.request, case.situation), _front_page(case.request)]
    if case.safe:
        return frames
    pages = [reading(each, each.target) for each in (*frames, case.request, bare)]
    return [page for page in pages if destroys(page) is None]


def _front_page(request: Request) -> Request:
    front: Request = msgspec.structs.replace(request, target=b"/")
    return front


def _facts(exchange: Exchange) -> frozenset[Fact]:
    reading: Reading = read(response_of(exchange))
    return reading.facts


def _texts(facts: frozenset[Fact]) -> list[str]:
    return [said for _, said in facts if _TEXT.search(said)]


def _said(facts: frozenset[Fact]) -> frozenset[Fact]:
    """Without what says how a page is made up."""
    return frozenset(fact for fact in facts if not fact[0].startswith(MARKUP))


def _several_people(facts: frozenset[Fact]) -> bool:
    told = {mail for _, said in facts for mail in _MAIL.findall(said)}
    return len(told) >= _PEOPLE
