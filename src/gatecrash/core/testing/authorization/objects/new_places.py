"""Where its owner may read what a request has just made: where the answer leads, below the address, in its list, on pages nearby."""

from typing import Final

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.authorization.fields.sent_objects import body_of
from gatecrash.core.testing.authorization.objects.answered_objects import address_of, kept_as
from gatecrash.core.testing.authorization.objects.named import listing
from gatecrash.core.testing.probe import Situation
from gatecrash.core.testing.surroundings.pages import asking, landing_of

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
