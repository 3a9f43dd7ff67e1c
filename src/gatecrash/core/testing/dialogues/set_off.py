"""Recorded requests that set something off with what another one keeps: `POST /monitors/4/run` after `POST /monitors`
or `PUT /monitors/4`.
"""

from typing import NamedTuple

import msgspec

from gatecrash.core.errors import UserError
from gatecrash.core.message import Request, Response
from gatecrash.core.points.rewrite import rewrite
from gatecrash.core.testing.authorization.objects.leaves import leaves
from gatecrash.core.testing.dialogues.following import renewed, renewed_target
from gatecrash.core.testing.places.walked_points import walked
from gatecrash.core.testing.probe import Situation
from gatecrash.core.testing.surroundings.pages import Page, asking

_MOST = 3


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
    below = request.path.rstrip(b"/") + b"/"
    told = {leaf.value for leaf in leaves(response)} if response is not None else set()
    pages = [page.request for page in situation.pages if not page.request.body]
    found: list[_Recorded] = []
    for each in (*(made.request for made in situation.makers), *pages):
        first, _, rest = each.path.removeprefix(below).decode("latin-1").partition("/")
        if not each.path.startswith(below) or not first or "/" in rest:
            continue
        identifier = first if rest else ""
        # A page beside the list is no view of what was made: `/monitors/latest`.
        about_it = identifier in told if identifier else not (request.method.upper() == "POST" and each.method == "GET")
        if about_it:
            found.append(_Recorded(_in_name_of(request, each), identifier))
    return found[:_MOST]


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
