"""Requests that exchange a refresh token for a fresh access token: where they hold it, and what they are handed.

A body holds it under its name; else a cookie does, in a request that sends nothing else. So may the answer hand both out.
"""

import re
from typing import NamedTuple

import msgspec

from gatecrash.core.auth.set_cookie import issued
from gatecrash.core.message import Headers, Request, Response, is_of_body
from gatecrash.core.point import Point
from gatecrash.core.points.found import Found
from gatecrash.core.points.walk import read
from gatecrash.core.testing.authorization.tokens.issued_tokens import Handed, access_of, handed_out
from gatecrash.core.testing.forms.tokens import is_called_token
from gatecrash.core.testing.places.walked_points import walked

_REFRESH = re.compile(r"(?:refresh|renew(?:al)?)(?:_?token)?|rt", re.IGNORECASE)
# Cookies of several applications at one host are told apart by what stands before. Some are called so that nobody sees what for.
_REFRESH_COOKIE = re.compile(r"(?:.*[_.-])?(?:refresh(?:[_-]?token)?|jid|jrt|rtk?)", re.IGNORECASE)
_ACCESS = re.compile(r"(?:access|auth)?_?token|access", re.IGNORECASE)
_ACCESS_COOKIE = re.compile(r"(?:.*[_.-])?(?:access(?:[_-]?token)?|auth[_-]?token|jwt)|token", re.IGNORECASE)
# What a request for a fresh token may say beside the cookie.
_SAYS_NO_MORE = re.compile(r"grant_?type|client_?id|scope", re.IGNORECASE)
_COOKIE = ("header", "COOKIE", "cookie")
_LEAST = 16


class Pair(NamedTuple):
    """The tokens of one session. cookie: the name of the cookie that the access token stands in, if it does."""

    access: bytes
    refresh: bytes
    cookie: bytes = b""


class Exchanged(NamedTuple):
    """A request that exchanged a refresh token, the one that is good since, and where it stands in it."""

    request: Request
    now: str
    point: Point


def latest_of(request: Request, response: Response) -> Exchanged | None:
    """The request without what else says who sent it, but with what guards it against forged ones; None where nothing of the sort
    was exchanged.
    """
    point = refresh_point(request)
    if point is None or (_in_cookie(point) and _says_more(request)):
        return None
    sent = read(request, point) or b""
    pair = pair_of(response, sent)
    if pair is None:
        return None
    guards: Headers = tuple(each for each in request.headers if is_called_token(each[0].decode("latin-1")))
    headers: Headers = (*(header for header in request.headers if is_of_body(header[0])), *guards)
    cookies = _repeating(request, frozenset(value for _, value in guards)) if guards else []
    if _in_cookie(point):
        cookies = [point[-1].encode("latin-1") + b"=" + sent, *cookies]
    headers = (*headers, (b"Cookie", b"; ".join(cookies))) if cookies else headers
    return Exchanged(msgspec.structs.replace(request, headers=headers), pair.refresh.decode("latin-1"), point)


def _repeating(request: Request, values: frozenset[bytes]) -> list[bytes]:
    """The cookies that a header repeats, as scripts do to show that they are of the site."""
    pairs = [pair.strip() for header in request.all(b"Cookie") for pair in header.split(b";")]
    return [pair for pair in pairs if pair.partition(b"=")[2] in values]


def refresh_point(request: Request) -> Point | None:
    """Where a request holds a refresh token; in its body, if there."""
    return next(iter(_called(request, _REFRESH, _REFRESH_COOKIE)), None)


def access_points(request: Request) -> list[Point]:
    """Where the body and the cookies of a request hold an access token."""
    return _called(request, _ACCESS, _ACCESS_COOKIE)


def pair_of(response: Response, sent: bytes) -> Pair | None:
    """What an answer hands out; without a new refresh token the one that was sent stays good. None where it lets nobody in."""
    handed = handed_out(response)
    cookies = [Handed(each.name.decode("latin-1"), each.value) for each in issued(response)]
    refresh = [each.value for each in handed if _REFRESH.fullmatch(_plain(each.name))]
    refresh += [each.value for each in cookies if _REFRESH_COOKIE.fullmatch(each.name)]
    renewed = next(iter(refresh), sent)
    access = access_of(handed)
    if access is not None:
        return Pair(access.value, renewed)
    carried = next((each for each in cookies if _ACCESS_COOKIE.fullmatch(each.name)), None)
    return Pair(carried.value, renewed, carried.name.encode("latin-1")) if carried is not None else None


def _called(request: Request, in_body: re.Pattern[str], in_cookie: re.Pattern[str]) -> list[Point]:
    """Where the long values stand that are called so: those of the body first; of a token itself, and nothing within it."""
    found = [each for each in walked(request) if "jwt" not in each.point and len(each.value) >= _LEAST]
    body = [each.point for each in found if each.point[0] == "post" and in_body.fullmatch(_plain(each.point[-1]))]
    return body + [each.point for each in found if _in_cookie(each.point) and in_cookie.fullmatch(each.point[-1])]


def _says_more(request: Request) -> bool:
    return any(map(_tells_more, walked(request))) if request.body else False


def _tells_more(found: Found) -> bool:
    is_said = found.point[0] == "post" and len(found.point) > 2 and not found.container and bool(found.value)
    return is_said and not _SAYS_NO_MORE.fullmatch(found.point[-1])


def _in_cookie(point: Point) -> bool:
    return len(point) == len(_COOKIE) + 1 and tuple(point[: len(_COOKIE)]) == _COOKIE


def _plain(name: str) -> str:
    return name.replace("-", "_")
