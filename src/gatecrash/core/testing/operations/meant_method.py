"""The method that a POST stands for: browsers' forms know no other, and frameworks read one from a field `_method`
(Rails, Laravel, Symfony, Sinatra, Express) or a header.

meant_method(request)                 `DELETE` for a form with `_method=delete`; else the request's own method, in capitals
is_meant_method(point, value)         whether a value is such a method: the framework reads it, and no code of the application
"""

import re

from gatecrash.core.message import Request
from gatecrash.core.point import Point

_FIELD = "_method"
_LARGEST = 64_000
_STANDING_FOR = frozenset({"PUT", "PATCH", "DELETE"})
_METHOD = rb"(put|patch|delete)(?![\w-])"
# In a query or a form, as a part of multipart, and in JSON.
_MEANT = re.compile(
    rb"(?:(?<![\w%-])_method=|name=\"?_method\"?\r?\n\r?\n|\"_method\"\s{0,9}:\s{0,9}\")" + _METHOD, re.IGNORECASE
)


def meant_method(request: Request) -> str:
    """The method that the application acts upon."""
    own: str = request.method.upper()
    if own != "POST":
        return own
    header = (request.first(b"X-HTTP-Method-Override") or b"").decode("latin-1").upper()
    if header in _STANDING_FOR:
        return header
    for text in (request.query or b"", request.body[:_LARGEST]):
        found = _MEANT.search(text) if b"_method" in text else None
        if found is not None:
            return found[1].decode("ascii").upper()
    return own


def is_meant_method(point: Point, value: bytes) -> bool:
    """Whether a value of the query or the body says which method is meant."""
    return bool(point) and point[-1] == _FIELD and value.decode("latin-1").upper() in _STANDING_FOR
