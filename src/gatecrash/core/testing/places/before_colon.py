"""What a colon ends within a segment of the path: `7` of `/orders/7:cancel` (AIP-136), the host of `/proxy/build.local:8080`.

A collection stands there as well (`/documents:runQuery`), and a time has a colon, so that the look of what stands there tells.
"""

import re

from gatecrash.core.inventory.identifiers import is_identifier
from gatecrash.core.message import Request
from gatecrash.core.point import Point

_STEPS = 3
_HOST = re.compile(r"localhost|(?=.*[A-Za-z])[\w-]+(?:\.[\w-]+)+|\d{1,3}(?:\.\d{1,3}){3}", re.ASCII)


def chooses_one(request: Request, point: Point, value: str) -> bool:
    """Whether what stands within a segment of the path chooses one thing: true of all that no colon ends."""
    if len(point) != _STEPS or point[2] not in ("key", "host"):
        return True
    if request.path.split(b"/")[int(point[1]) + 1].endswith(b")"):
        return True
    return _HOST.fullmatch(value) is not None if point[2] == "host" else is_identifier(value)


def is_key(point: Point) -> bool:
    """Whether a point is a key within a segment of the path: `7` of `/Orders(7)` and of `/orders/7:cancel`."""
    return len(point) > 2 and point[0] == "path" and point[2] == "key"
