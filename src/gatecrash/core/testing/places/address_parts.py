"""An address that a request gives in parts: a host, its port and a path, each in a field of its own, as what imports, calls
back or tests a connection has them. A host alone there is no address, and one with a port in it is refused or looked up.

in_parts(request, point, url)     the request with the parts that name this address; None where no host stands at the
                                  point, or no port and no path beside it
"""

import re
from urllib.parse import urlsplit

from gatecrash.core.errors import UserError
from gatecrash.core.message import Request
from gatecrash.core.point import Point
from gatecrash.core.points.rewrite import rewrite
from gatecrash.core.testing.operations.graphql import argument_of
from gatecrash.core.testing.places.walked_points import walked
from gatecrash.core.words.names import parted

_HOST = re.compile(r"(?:[a-z]+_)?(?:host(?:_?name)?|server|domain|ip|(?:ip_?)?addr(?:ess)?)", re.IGNORECASE)
_PORT = re.compile(r"(?:[a-z]+_)?port(?:_?(?:no|nr|number))?", re.IGNORECASE)
_PATH = re.compile(r"(?:[a-z]+_)?(?:path(?:_?name)?|uri|url|resource|endpoint|route|file|page|document)", re.IGNORECASE)
_SCHEME = re.compile(r"(?:[a-z]+_)?(?:scheme|proto(?:col)?)", re.IGNORECASE)


def in_parts(request: Request, point: Point, url: str) -> Request | None:
    """The request for an address that is given in parts."""
    if _HOST.fullmatch(_called(request, point)) is None:
        return None
    beside = [each.point for each in walked(request) if each.point[:-1] == point[:-1] and not each.container]
    told = urlsplit(url)
    values = ((_PORT, str(told.port or 80)), (_PATH, told.path), (_SCHEME, told.scheme))
    parts = [
        (where, text)
        for kind, text in values
        for where in beside
        if kind.fullmatch(_called(request, where)) is not None
    ]
    if not {str(told.port or 80), told.path} <= {text for _, text in parts}:
        return None
    try:
        for where, text in ((point, told.hostname or ""), *parts):
            request = rewrite(request, where, text.encode())
    except UserError:
        return None
    return request


def _called(request: Request, point: Point) -> str:
    """What a field is called: of a GraphQL variable the argument that it is given to."""
    name: str = parted(argument_of(request, point[-1]))
    return name
