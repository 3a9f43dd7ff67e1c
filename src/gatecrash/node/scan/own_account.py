"""The account that was made for a scan, put where a description asks for an account's name or address.

A name that was made up is nobody's: what is asked for it is not found, and nothing behind it can be tested. A change that takes
a made-up name for the caller's new one is worse, as nobody signs in by the old one any more. What our account is called
suits both. What makes accounts, sets passwords or takes rights away keeps the values of the description.
"""

import re

import msgspec

from gatecrash.core.message import Request
from gatecrash.core.points.found import Found
from gatecrash.core.points.rewrite import rewrite_many
from gatecrash.core.points.walk import walk
from gatecrash.core.testing.operations import operation_of
from gatecrash.core.testing.ordering import destroys
from gatecrash.core.testing.profiles.entrance import fields, registers
from gatecrash.formats.draft import Draft
from gatecrash.node.scan.names import plain

_CHANGING = frozenset({"PUT", "PATCH"})
_RIGHTS = re.compile(r"role|admin|permission|rank|scope|group|active|enable|disable|status|suspend|ban(?:$|ned)|b?lock")


def as_oneself(draft: Draft, registered: Request) -> Draft:
    """The draft with what our account is called; itself where it asks for none. registered: the request that made the account.

    A change is sent so first, and as the description has it where that is refused; what makes something the other way round.
    """
    request = draft.request
    changes = request.method.upper() in _CHANGING
    if (
        registers(request)
        or fields(request)
        or operation_of(request) is not None
        or (destroys(request) and not changes)
    ):
        return draft
    own = _with_own(request, registered)
    if own is request:
        return draft
    if changes:
        return _changed(draft, own, draft.spare or request)
    return _changed(draft, request, own if draft.spare is None else _with_own(draft.spare, registered))


def _with_own(request: Request, registered: Request) -> Request:
    """The request with the values of fields that were registered, where one of them says whose account it is."""
    if _RIGHTS.search(request.path.decode("latin-1").lower()):
        return request
    ours = _values(registered)
    said = {plain(point[-1]) for point, kind in fields(registered).items() if kind in ("user", "mail")}
    asked = {one.point: plain(one.point[-1]) for one in _body(request)}
    if not said & set(asked.values()) or any(map(_RIGHTS.search, asked.values())):
        return request
    return rewrite_many(request, {point: ours[name] for point, name in asked.items() if name in ours})


def _values(registered: Request) -> dict[str, bytes]:
    """What was registered, by the names of its fields; no password."""
    kinds = fields(registered)
    return {plain(one.point[-1]): one.value for one in _body(registered) if kinds.get(one.point) != "password"}


def _body(request: Request) -> list[Found]:
    return [one for one in walk(request).points if one.point[0] == "post" and not one.container]


def _changed(draft: Draft, request: Request, spare: Request) -> Draft:
    changed: Draft = msgspec.structs.replace(draft, request=request, spare=spare)
    return changed
