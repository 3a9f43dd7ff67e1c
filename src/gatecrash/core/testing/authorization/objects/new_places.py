"""Where its owner may read what a request has just made: where the answer leads, below the address, in its list, on pages nearby."""

from collections.abc import Generator
from typing import Final

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.asking import response_of
from gatecrash.core.testing.authorization.callers.holder import values_of
from gatecrash.core.testing.authorization.fields.authored import made_in_name_of
from gatecrash.core.testing.authorization.fields.sent_objects import body_of
from gatecrash.core.testing.authorization.objects.answered_objects import address_of, kept_as
from gatecrash.core.testing.authorization.objects.named import listing
from gatecrash.core.testing.authorization.objects.whole_lists import ask_until
from gatecrash.core.testing.known.identity import Identity
from gatecrash.core.testing.known.page import asking, landing_of
from gatecrash.core.testing.oracles.body import text_of
from gatecrash.core.testing.probe import Answer, Situation, TestRequest

MOST_PAGES: Final = 3


def places_of_new(situation: Situation, answered: Response) -> list[Request]:
    """The address that an answer leads to, the one below by the identifier that it names, the list, and recorded pages nearby, each
    in the name of the baseline's sender. answered: what the application said to what made it.
    """
    request = situation.baseline.request
    told = kept_as(answered, body_of(request) or {})
    found = (landing_of(request, answered), address_of(request, answered, told), request.path)
    own = [listing(request, target) for target in found if target]
    return [*own, *(asking(request, page) for page in situation.pages[:MOST_PAGES])]


def read_as_made_by(
    situation: Situation, answered: Response, mark: str, author: str, sender: Identity
) -> Generator[TestRequest, Answer, Exchange | None]:
    """Read, as the owner, what another has just made: the exchange that shows the mark in an object of the author's, and nothing
    of who sent it; None where no place shows that. answered: what the application said to the sender.
    """
    besides, sent = values_of(sender, situation), body_of(situation.baseline.request) or {}
    for place in places_of_new(situation, answered):
        seen = yield from ask_until(place, lambda shown: mark in text_of(shown))
        if made_in_name_of(response_of(seen), mark, author, besides, sent):
            return seen
    return None
