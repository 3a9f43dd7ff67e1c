"""Requests that approve what somebody asked for: by the last word of their address, or by what they say its state is from then on.

says_to_approve(path)           `/leave/7/approve`
approves(request)               that, or a body such as `{"state": "approved"}`
says_approved(name, value)      whether a field says that it is approved
"""

import re

from gatecrash.core.message import Request
from gatecrash.core.testing.places.walked_points import walked
from gatecrash.core.words.named import Words
from gatecrash.core.words.names import parted

_APPROVES = Words(r"(?:approve|authori[sz]e|grant|endorse|countersign|sign[-_]?off)(?:[-_]\w+)?", re.IGNORECASE)
_STATE = Words(r"(?:\w+_)?(?:state|status|decision|approval)|(?:is_?)?approved", re.IGNORECASE)
_APPROVED = Words(r"approved?|granted|authori[sz]ed|endorsed|countersigned|signed[-_ ]?off", re.IGNORECASE)
_SAYS_SO = Words(r"(?:is_?)?approved", re.IGNORECASE)
_SO = frozenset({"true", "1", "yes"})


def says_to_approve(path: bytes) -> bool:
    """Whether an address says by its last word that what stands before it is approved."""
    return _APPROVES.fullmatch(path.rstrip(b"/").rpartition(b"/")[2].decode("latin-1")) is not None


def approves(request: Request) -> bool:
    """Whether a request approves something, by its address or by the state that its body sets."""
    if says_to_approve(request.path):
        return True
    said = (each for each in walked(request) if each.point[0] == "post" and not each.container)
    return any(says_approved(each.point[-1], each.value.decode("utf-8", "replace")) for each in said)


def says_approved(name: str, value: str) -> bool:
    """Whether a field for a state, or one that is called so itself, says that something is approved."""
    field = parted(name)
    if _SAYS_SO.fullmatch(field) and value.lower() in _SO:
        return True
    return _STATE.fullmatch(field) is not None and _APPROVED.fullmatch(value.strip()) is not None
