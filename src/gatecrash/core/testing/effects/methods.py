"""Which methods are safe, and that a mutation of GraphQL by GET is not."""

from gatecrash.core.message import Request
from gatecrash.core.methods import SAFE
from gatecrash.core.testing.operations.graphql import MUTATES, operation_of


def is_safe(request: Request) -> bool:
    """Whether the request's method is safe, so that it may be repeated without asking; a GraphQL mutation by GET is not."""
    if request.method not in SAFE and request.method.upper() not in SAFE:
        return False
    # Asked several times of every request: the target says at once that it has no query of GraphQL.
    operation = operation_of(request) if b"query=" in request.target else None
    return operation is None or operation.type != MUTATES
