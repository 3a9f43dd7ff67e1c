"""What ends a target wherever it is sent: a null byte, over which some programs stumble that read texts as C does.

Each end is one of somebody's application, and each parameter's checks would cost some more. Where the target went away
twice under a request with such a byte that was asked alone, no further one is sent to it. The checks that need the byte
are undecided, and say why; all others are made.
"""

from collections import Counter

from gatecrash.core.message import Request
from gatecrash.core.points.walk import read
from gatecrash.core.testing.derive import Check
from gatecrash.node.test.wording import DEAFENING, LETHAL, SILENT, TargetGone

SPARED = "lethal"
"""The failure of a request that was not sent, because the target does not survive it."""

ENDS = 2
_WRITTEN = (b"%00", b"\0", b"\\u0000")
_SHOWN = 60


class Lethal:
    """What the targets of one run did not survive."""

    def __init__(self) -> None:
        """Nothing yet."""
        self._ends: Counter[tuple[str, int]] = Counter()

    def note(self, request: Request) -> None:
        """The target went away under this request, which nothing else was asked beside."""
        if holds_null(request):
            self._ends[request.host, request.port] += 1

    def spares(self, request: Request) -> bool:
        """Whether the request is not to be sent."""
        return bool(self._ends) and self._ends[request.host, request.port] >= ENDS and holds_null(request)


def holds_null(request: Request) -> bool:
    """Whether a null byte is sent, as it is or as addresses, forms and JSON write it."""
    parts = (request.target, request.body, *(value for _, value in request.headers))
    return any(written in part for part in parts for written in _WRITTEN)


def why_left_out(gone: TargetGone, check: Check, *, alone: bool) -> str:
    """Why a check is undecided under which the target went away, or fell silent. alone: whether no other is suspected."""
    return (DEAFENING if gone.kind == SILENT else LETHAL) + (said_last(gone.request, check) if alone else "")


def said_last(request: Request | None, check: Check) -> str:
    """The value that a target went away after: `, the last time after 'a.png'`. Nothing of a credential is shown."""
    if request is None or not check.point or check.point in check.planned.credentials:
        return ""
    value = read(request, check.point)
    return f", the last time after {value[:_SHOWN].decode('utf-8', 'replace')!a}" if value else ""
