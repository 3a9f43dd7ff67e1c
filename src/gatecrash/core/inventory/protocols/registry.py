"""The protocols, in the order in which they are asked; REST takes what nobody else does."""

from gatecrash.core.auth.bodies import plain_body
from gatecrash.core.inventory import heads as head
from gatecrash.core.inventory.endpoint import Protocol
from gatecrash.core.inventory.heads import Heads
from gatecrash.core.inventory.protocols import graphql, grpc, jsonrpc, rest, soap, xmlrpc
from gatecrash.core.inventory.protocols.call import MOST_BYTES, Call, Speaker
from gatecrash.core.message import Request, Response

REGISTRY: tuple[Speaker, ...] = (
    grpc.SPEAKER,
    soap.SPEAKER,
    graphql.SPEAKER,
    jsonrpc.SPEAKER,
    xmlrpc.SPEAKER,
    rest.SPEAKER,
)

_REST: tuple[Protocol, tuple[str, ...]] = (Protocol.REST, ("",))
# A gRPC answer is 200 whatever comes of it (gRPC over HTTP2, Responses); these codes say what another would by status.
_AS_STATUS = {b"7": 403, b"12": 404, b"16": 401}


def spoken(request: Request, heads: Heads) -> tuple[Protocol, tuple[str, ...]]:
    """The request's protocol and the operations it calls: more than one in a batch."""
    content_type = heads[head.CONTENT_TYPE]
    query = request.query or b""
    if content_type is None and not _may_ask(query):
        return _REST
    kind, _, parameters = (content_type or b"").partition(b";")
    coded = (heads[head.CONTENT_ENCODING] or b"identity").strip().lower() != b"identity"
    body = b"" if len(request.body) > MOST_BYTES else plain_body(request) if coded else request.body
    if len(body) > MOST_BYTES:
        body = b""
    call = Call(request.method, request.path, query, kind.strip().lower(), parameters, heads[head.SOAP_ACTION], body)
    for speaker in REGISTRY:
        operations = speaker.operations(call)
        if operations is not None:
            return speaker.protocol, operations
    return _REST


def _may_ask(query: bytes) -> bool:
    """Whether a query may hold a GraphQL document, or the hash of one."""
    return bool(query) and (b"query=" in query or b"persistedQuery" in query)


def status_of(protocol: Protocol, response: Response) -> int:
    """The answer's status; of gRPC what its code says, where the answer's headers hold one."""
    if protocol is not Protocol.GRPC:
        return response.status
    return _AS_STATUS.get((response.first(b"grpc-status") or b"").strip(), response.status)
