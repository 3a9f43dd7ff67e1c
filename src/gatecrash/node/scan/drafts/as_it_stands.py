"""What a described request would write over, put into it as it stands where the same address shows it.

Nobody wrote the values of a description for the one thing that a scan happens to name: an account's own address, a list
of three entries. So the request changes nothing, and behind its tests it brings back what was there. Its values suit, too.
What shows no password is the account of somebody who signs in where it holds his name or his address: he keeps his own.
Where a description says nothing of a body, what the address shows is all that is known of it.
"""

import re
from collections.abc import Awaitable, Callable, Iterable
from itertools import islice
from typing import Any

import msgspec
import orjson

from gatecrash.core.auth.logins import is_password
from gatecrash.core.message import Response, reading
from gatecrash.core.testing.authorization.fields.properties import is_right
from gatecrash.core.testing.authorization.fields.sent_objects import body_of, sending
from gatecrash.core.testing.oracles.body import content_of
from gatecrash.core.words.deeds import OVERWRITES
from gatecrash.formats.draft import Draft, names_a_thing
from gatecrash.node.scan.accounts.own_password import keeping_ones_own
from gatecrash.node.scan.drafts.answered import is_good

_OVERWRITING = frozenset({"PUT", "PATCH"})
# `POST /users/7/update`.
_SAYS_SO = OVERWRITES | {"replace"}
_DEEPEST = 4
# What is sent where a description says nothing of an object's members.
_NOTHING = b"{}"
_MOST_MEMBERS = 8
# Nobody sends when something was made, or where it is.
_SET_BY_ITSELF = re.compile(
    r"(?i:(?:^|_)(?:created|updated|modified|deleted|joined|registered))|(?:[a-z]At|_at)$|^(?:version|etag|url|href|self|link)$"
)

Send = Callable[[Draft], Awaitable[Draft | None]]
Accounts = Iterable[Iterable[tuple[str, str]]]


async def as_it_stands(draft: Draft, described: Iterable[Draft], send: Send, accounts: Accounts = ()) -> Draft:
    """The draft with what its address shows by a described request, which is sent once more; itself where that is nothing.

    described: what is known of the API. send: gives the draft with its answer. accounts: what each who signs in does so with.
    """
    body = {} if draft.request.body == _NOTHING else body_of(draft.request)
    place = _written_over(draft)
    if not draft.operation or not place or not isinstance(body, dict):
        return keeping_ones_own(draft, accounts)
    shows = next((one for one in described if one.request.method == "GET" and _is_described_at(one, place)), None)
    if shows is None:
        return keeping_ones_own(draft, accounts)
    asked = reading(draft.request, place)
    answered = await send(msgspec.structs.replace(shows, request=asked, sender=draft.sender, holes=(), spare=None))
    if answered is None or not isinstance(answered.response, Response) or not is_good(answered.response):
        return keeping_ones_own(draft, accounts)
    kept = _kept(body, _object_beside(body, answered.response), _DEEPEST) if body else _shown(answered.response)
    standing = draft if kept == body else msgspec.structs.replace(draft, request=sending(draft.request, kept))
    return keeping_ones_own(standing, accounts, answered.response)


def _written_over(draft: Draft) -> bytes:
    """The path of what a request writes over: its own, or that of the thing behind which a POST says so; empty for any other."""
    if draft.request.method in _OVERWRITING:
        return draft.request.path
    above, _, said = draft.request.path.rpartition(b"/")
    names_one = any(hole.point == ("path", str(above.count(b"/") - 1)) for hole in draft.holes)
    return above if draft.request.method == "POST" and names_one and said.decode("latin-1") in _SAYS_SO else b""


def _is_described_at(one: Draft, place: bytes) -> bool:
    """Whether a draft is described at an address, whatever its placeholders hold."""
    ours, theirs = (path.split(b"/")[1:] for path in (one.request.path, place))
    open_places = {hole.point[1] for hole in one.holes if hole.point[0] == "path"}
    return len(ours) == len(theirs) and all(
        mine == its or str(place) in open_places for place, (mine, its) in enumerate(zip(ours, theirs, strict=True))
    )


def _object_beside(body: dict[str, Any], response: Response) -> dict[str, Any]:
    """The object that an answer shows, or the one that it wraps, which has members of the body."""
    try:
        shown = orjson.loads(content_of(response) or b"")
    except orjson.JSONDecodeError:
        return {}
    if not isinstance(shown, dict):
        return {}
    found = (each for each in (shown, *shown.values()) if isinstance(each, dict) and not body.keys().isdisjoint(each))
    return next(found, {})


def _shown(response: Response) -> dict[str, Any]:
    """The plain members of the thing that an answer shows, but for what names things, tells of rights, or is a moment's."""
    try:
        shown = orjson.loads(content_of(response) or b"")
    except orjson.JSONDecodeError:
        return {}
    wrapped = [each for each in shown.values() if isinstance(each, dict)] if isinstance(shown, dict) else []
    for thing in (shown, *wrapped):
        if isinstance(thing, dict) and _is_a_thing(thing):
            return dict(islice(((name, one) for name, one in thing.items() if _may_be_sent(name, one)), _MOST_MEMBERS))
    return {}


def _is_a_thing(thing: dict[str, Any]) -> bool:
    """Whether it is a thing, by an identifier among its members, and no envelope."""
    return any(names_a_thing(name) and isinstance(one, str | int) for name, one in thing.items())


def _may_be_sent(name: str, value: Any) -> bool:
    if not isinstance(value, str | int | float) or isinstance(value, bool) or value == "":
        return False
    return not (names_a_thing(name) or is_right(name) or is_password(name.encode()) or _SET_BY_ITSELF.search(name))


def _kept(sent: Any, shown: Any, deepest: int) -> Any:
    """What is sent with what is shown in its place, member by member, where that is of the same kind and not empty."""
    if type(sent) is not type(shown) or shown in ("", []) or not deepest:
        return sent
    if not isinstance(sent, dict):
        return shown
    return {
        name: value if name not in shown or is_password(name.encode()) else _kept(value, shown[name], deepest - 1)
        for name, value in sent.items()
    }
