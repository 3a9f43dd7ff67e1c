"""What makes two findings the same: type, endpoint, operation and point, in whichever run and at whichever baseline
they are found.

A finding's code (`S0001`, decisions 3) belongs to its fingerprint; who counts the fingerprints gives out the numbers.
"""

import hashlib
from collections.abc import Sequence

from gatecrash.core.inventory.endpoint import EndpointKey, Protocol, host_of
from gatecrash.core.inventory.heads import read_heads
from gatecrash.core.inventory.protocols.registry import spoken
from gatecrash.core.inventory.templates import TemplateLearner
from gatecrash.core.message import Request

OF_ALL_OPERATIONS = frozenset({"graphql", "cors"})
"""Types that say something of the address, whichever operation showed it."""


def endpoint_of(request: Request) -> EndpointKey:
    """The endpoint of a baseline by the look of this one request alone, so that it is the same in every run.

    A batch is an endpoint of its own, for nobody can say which of its operations a finding belongs to.
    """
    host = host_of(request)
    path = TemplateLearner(seen_to_leave=1).observe(host, request.path)
    protocol, operations = spoken(request, read_heads(request.headers))
    operation = ", ".join(operations)
    return EndpointKey(
        protocol if operation else Protocol.REST,
        request.method.upper(),
        host,
        path or request.path.decode("ascii", "backslashreplace"),
        operation,
    )


def endpoint_name(key: EndpointKey) -> str:
    """Method, template and operation, as findings name an endpoint within its host."""
    return f"{key.method} {key.path} {key.operation}".rstrip()


def fingerprint(type_: str, key: EndpointKey, point: Sequence[str]) -> str:
    """SHA-256 of type, endpoint and point, in hexadecimal; no operation is no part at all, so REST keeps its codes."""
    endpoint = (key.protocol, key.method, key.host, key.path)
    operation = (key.operation,) if key.operation and type_ not in OF_ALL_OPERATIONS else ()
    return digest((type_, *endpoint, *operation, *point))


def code_of(number: int) -> str:
    """S0001, S0002, …, and after S9999 simply longer."""
    return f"S{number:04d}"


def digest(parts: Sequence[str]) -> str:
    """SHA-256 of a list of texts in hexadecimal, each with its length in front, so that no two lists run together."""
    hashed = hashlib.sha256()
    for part in parts:
        raw = part.encode("utf-8", "surrogatepass")
        hashed.update(len(raw).to_bytes(4, "big") + raw)
    return hashed.hexdigest()
