"""An account of ours confirmed, where the answer that made it holds what its mail would: a code, a token.

Applications under development tell it so. The request that takes it is known by its path (`/verify`, `/confirm`, `/activate`),
and by a field that is called as the member of the answer is.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Any

import orjson

from gatecrash.core.message import Request, Response
from gatecrash.core.point import Point
from gatecrash.core.points.rewrite import rewrite_many
from gatecrash.core.points.walk import walk
from gatecrash.core.testing.operations.graphql import address_of
from gatecrash.core.testing.oracles.body import content_of
from gatecrash.core.testing.profiles.entrance import Account, kind_of_name
from gatecrash.core.words.names import plain
from gatecrash.formats.draft import Draft

_CONFIRMS = re.compile(r"verif|confirm|activat")
_OF_OTHERS = re.compile(r"passw|forgot|reset|order|payment|transfer|deactivat|2fa|mfa|totp|resend")
_CODE = re.compile(r"code|token|otp|pin|key|hash|secret")
_DEEPEST = 4


def confirming(drafts: Iterable[Draft], account: Account, answer: Response) -> Iterator[Request]:
    """The requests of a description that may confirm the account. answer: of the registration."""
    told = dict(_told(answer))
    for draft in drafts:
        address = address_of(draft.request).lower()
        if not told or not _CONFIRMS.search(address) or _OF_OTHERS.search(address):
            continue
        values = {point: value for point, name in _asked(draft) if (value := _value(name, account, told)) is not None}
        if any(_CODE.search(name) and point in values for point, name in _asked(draft)):
            yield rewrite_many(draft.request, {point: value.encode() for point, value in values.items()})


def _asked(draft: Draft) -> list[tuple[Point, str]]:
    """Every place of the request with its plain name."""
    points = (one.point for one in walk(draft.request).points if one.point[0] in ("post", "get") and not one.container)
    in_path = ((hole.point, plain(hole.name)) for hole in draft.holes if hole.point[0] == "path")
    return [*((point, plain(point[-1])) for point in points), *in_path]


def _value(name: str, account: Account, told: dict[str, str]) -> str | None:
    """What belongs into a field of this name: the account's own, or what the answer calls alike (`verificationCode` and `code`)."""
    own = {"mail": account.mail, "user": account.user}.get(kind_of_name(name))
    if own is not None:
        return own
    return next((value for key, value in told.items() if key.endswith(name) or name.endswith(key)), None)


def _told(answer: Response) -> Iterator[tuple[str, str]]:
    try:
        yield from _members(orjson.loads(content_of(answer) or b""), 0)
    except orjson.JSONDecodeError:
        return


def _members(value: Any, depth: int) -> Iterator[tuple[str, str]]:
    if not isinstance(value, dict) or depth > _DEEPEST:
        return
    for name, one in value.items():
        if isinstance(one, str | int) and not isinstance(one, bool) and plain(name):
            yield plain(name), str(one)
        else:
            yield from _members(one, depth + 1)
