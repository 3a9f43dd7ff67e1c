"""Whether some rule chooses who gets an object, as the seller is chosen whom an order's buyer pays.

Such a one has no list in which it stands, and is let in all the same: that another of his rank is not given it tells that
the application looks at who asks.
"""

from collections.abc import Generator

from gatecrash.core.message import Request
from gatecrash.core.testing.asking import Stopped, ask_as, response_of
from gatecrash.core.testing.authorization.callers.peers import peers_of
from gatecrash.core.testing.authorization.owners.told_facts import has_nearly_all
from gatecrash.core.testing.known.identity import Identity
from gatecrash.core.testing.oracles.difference import Fact
from gatecrash.core.testing.oracles.outcomes.refused import asks_to_sign_in
from gatecrash.core.testing.probe import Answer, Situation, TestRequest


def is_kept_from_others(
    situation: Situation, request: Request, chosen: Identity, told: frozenset[Fact]
) -> Generator[TestRequest, Answer, bool]:
    """Whether another identity of no higher rank is not told what the chosen one is."""
    for peer in peers_of(situation.identities):
        if peer == chosen:
            continue
        try:
            theirs = response_of((yield from ask_as(request, peer.name, "control")))
        except Stopped:
            continue  # who cannot be signed in, or is not answered, says nothing of it
        if not asks_to_sign_in(theirs) and not has_nearly_all(theirs, told):
            return True
    return False
