"""Rights that a GraphQL schema lists among what a mutation takes, and that its recorded document does not ask for in return:
asked for beside the rest, the answer shows what they are now, and what they are after somebody has set them.

situation = yield from showing_rights(situation)    the same as a client sends it that wants to know one of them, with its answer
"""

import re
from collections.abc import Generator
from itertools import islice

import msgspec
import orjson

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.asking import ask, response_of
from gatecrash.core.testing.authorization.fields.described_rights import changes_what_is_there
from gatecrash.core.testing.authorization.fields.properties import is_right, made_unique
from gatecrash.core.testing.authorization.fields.sent_objects import sending, views_of
from gatecrash.core.testing.authorization.ranks.schema_roles import asking_for_values, names_listed
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.effects.destruction import deletes
from gatecrash.core.testing.fresh_letters import fresh_letters
from gatecrash.core.testing.operations.graphql import document_of, first_field
from gatecrash.core.testing.oracles.outcomes.refused import is_carried_out
from gatecrash.core.testing.probe import Answer, Situation, TestRequest

_WORD = re.compile(r"\w+")
_MOST_RIGHTS, _MOST_PLACES = 3, 2


def showing_rights(situation: Situation) -> Generator[TestRequest, Answer, Situation]:
    """The situation of the request with the first of those rights that the server tells; as it is where the document asks for a
    right already, where the schema lists none or is not told, or where the server does not tell it of what it answers with.
    """
    exchange = situation.baseline.exchange
    request = exchange.request
    views = views_of(request)
    field = first_field(document_of(request)) if views else None
    asked = asking_for_values(request, views[0].inner) if field is not None and not deletes(request) else None
    # One that was made from the schema asks for all that there is.
    if field is None or asked is None or exchange.drafted or any(map(is_right, _WORD.findall(field.text))):
        return situation
    listed = names_listed(response_of((yield from ask(asked, "control"))))
    wanted = [name for name in listed if is_right(name) and name not in views[0].inner]
    for name in wanted[:_MOST_RIGHTS]:
        for document in islice(field.selecting(name), _MOST_PLACES):
            told, response = yield from _answered(situation, document)
            if is_carried_out(response):
                plain = msgspec.structs.replace(exchange, request=told, response=response)
                changed: Situation = msgspec.structs.replace(situation, baseline=Baseline(situation.baseline.id, plain))
                return changed
    return situation


def _answered(situation: Situation, document: str) -> Generator[TestRequest, Answer, tuple[Request, Response]]:
    """The request with another document, which a server that cannot answer all of it does not carry out; what it makes is new."""
    request = situation.baseline.request
    request = sending(request, {**orjson.loads(request.body), "query": document})
    if not changes_what_is_there(request):
        view = views_of(request)[0]
        request = sending(request, view.wrap(made_unique(view.inner, fresh_letters(situation.random, 6))))
    return request, response_of((yield from ask(request, "control")))
