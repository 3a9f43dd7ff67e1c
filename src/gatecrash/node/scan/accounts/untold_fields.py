"""Registrations and logins whose fields a description does not tell: `{"type": "object"}`, or no body at all.

Frameworks describe a body that is read as a plain mapping so, and people leave it out. What may be one is asked without any
field, and again with those that its refusals name, as long as they name more: a password among them tells that it is one.
A login may say no more than that nobody is let in so (401): it is then asked by the names that the registration has.
"""

from collections.abc import Awaitable, Callable, Iterable

import msgspec

from gatecrash.core.message import Request
from gatecrash.core.points.walk import walk
from gatecrash.core.testing.effects.destruction import CHANGES_ACCOUNT, destroys
from gatecrash.core.testing.operations.graphql import operation_of
from gatecrash.core.testing.probe import Answer
from gatecrash.core.testing.profiles.entrance import (
    Entrance,
    enrolling,
    fields,
    is_for_others,
    kind_of_name,
    says_entrance,
    says_login,
)
from gatecrash.core.words.names import plain
from gatecrash.formats.draft import SECURED_ITSELF, Draft
from gatecrash.formats.refusals.told_fields import completed, with_members
from gatecrash.node.scan.accounts.registering import made_up

_MOST_ASKED, _MOST_FOLLOWED = 6, 6

Send = Callable[[Request], Awaitable[Answer]]
Asked = tuple[str, str, bytes]
"""What a request asks, in whatever session, and wherever it was found: its method, its address, and its body."""


def without_fields(drafts: Iterable[Draft]) -> list[Draft]:
    """Requests that may be logins or registrations though the description names no fields of theirs, the likeliest first: posted
    with an empty body, about no existing object, and not said to need credentials. A document of GraphQL names its arguments.
    """
    open_to_all = (one for one in drafts if _is_open(one) and _has_nothing(one.request))
    found = [one for one in open_to_all if operation_of(one.request) is None]
    return sorted(found, key=lambda one: not says_entrance(one.request))[:_MOST_ASKED]


def asked_for(request: Request) -> Asked:
    """What a request asks: pages that are read again by who was signed in offer it with other headers."""
    return request.method, request.url, request.body


async def told_fields(draft: Draft, send: Send) -> Request | None:
    """The request with the fields that its refusals name; None where no password is among them."""
    account = made_up()
    for _ in range(_MOST_FOLLOWED):
        response = (await send(enrolling(draft.request, account))).exchange.response
        more = completed(msgspec.structs.replace(draft, response=response)) if response is not None else None
        if more is None:
            break
        draft = more
    return draft.request if fields(draft.request) else None


def as_registered(drafts: Iterable[Draft], entrance: Entrance) -> dict[Asked, Request]:
    """What is called a login and told no fields, and the same with the names that the registration has for somebody and for his
    password; empty where there is a login, or nothing is called so.
    """
    login = next((one.request for one in drafts if says_login(one.request)), None)
    if entrance.login is not None or entrance.registration is None or login is None:
        return {}
    names = {kind: point[-1] for point, kind in reversed(fields(entrance.registration).items()) if kind}
    if "mail" in names and kind_of_name(plain(names.get("user", ""))) != "user":
        names.pop("user", None)  # a person's name beside the address that he signs in by
    filled = with_members(login, list(names.values()))
    return {asked_for(login): filled} if filled is not None else {}


def _is_open(draft: Draft) -> bool:
    return draft.secured != SECURED_ITSELF and not draft.holes and not draft.kept


def _has_nothing(request: Request) -> bool:
    """Whether it is posted with no field in its body, and is no function of plain arguments."""
    if request.method.upper() != "POST" or request.query or is_for_others(request):
        return False
    harm = destroys(request)  # `/account/register` changes nobody's account
    if harm is not None and not (harm == CHANGES_ACCOUNT and says_entrance(request)):
        return False
    return not request.body or all(one.container for one in walk(request).points if one.point[0] == "post")
