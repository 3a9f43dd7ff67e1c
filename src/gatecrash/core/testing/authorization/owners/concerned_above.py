"""Whether the object that something stands below names somebody among those whom it concerns: `/orders/7`, which names its
seller, of `/orders/7/invoice`, which names nobody.
"""

from collections.abc import Generator

from gatecrash.core.message import Request
from gatecrash.core.testing.asking import ask, response_of
from gatecrash.core.testing.authorization.callers.holder import values_of
from gatecrash.core.testing.authorization.objects.named import list_above, listing, named_objects
from gatecrash.core.testing.authorization.owners.ownership import concerns
from gatecrash.core.testing.known.identity import Identity
from gatecrash.core.testing.oracles.outcomes.refused import is_good
from gatecrash.core.testing.probe import Answer, Situation, TestRequest

IN_WORDS = "the object that it stands below names the other identity among those whom it concerns"


def is_concerned_above(situation: Situation, request: Request, other: Identity) -> Generator[TestRequest, Answer, bool]:
    """Asked as the owner, of each object in the path that something follows."""
    for named in named_objects(request):
        if named.point[0] != "path" or not named.sure:
            continue
        address = list_above(request, named.point) + b"/" + named.value.encode()
        if not request.path.startswith(address + b"/"):
            continue
        shown = response_of((yield from ask(listing(request, address), "control")))
        if is_good(shown) and concerns(shown, values_of(other, situation)):
            return True
    return False
