"""Addresses on the host that a refusal says they must be on: `url must point to hooks.shop.example`.

What keeps to a list of hosts refuses every address that a description or its reader makes up. The refusal often names one
that is let through, and only behind it can be seen how well the list is kept.
"""

import re
from collections.abc import Iterable
from urllib.parse import urlsplit

from gatecrash.core.point import Point
from gatecrash.core.points.found import Found

_SPEAKS_OF_IT = re.compile(r"host|domain|allow|permit|white-?list|trusted|must|only|should", re.IGNORECASE)
_HOST = re.compile(
    r"(?<![\w@.-])(?:\*?\.)?((?:[a-z0-9](?:[a-z0-9-]{0,40}[a-z0-9])?\.){1,4}[a-z]{2,15})(?![\w-]|\.\w)", re.IGNORECASE
)
_ADDRESS = re.compile(rb"https?://[^/?#\s]{1,253}", re.IGNORECASE)


def hosts_told(found: Iterable[Found], message: str) -> dict[Point, bytes]:
    """The addresses that the request names, on a host that the message tells; none where it tells none, or they are there."""
    if _SPEAKS_OF_IT.search(message) is None:
        return {}
    addresses = [one for one in found if one.point[0] in ("get", "post") and _ADDRESS.match(one.value)]
    named = [one for one in addresses if re.search(rf"(?<!\w){re.escape(one.point[-1])}(?!\w)", message)] or addresses
    asked = {(urlsplit(one.value.decode("latin-1")).hostname or "").lower() for one in named}
    told = next((host for each in _HOST.finditer(message) if (host := each[1].lower()) not in asked), "")
    # A call that comes in the clear is heard by who listens for it.
    origin = f"{'https' if 'https' in message.lower() else 'http'}://{told}".encode()
    return {one.point: _ADDRESS.sub(origin, one.value, count=1) for one in named} if told else {}
