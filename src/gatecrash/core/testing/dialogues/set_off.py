"""Recorded requests that set something off with what another one keeps: `POST /monitors/4/run` after `POST /monitors`
or `PUT /monitors/4`, and pages beside the objects that are asked for one of them: `GET /monitors/run?monitor_id=4`.
"""

from collections.abc import Sequence
from typing import NamedTuple
from urllib.parse import parse_qsl

import msgspec

from gatecrash.core.errors import UserError
from gatecrash.core.message import Request, Response
from gatecrash.core.points.rewrite import rewrite
from gatecrash.core.testing.dialogues.following import renewed, renewed_target
from gatecrash.core.testing.known.page import Page, asking
from gatecrash.core.testing.oracles.leaves import Leaf, leaves
from gatecrash.core.testing.places.walked_points import walked
from gatecrash.core.testing.probe import Situation
from gatecrash.core.words.names import plain

_MOST = 3
_IDENTIFIERS = ("id", "uuid", "guid")


class _Recorded(NamedTuple):
    """One such request, in the name of whoever sent the baseline. identifier: which object it names below the baseline's address."""

    request: Request
    identifier: str


def how_many(situation: Situation) -> int:
    """How many requests of the record may set something off with what the baseline keeps."""
    return len(_recorded(situation))


def actions(situation: Situation) -> list[str]:
    """What those requests are called, by the last words of their addresses."""
    return list(dict.fromkeys(action_of(each.request) for each in _recorded(situation)))


def action_of(request: Request) -> str:
    """The last word of an address."""
    return request.path.rstrip(b"/").rpartition(b"/")[2].decode("latin-1")


def setting_off(situation: Situation, answer: Response) -> list[Request]:
    """Those requests, about the object that this answer tells of."""
    recorded = situation.baseline.response
    fresh = renewed(recorded, answer)
    asked: list[Request] = []
    for each in _recorded(situation):
        if each.identifier and each.identifier not in fresh:
            continue  # the object that was recorded keeps what it had
        again: Request = msgspec.structs.replace(
            each.request, target=renewed_target(each.request.target, recorded, answer)
        )
        asked.append(_with_fresh_body(again, fresh))
    return asked


def _recorded(situation: Situation) -> list[_Recorded]:
    request, response = situation.baseline.request, situation.baseline.response
    told: Sequence[Leaf] = leaves(response) if response is not None else ()
    pages = [page.request for page in situation.pages if not page.request.body]
    found: list[_Recorded] = []
    for each in (*(made.request for made in situation.makers), *pages):
        identifier = _object_below(request, each, told)
        identifier = _object_asked_for(request, each, told) if identifier is None else identifier
        if identifier is not None:
            found.append(_Recorded(_in_name_of(request, each), identifier))
    return found[:_MOST]


def _object_below(request: Request, each: Request, told: Sequence[Leaf]) -> str | None:
    """Which object a request names below the baseline's address; empty for the baseline's own, None where it is about neither."""
    below = request.path.rstrip(b"/") + b"/"
    first, _, rest = each.path.removeprefix(below).decode("latin-1").partition("/")
    if not each.path.startswith(below) or not first or "/" in rest:
        return None
    if rest:
        return first if any(leaf.value == first for leaf in told) else None
    # A page beside the list is no view of what was made: `/monitors/latest`.
    return None if request.method.upper() == "POST" and each.method == "GET" else ""


def _object_asked_for(request: Request, each: Request, told: Sequence[Leaf]) -> str | None:
    """The same of a page that stands beside the objects, where its query names one by an identifier."""
    making, (above, _, own) = request.method.upper() == "POST", request.path.rstrip(b"/").rpartition(b"/")
    if each.path.rpartition(b"/")[0] != (request.path.rstrip(b"/") if making else above):
        return None
    query = parse_qsl((each.query or b"").decode("latin-1"))
    named = [value for name, value in query if plain(name).endswith(_IDENTIFIERS)]
    if not making:
        return "" if own.decode("latin-1") in named else None
    made = {leaf.value for leaf in told if leaf.path and plain(leaf.path[-1]).endswith(_IDENTIFIERS)}
    return next((value for value in named if value in made), None)


def _in_name_of(request: Request, asked: Request) -> Request:
    return asking(request, Page(asked, rendered=False))


def _with_fresh_body(request: Request, fresh: dict[str, str]) -> Request:
    """The body with the identifiers of now: `POST /webhooks/test` with `{"id": 4}`."""
    for each in walked(request) if request.body and fresh else ():
        value = each.value.decode("utf-8", "replace")
        if each.point[0] == "post" and value in fresh:
            try:
                request = rewrite(request, each.point, fresh[value].encode())
            except UserError:
                continue
    return request
