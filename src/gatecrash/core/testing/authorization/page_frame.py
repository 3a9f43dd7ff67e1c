"""What a page says of its own, beside what every page of its site says to the same caller.

A site's pages have a frame: a navigation that greets whoever is signed in and leads to what is his, and another one for
visitors. Between them stands what the page is about. Where visitors get that, too, the page asks for no credentials, though no
two answers are alike. The frame is what an address that does not exist shows to the same caller, or the site's front page.
"""

import re
from collections.abc import Generator

import msgspec

from gatecrash.core.message import Exchange, Request
from gatecrash.core.testing.authorization.access import FIRST_ERROR, Access, nowhere
from gatecrash.core.testing.authorization.exposure import is_at_stake
from gatecrash.core.testing.authorization.ownership import is_private
from gatecrash.core.testing.dialogues.asking import ask_raw, response_of
from gatecrash.core.testing.oracles.difference import MARKUP, Reading, read, stable
from gatecrash.core.testing.oracles.parts import Fact
from gatecrash.core.testing.probe import Answer, TestRequest

_MAIL = re.compile(r"[\w.+-]+@[\w-]+\.[\w.-]+")
# One address is the site's own, as often as not.
_PEOPLE = 2


def gives_its_own_part(
    case: Access, bare: Request, dropped: Exchange
) -> Generator[TestRequest, Answer, Exchange | None]:
    """The answer to whoever has no credentials, asked for once more, where it has all that the page says of its own and that
    is how to reach several people, or what they keep to themselves; None otherwise. Nothing is asked where nobody is told.
    """
    seen = read(response_of(dropped))
    if not case.safe or seen.kind != "html" or response_of(dropped).status >= FIRST_ERROR or case.refuses(dropped):
        return None
    if not is_at_stake(case.situation, response_of(dropped)):
        return None
    own = _said(stable(case.readings)) & _said(seen.facts)
    secret = is_private(response_of(dropped), strictly=True)
    if not secret and not _several_people(own):
        return None
    own = _said(stable(case.readings))
    for other in (nowhere(case.request, case.situation), _front_page(case.request)):
        own -= _facts((yield from ask_raw(other, "control")))
        if own <= seen.facts:
            break
    if not own <= seen.facts or not (secret or _several_people(own)):
        return None
    elsewhere = yield from ask_raw(nowhere(bare, case.situation), "control")
    again = yield from ask_raw(bare, "confirm")
    if own <= _facts(elsewhere) or not own <= _facts(again) or case.refuses(again):
        return None
    return again


def _front_page(request: Request) -> Request:
    front: Request = msgspec.structs.replace(request, target=b"/")
    return front


def _facts(exchange: Exchange) -> frozenset[Fact]:
    reading: Reading = read(response_of(exchange))
    return reading.facts


def _said(facts: frozenset[Fact]) -> frozenset[Fact]:
    """Without what says how a page is made up."""
    return frozenset(fact for fact in facts if not fact[0].startswith(MARKUP))


def _several_people(facts: frozenset[Fact]) -> bool:
    told = {mail for _, said in facts for mail in _MAIL.findall(said)}
    return len(told) >= _PEOPLE
