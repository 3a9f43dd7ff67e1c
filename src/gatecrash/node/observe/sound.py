"""What a source was told must be fit to be counted: names that anybody may invent must not break what stands behind.

The tap reads requests itself; a collector and a log are told of them, by whoever can reach the port or the site.
"""

import re

import msgspec

from gatecrash.core.errors import GatecrashError
from gatecrash.core.message import Exchange

# RFC 9110 section 5.6.2; the longest registered method, UPDATEREDIRECTREF, has 17 letters.
_METHOD = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]{1,32}")
# RFC 3986 section 3.2.2 without escapes, and an IPv6 address; 253 is the most of DNS (RFC 1035 section 2.3.4).
_HOST = re.compile(r"[A-Za-z0-9._~-]{1,253}|[0-9A-Fa-f:.]{2,45}")
MAX_TARGET = 64 * 1024
# A clock that is further ahead is wrong; what it says is taken as now, so that no hour of the future is counted.
AHEAD_SECONDS = 300.0


class Unsound(GatecrashError):
    """The request has a part that cannot be counted. The text never quotes more than a few signs."""


def sound(exchange: Exchange, now: float) -> Exchange:
    """The exchange, its time set to `now` where it has none or one of the future.

    Raises Unsound.
    """
    request = exchange.request
    if not _METHOD.fullmatch(request.method):
        raise Unsound(f"the method {request.method[:40]!r} is none")
    if not _HOST.fullmatch(request.host):
        raise Unsound(f"the host {request.host[:40]!r} is none")
    if not request.target.startswith(b"/") and request.target != b"*":
        raise Unsound("the target does not begin with /")
    if len(request.target) > MAX_TARGET:
        raise Unsound(f"the target is longer than {MAX_TARGET} bytes")
    if 0 < exchange.started <= now + AHEAD_SECONDS:
        return exchange
    dated: Exchange = msgspec.structs.replace(exchange, started=now)
    return dated
