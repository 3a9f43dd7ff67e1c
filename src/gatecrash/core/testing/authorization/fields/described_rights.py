"""Rights that a GraphQL schema lists among what a mutation takes: a request that is made from the schema gives them all, and what
it would be answered without them is not recorded.

situation = yield from without_rights(situation)    the same as a client sends it that gives itself no rights, with its answer
changes_what_is_there(request)                      whether a mutation or a function says that it does, by what it is called
"""

import re
from collections.abc import Generator

import msgspec

from gatecrash.core.message import Exchange, Request
from gatecrash.core.testing.asking import ask, response_of
from gatecrash.core.testing.authorization.fields.properties import is_right, made_unique
from gatecrash.core.testing.authorization.fields.sent_objects import sending, views_of
from gatecrash.core.testing.authorization.objects.answered_objects import Object
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.fresh_letters import fresh_letters
from gatecrash.core.testing.operations.graphql import deed_of, operation_of
from gatecrash.core.testing.oracles.outcomes.refused import is_carried_out
from gatecrash.core.testing.probe import Answer, Situation, TestRequest
from gatecrash.core.words.deeds import OVERWRITES
from gatecrash.core.words.names import parted

_CHANGES = OVERWRITES | {"save"}
_SAYS_WHOM = re.compile(
    r"(?:.*_)?(?:(?:uu)?id|key|number|code|user|account|member|person|(?:user_?)?name|login|e?mail)", re.IGNORECASE
)


def changes_what_is_there(request: Request) -> bool:
    """Whether a GraphQL mutation, or a function that is called by RPC, changes something and makes nothing new."""
    return not _CHANGES.isdisjoint(deed_of(request)[:1])


def without_rights(situation: Situation) -> Generator[TestRequest, Answer, Situation]:
    """The situation of the request without the rights that its schema lists; as it is where it lists none, where somebody sent
    them, or where it may not be sent without them.
    """
    exchange = situation.baseline.exchange
    if not exchange.drafted or operation_of(exchange.request) is None:
        return situation
    view = next((each for each in views_of(exchange.request) if any(map(is_right, each.inner))), None)
    if view is None:
        return situation
    kept: Object = {name: value for name, value in view.inner.items() if not is_right(name)}
    if all(_SAYS_WHOM.fullmatch(parted(name)) for name in kept):
        return situation  # the right is all that it is about, and of whom: without a value it may take it away
    if not changes_what_is_there(exchange.request):
        kept = made_unique(kept, fresh_letters(situation.random, 6))
    request = sending(exchange.request, view.wrap(kept))
    response = response_of((yield from ask(request, "control")))
    if not is_carried_out(response):
        return situation
    plain = msgspec.structs.replace(exchange, request=request, response=response)
    return _beginning_with(situation, plain)


def _beginning_with(situation: Situation, exchange: Exchange) -> Situation:
    changed: Situation = msgspec.structs.replace(situation, baseline=Baseline(situation.baseline.id, exchange))
    return changed
