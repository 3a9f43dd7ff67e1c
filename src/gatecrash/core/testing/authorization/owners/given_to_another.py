"""Whether what one caller owns is given to another: what both are told and nobody else is, and who the application says owns it."""

from collections.abc import Generator
from typing import NamedTuple

from gatecrash.core.message import Exchange
from gatecrash.core.testing.asking import ask, ask_as, response_of
from gatecrash.core.testing.authorization.callers.holder import holder_values
from gatecrash.core.testing.authorization.objects.named import absent, asking_for
from gatecrash.core.testing.authorization.openness.access import Access
from gatecrash.core.testing.authorization.owners.chosen import is_kept_from_others
from gatecrash.core.testing.authorization.owners.concerned_above import IN_WORDS, is_concerned_above
from gatecrash.core.testing.authorization.owners.owner_evidence import evidence_of
from gatecrash.core.testing.authorization.owners.told_facts import has_nearly_all, only_told, says_enough
from gatecrash.core.testing.authorization.owners.views import shows_less
from gatecrash.core.testing.known.identity import Identity
from gatecrash.core.testing.known.objects import Named
from gatecrash.core.testing.oracles.difference import Fact, read
from gatecrash.core.testing.probe import Answer, TestRequest

_NOBODY = ""


class GivenAway(NamedTuple):
    """An object of one caller's that another is given. exchange: the second time; told: how it was proven, in words."""

    named: Named
    exchange: Exchange
    told: str


def given_to_another(
    access: Access, other: Identity, seen: Exchange, named: list[Named]
) -> Generator[TestRequest, Answer, GivenAway | str]:
    """Which of the named objects the other is given that is its owner's; why none is, in words.

    access: what its owner is answered. seen: what the other is. named: what the request names, the likeliest last.
    """
    stranger = yield from ask_as(access.request, _NOBODY, "control")
    private = only_told(access.readings, response_of(stranger))
    if not says_enough(private) or not has_nearly_all(response_of(seen), private):
        return "the other identity gets nothing that is not given to anybody"
    if shows_less(private, access.good, response_of(seen), holder_values(access.situation)):
        return "the other identity is shown less of it"
    for each in reversed(named):
        evidence = yield from evidence_of(access, other, each, private, response_of(seen))
        own = (yield from _of_the_object(access, other, each, private)) if evidence else frozenset()
        if own and has_nearly_all(response_of(seen), own):
            again = yield from ask_as(access.request, other.name, "confirm")
            # What was refused, or not shown, to the other for a moment says nothing of whose it is.
            if has_nearly_all(response_of(again), own) and (
                yield from evidence_of(access, other, each, private, response_of(again))
            ):
                if (yield from is_concerned_above(access.situation, access.request, other)):
                    return IN_WORDS
                if (yield from is_kept_from_others(access.situation, access.request, other, own)):
                    return "another of no higher rank is not given it: who is, may have it"
                return GivenAway(each, again, _told(other, evidence))
    return "nothing says that the object is the owner's alone"


def _of_the_object(
    access: Access, other: Identity, named: Named, private: frozenset[Fact]
) -> Generator[TestRequest, Answer, frozenset[Fact]]:
    """What follows the identifier of what is private; empty where nobody's identifier is answered alike.

    A site's navigation says more than a short message, and says it of a message that is not there, too: to each his own.
    What a page says of any identifier, by repeating it, follows none: "red-barn is being set up".
    """
    nobodys = absent(named.value, access.situation.random)
    elsewhere, echoes = asking_for(access.request, named, nobodys), {nobodys: named.value}
    if elsewhere is None:
        return frozenset()
    answered = response_of((yield from ask_as(elsewhere, other.name, "control")))
    if not has_nearly_all(answered, private, echoes):
        return private
    to_its_owner = response_of((yield from ask(elsewhere, "control")))
    own = private - read(to_its_owner, echoes).facts
    return own if says_enough(own) and not has_nearly_all(answered, own, echoes) else frozenset()


def _told(other: Identity, evidence: str) -> str:
    return (
        f"Sent as the identity {other.name!r}, the answer says what the owner's says and nobody is told without "
        f"credentials, twice. That it is the owner's: {evidence}. An identifier that does not exist is answered otherwise."
    )
