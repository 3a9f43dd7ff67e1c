"""What a GraphQL request asks for: whether its operation reads or changes, and the words of the field it begins with.

All operations share one address, so that the field says what an address says elsewhere.
"""

import re
from functools import lru_cache

import orjson

from gatecrash.core.inventory.protocols.document import Operation, first_operation
from gatecrash.core.message import Request

READS = "query"
CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_LONGEST = 64 * 1024


def operation_of(request: Request) -> Operation | None:
    """The operation that is asked for by POST as JSON; None where it is no GraphQL, or a batch."""
    body = request.body
    if request.method.upper() != "POST" or b'"query"' not in body or len(body) > _LONGEST:
        return None
    return _operation(body)


def only_queries(request: Request) -> bool:
    """Whether it asks for a GraphQL query, which changes nothing and may be asked again (GraphQL specification, 6.2.1)."""
    operation = operation_of(request)
    return operation is not None and operation.type == READS


def words_of(request: Request) -> tuple[str, ...]:
    """The words of the operation's first field, in lower case: `change`, `user` and `role` of `changeUserRole`."""
    operation = operation_of(request)
    if operation is None:
        return ()
    return tuple(CAMEL.sub("_", operation.field).strip("_").lower().split("_"))


@lru_cache(64)
def _operation(body: bytes) -> Operation | None:
    try:
        message = orjson.loads(body)
    except orjson.JSONDecodeError:
        return None
    query = message.get("query") if isinstance(message, dict) else None
    wanted = message.get("operationName") if isinstance(query, str) else None
    return first_operation(query, wanted if isinstance(wanted, str) else None) if isinstance(query, str) else None
