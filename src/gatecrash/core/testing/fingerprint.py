"""What makes two findings the same: type, endpoint and point, in whichever run and at whichever baseline they are found.

A finding's code (`S0001`, decisions 3) belongs to its fingerprint; who counts the fingerprints gives out the numbers.
"""

import hashlib
from collections.abc import Sequence

from gatecrash.core.inventory.endpoint import EndpointKey, Protocol, host_of
from gatecrash.core.inventory.templates import TemplateLearner
from gatecrash.core.message import Request


def endpoint_of(request: Request) -> EndpointKey:
    """The endpoint of a baseline by the look of its path alone, so that it is the same in every run."""
    host = host_of(request)
    path = TemplateLearner(seen_to_leave=1).observe(host, request.path)
    return EndpointKey(
        Protocol.REST, request.method.upper(), host, path or request.path.decode("ascii", "backslashreplace")
    )


def fingerprint(type_: str, key: EndpointKey, point: Sequence[str]) -> str:
    """SHA-256 of type, endpoint and point, in hexadecimal."""
    return digest((type_, key.protocol, key.method, key.host, key.path, *point))


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
