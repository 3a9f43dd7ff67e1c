"""Requests that exchange a refresh token for a fresh access token: where they hold it, and what they are handed."""

import re
from typing import NamedTuple

from gatecrash.core.message import Request, Response
from gatecrash.core.point import Point
from gatecrash.core.points.found import Found
from gatecrash.core.points.walk import read
from gatecrash.core.testing.authorization.tokens.issued_tokens import access_of, handed_out
from gatecrash.core.testing.walked_points import walked

_REFRESH = re.compile(r"refresh(?:_?token)?|rt", re.IGNORECASE)
_ACCESS = re.compile(r"(?:access|auth)?_?token|access", re.IGNORECASE)
_LEAST = 16


class Pair(NamedTuple):
    """The tokens of one session."""

    access: bytes
    refresh: bytes


class Exchanged(NamedTuple):
    """A request that exchanged a refresh token, the one that is good since, and where it stands in it."""

    request: Request
    now: str
    point: Point


def latest_of(request: Request, response: Response) -> Exchanged | None:
    """None where nothing of the sort was exchanged."""
    point = refresh_point(request)
    pair = pair_of(response, read(request, point) or b"") if point is not None else None
    return Exchanged(request, pair.refresh.decode("latin-1"), point) if point is not None and pair is not None else None


def refresh_point(request: Request) -> Point | None:
    """Where the body of a request holds a refresh token."""
    return next((each.point for each in _texts(request) if _is_called(_REFRESH, each.point)), None)


def access_points(request: Request) -> list[Point]:
    """Where the body of a request holds an access token."""
    return [each.point for each in _texts(request) if _is_called(_ACCESS, each.point)]


def pair_of(response: Response, sent: bytes) -> Pair | None:
    """What an answer hands out; without a new refresh token the one that was sent stays good. None where it lets nobody in."""
    handed = handed_out(response)
    access = access_of(handed)
    if access is None:
        return None
    return Pair(access.value, next((each.value for each in handed if _REFRESH.fullmatch(_plain(each.name))), sent))


def _texts(request: Request) -> list[Found]:
    """The long values of a body; of a token itself, and nothing within it."""
    return [
        each
        for each in walked(request)
        if each.point[0] == "post" and "jwt" not in each.point and len(each.value) >= _LEAST
    ]


def _is_called(words: re.Pattern[str], point: Point) -> bool:
    return words.fullmatch(_plain(point[-1])) is not None


def _plain(name: str) -> str:
    return name.replace("-", "_")
