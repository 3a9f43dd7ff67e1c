"""Requests and answers as they are shown: credentials become `$TOKEN` (decisions 2).

What detection recognises is masked wherever it stands; headers, cookies and query parameters whose names tell of a
credential are masked too, recognised or not: one mask too many hides little, one too few publishes a secret.
"""

import re
from collections.abc import Iterable
from contextlib import suppress
from urllib.parse import unquote_to_bytes

import msgspec

from gatecrash.core.auth.recogniser import Recogniser
from gatecrash.core.errors import InvalidPoint, UnwritableValue
from gatecrash.core.message import Headers, Request, Response
from gatecrash.core.point import Point
from gatecrash.core.points.rewrite import rewrite
from gatecrash.core.words.pieces import spellings

TOKEN = b"$TOKEN"
# As long, so that Content-Length is right for both, and the same in every escape.
_LETTERS = b"zTOKEN"
_TELLING = re.compile(
    rb"auth(?!or(?!i[sz]))|token|api[-_]?key|secret|session|jwt|signature|credential|passw|^x-amz-security|"
    + spellings("password").encode(),
    re.IGNORECASE,
)
_SHOWN_WORD = re.compile(rb"(basic|bearer|digest|negotiate|ntlm|hawk|token|apikey) ", re.IGNORECASE)
# What these say is for every client to read, and part of what proves a flaw.
_WORDS_ONLY = frozenset({b"www-authenticate", b"access-control-allow-credentials"})
_COOKIE_VALUE = re.compile(rb"=[^;]*")
_SET_COOKIE_VALUE = re.compile(rb"^([^=;]*)=[^;]*")
# WS-Security: a digest too, which passwords can be guessed by.
_NAMED_TOKEN, _ITS_PASSWORD = b"UsernameToken", re.compile(rb"(<(?:[\w.-]{1,60}:)?Password(?:\s[^<>]{0,400})?>)[^<]+")
# Names without a value, too, so that of many question marks none is read twice.
_TELLING_PARAMETER = re.compile(rb"([?&])([^=&#]*+)(?:=([^&#]*+))?")


def mask_request(request: Request, recogniser: Recogniser, points: Iterable[Point] = ()) -> Request:
    """The request with its credentials masked. recogniser: compiled with the client's own parameters.

    points: where credentials stand whatever they look like, as those of an auth profile do.
    """
    for found in recogniser.recognise(request):
        request = _masked(request, found.point)
    for point in points:
        with suppress(InvalidPoint, UnwritableValue):  # this request has no such point
            request = _masked(request, point)
    body = request.body
    if _NAMED_TOKEN in body:
        body = _ITS_PASSWORD.sub(rb"\1" + TOKEN, body)
    return msgspec.structs.replace(
        request, headers=_masked_headers(request.headers), target=mask_target(request.target), body=body
    )


def _masked(request: Request, point: Point) -> Request:
    if point[0] == "header" and len(point) == 2:
        return _with_header(request, point[1].upper().encode())
    if point[0] == "get":
        return _with_parameter(request, point[1].encode())
    # Every cookie is masked anyhow.
    return request if point[0] == "header" else _with_value(request, point)


def _with_value(request: Request, point: Point) -> Request:
    """The mask as it is wherever its letters stand as they are: a form would escape its dollar sign, and nobody could fill it in."""
    if _LETTERS in request.target or _LETTERS in request.body:
        return rewrite(request, point, TOKEN)
    written = rewrite(request, point, _LETTERS)
    if _LETTERS not in written.target and _LETTERS not in written.body:
        return rewrite(request, point, TOKEN)  # inside of base64, say
    target, body = (part.replace(_LETTERS, TOKEN) for part in (written.target, written.body))
    return msgspec.structs.replace(written, target=target, body=body)


def mask_response(response: Response) -> Response:
    """The answer with the cookies and tokens that it hands out masked."""
    return msgspec.structs.replace(response, headers=_masked_headers(response.headers))


def mask_target(target: bytes) -> bytes:
    """The target with the values of telling query parameters masked."""
    return _TELLING_PARAMETER.sub(_masked_parameter, target)


def _masked_parameter(match: re.Match[bytes]) -> bytes:
    mark, name, value = match.groups()
    if value is None:
        return match[0]
    return mark + name + b"=" + (TOKEN if value and _TELLING.search(unquote_to_bytes(name)) else value)


def _masked_headers(headers: Headers) -> Headers:
    return tuple((name, _masked_value(name.lower(), value)) for name, value in headers)


def _masked_value(name: bytes, value: bytes) -> bytes:
    if name == b"cookie":
        return _COOKIE_VALUE.sub(b"=" + TOKEN, value)
    if name == b"set-cookie":
        return _SET_COOKIE_VALUE.sub(rb"\1=" + TOKEN, value)
    if name in _WORDS_ONLY or not _TELLING.search(name):
        return value
    return _masked_credential(value)


def _masked_credential(value: bytes) -> bytes:
    """The scheme word stays, for it is what a reader needs to repeat the request."""
    word = _SHOWN_WORD.match(value)
    return (word[0] if word else b"") + TOKEN


def _with_header(request: Request, name: bytes) -> Request:
    headers = tuple(
        (key, _masked_credential(value)) if key.upper() == name else (key, value) for key, value in request.headers
    )
    return msgspec.structs.replace(request, headers=headers)


def _with_parameter(request: Request, wanted: bytes) -> Request:
    def mask(match: re.Match[bytes]) -> bytes:
        mark, name, value = match.groups()
        if value is None:
            return match[0]
        return mark + name + b"=" + (TOKEN if unquote_to_bytes(name) == wanted else value)

    return msgspec.structs.replace(request, target=_TELLING_PARAMETER.sub(mask, request.target))
