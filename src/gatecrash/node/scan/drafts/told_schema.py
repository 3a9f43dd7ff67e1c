"""What a GraphQL endpoint tells of itself that stands among the operations of a description.

An OpenAPI document or a collection has an example or two of what may be asked there, and the endpoint itself all of it. So each
such address is asked for its schema, as what is described there is sent, and what the description has not is taken from it. One
that keeps its schema to itself is tested by the examples alone.
References: GraphQL specification (October 2021), section 4.2.
"""

import io
import json
import re
from collections.abc import Awaitable, Callable, Iterable
from typing import Any

import msgspec

from gatecrash.core.message import Request, Response, with_body
from gatecrash.core.testing.operations.graphql import operation_of
from gatecrash.formats.capture import UnreadableCapture
from gatecrash.formats.descriptions import graphql_schema
from gatecrash.formats.draft import Draft
from gatecrash.node.test.beforehand.admission import admitted
from gatecrash.node.test.connections.traffic import Traffic
from gatecrash.node.test.sessions.living import LoginFailed

MOST_ASKED = 2
_CALLED_SO = re.compile(rb"/(?:graphql|gql)/?$", re.IGNORECASE)

Send = Callable[[Draft], Awaitable[Response | None]]


async def told_by_endpoints(described: Iterable[Draft], send: Send) -> list[Draft]:
    """What the description's GraphQL endpoints tell beside it, to be sent where they are. send: a draft, in its sender's name."""
    known = [each for each in described if _asks_graphql(each.request)]
    endpoints = {(each.request.origin, each.request.path): each for each in reversed(known)}
    found: list[Draft] = []
    for draft in list(endpoints.values())[:MOST_ASKED]:
        answer = await send(_asking(draft))
        schema = _schema_in(answer) if answer is not None else None
        if schema is not None:
            found += _besides(draft, schema, known)
    return found


async def told_to_users(traffic: Traffic, counted: str, described: Iterable[Draft]) -> list[Draft]:
    """The same, asked in the name of whoever is signed in. counted: what the questions are counted under."""

    async def send(draft: Draft) -> Response | None:
        try:
            return (await admitted(traffic, counted, draft))[1].exchange.response
        except LoginFailed:  # who cannot be signed in is told of where his requests are tested
            return None

    return await told_by_endpoints(described, send)


def _asks_graphql(request: Request) -> bool:
    """Whether it is sent to a GraphQL endpoint as JSON; an address that is called so takes a query that nobody wrote down, too."""
    if request.method.upper() != "POST" or not request.body.lstrip().startswith(b"{"):
        return False
    is_called_so = _CALLED_SO.search(request.path) is not None and b'"query"' in request.body
    return is_called_so or operation_of(request) is not None


def _asking(draft: Draft) -> Draft:
    """The question for the schema, as the described request is sent."""
    asked = with_body(draft.request, json.dumps({"query": graphql_schema.QUERY}).encode())
    question: Draft = msgspec.structs.replace(draft, request=asked, spare=None, holes=())
    return question


def _schema_in(response: Response) -> Any:
    try:
        told = json.loads(response.body)
    except (ValueError, RecursionError):
        return None
    data = told.get("data") if isinstance(told, dict) else None
    return data if isinstance(data, dict) and data.get("__schema") else None


def _besides(draft: Draft, schema: Any, known: Iterable[Draft]) -> list[Draft]:
    """The operations of a schema that nothing described asks for."""
    sent = draft.request
    document = json.dumps({"endpoint": sent.path.decode("latin-1"), "data": schema}).encode()
    there = {_field(each.request) for each in known if each.request.path == sent.path}
    try:
        drafts = [each for each in graphql_schema.read(io.BytesIO(document)) if isinstance(each, Draft)]
    except UnreadableCapture:
        return []
    return [_sent_to(sent, each) for each in drafts if _field(each.request) not in there]


def _field(request: Request) -> tuple[str, str]:
    operation = operation_of(request)
    return ("", "") if operation is None else (operation.type, operation.field)


def _sent_to(endpoint: Request, draft: Draft) -> Draft:
    """The draft where the endpoint is, with what else is sent there beside what says what the body is."""
    beside = tuple(pair for pair in endpoint.headers if pair[0].lower() not in _OF_ITS_OWN)

    def aimed(request: Request) -> Request:
        own = tuple(pair for pair in request.headers if pair[0].lower() in _OF_ITS_OWN)
        changed: Request = msgspec.structs.replace(
            request, scheme=endpoint.scheme, host=endpoint.host, port=endpoint.port, headers=(*beside, *own)
        )
        return changed

    spare = None if draft.spare is None else aimed(draft.spare)
    changed: Draft = msgspec.structs.replace(draft, request=aimed(draft.request), spare=spare)
    return changed


_OF_ITS_OWN = frozenset({b"content-type", b"content-length", b"accept"})
