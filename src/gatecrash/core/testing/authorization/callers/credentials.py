"""Requests without their credentials, and with credentials that are surely worth nothing."""

import re
from base64 import b64decode, b64encode
from collections.abc import Iterable
from random import Random

import msgspec

from gatecrash.core.auth.families.session_cookies import PREFIXES
from gatecrash.core.auth.jwt import PREFIX, is_jwt
from gatecrash.core.auth.parameters import COOKIE_STEPS
from gatecrash.core.auth.recogniser import Recognised
from gatecrash.core.errors import UserError
from gatecrash.core.message import Headers, Request
from gatecrash.core.point import Point, upper
from gatecrash.core.points.rewrite import remove, rewrite
from gatecrash.core.points.walk import read, walk
from gatecrash.core.testing.forms.tokens import is_random

# What else could let a caller in, recognised or not: taken along, so that an answer owes nothing to it.
_TELLING_HEADER = re.compile(rb"auth|token|key|secret|session|jwt|signature|credential|cookie", re.IGNORECASE)
# These hold such a word and are part of the protocol, not of any login.
_HARMLESS_HEADERS = frozenset({b"sec-websocket-key", b"idempotency-key", b"x-idempotency-key"})
AUTHORIZATION = ("header", "AUTHORIZATION")
COOKIE = COOKIE_STEPS
_FOLDED = re.compile(r"<[A-Z]+>")
_SMALL_NUMBER = re.compile(rb"[1-9][0-9]{0,8}")
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_DIGITS = "0123456789"
# Shorter values may be the same by chance.
_LEAST_TOKEN = 12
_KEY_IN_QUERY = re.compile(
    r"(?:(?:api|access|app|auth|client|export|feed|private|secret|subscription|user)[-_]?)?(?:key|token|secret)|sig(?:nature)?",
    re.IGNORECASE,
)
# What detection knows by itself, and names in the parts that its values have.
_OWN_HEADERS = frozenset({b"authorization", b"proxy-authorization", b"cookie"})
_LEAST_KEY = 6
_OTHERS = {
    character: alphabet.replace(character, "")
    for alphabet in (_LETTERS, _LETTERS.upper(), _DIGITS)
    for character in alphabet
}
# Schemes whose value says who is asking, and proves it (RFC 7616, RFC 7235 and their kin): only the proof is garbled, so that a
# guard which never looks at it is found out.
_PROVING = re.compile(r"digest|hawk|signature|aws4-.*|hmac.*|shared-?key.*|mac", re.IGNORECASE)
_PROOF = re.compile(r"(?:^|[,\s])(?:response|mac|signature|sig|hmac)\s*=\s*\"?([^\",\s]{8,})", re.IGNORECASE)
# What a vendor writes before a key (`sk_live_`): the same in all keys, and all that some guards look at.
_PREFIX = re.compile(r"(?:[A-Za-z]{2,10}_){1,3}(?=[A-Za-z0-9]{12,}$)")
# What a value calls its own parts: `sha256=…`, `t=…,v1=…`. The padding of base64 names nothing.
_NAME_OF_PART = re.compile(r"(?:^|(?<=[,;& ]))[A-Za-z][A-Za-z0-9_-]{0,20}=(?=[^=,;& ])")


def worth_testing(found: Iterable[Recognised], request: Request) -> tuple[Point, ...]:
    """The points of the request whose credentials could have let the caller in.

    A placeholder (`Bearer null`) could not: leaving it out and being answered alike would prove nothing. Names that
    detection folds into one (`X-<VENDOR>-SIGNATURE`) are those that the request has.
    """
    points = (place for credential in found if credential.valid for place in _places(credential.point, request))
    return tuple(dict.fromkeys(points))


def wherever_sent(credentials: Iterable[Point], request: Request) -> tuple[Point, ...]:
    """The credentials, and where else in the address or the body the tokens of headers among them stand, as in `me(token: …)`;
    a signed token there lets its caller in as well, be it another than the header's, and so does a long random key in the query.
    """
    points = tuple(dict.fromkeys((*credentials, *_keys_in_query(request))))
    values = ((read(request, point) or b"").rpartition(b" ")[2] for point in points if point[0] == "header")
    tokens = {value for value in values if len(value) >= _LEAST_TOKEN}
    if not any(token in request.body or token in request.target for token in (*tokens, PREFIX)):
        return points
    again = (
        found.point
        for found in walk(request).points
        if found.value in tokens or (found.point[0] != "header" and is_jwt(found.value))
    )
    return tuple(dict.fromkeys((*points, *again)))


def _keys_in_query(request: Request) -> list[Point]:
    """The parameters that are called as keys and tokens are, and hold what nobody guesses."""
    found = walk(request).points if request.query else ()
    keys = (each for each in found if len(each.point) == 2 and each.point[0] == "get")
    return [
        each.point
        for each in keys
        if _KEY_IN_QUERY.fullmatch(each.point[1]) and is_random(each.value.decode("utf-8", "replace"))
    ]


def _places(point: Point, request: Request) -> list[Point]:
    """Where a point stands in a request: itself, or each header and cookie whose name a folded one stands for."""
    if not _FOLDED.search(point[-1]):
        if tuple(point[:-1]) != COOKIE or read(request, point) is not None:
            return [point]
        # Detection leaves a browser's prefix off a framework's name; the request has it.
        prefixed = [Point((*COOKIE, prefix.decode() + point[-1])) for prefix in PREFIXES]
        return [each for each in prefixed if read(request, each) is not None] or [point]
    name = re.compile(_FOLDED.sub("[^<>]+", re.escape(point[-1])) + r"(?:-\w{1,6}){0,3}", re.IGNORECASE)
    steps = tuple(point[:-1])
    alike = (found.point for found in walk(request).points if tuple(found.point[:-1]) == steps)
    return [each for each in alike if name.fullmatch(each[-1])] or [point]


def without_credentials(request: Request, credentials: Iterable[Point]) -> Request:
    """The request without what was recognised at these points, without cookies, and without headers named alike."""
    request = without(request, credentials)
    return msgspec.structs.replace(request, headers=_kept(request, frozenset(), frozenset()))


def without(request: Request, points: Iterable[Point]) -> Request:
    """The request without what stands at these points, and nothing else left out."""
    for point in points:
        try:
            request = remove(request, point)
        except UserError:
            continue
    return request


def named_alike(request: Request, known: Iterable[Point]) -> dict[tuple[str, ...], str]:
    """The headers that are named as credentials are (`X-Vault-Key`), other than those known, with their values."""
    others = {tuple(point) for point in known}
    named = {
        ("header", upper(name.decode("latin-1"))): value.decode("ascii")
        for name, value in request.headers
        if name.lower() not in _OWN_HEADERS and _is_telling(name) and value.isascii() and len(value) >= _LEAST_KEY
    }
    return {point: value for point, value in named.items() if point not in others}


def counting_cookies(request: Request) -> dict[Point, bytes]:
    """The cookies that hold a small number: they may name an object, and are nobody's session."""
    return {
        found.point: found.value
        for found in (walk(request).points if request.first(b"Cookie") else ())
        if tuple(found.point[:3]) == COOKIE and len(found.point) == 4 and _SMALL_NUMBER.fullmatch(found.value)
    }


def with_garbled(request: Request, credentials: Iterable[Point], random: Random) -> Request:
    """The request with every credential replaced by another of the same look that nobody was ever given.

    Whatever else might let the caller in, other cookies included, is left out.
    """
    points = tuple(credentials)
    for point in points:
        value = read(request, point)
        if value is None:
            continue
        try:
            request = rewrite(request, point, garble(value, random))
        except UserError:
            continue
    return msgspec.structs.replace(request, headers=_kept(request, *_names(points)))


def with_emptied(request: Request, credentials: Iterable[Point]) -> Request:
    """The request with every credential's value empty, a scheme word kept; whatever else might let the caller in left out."""
    points = tuple(credentials)
    for point in points:
        value = read(request, point)
        if value is None:
            continue
        word, space, _ = value.partition(b" ")
        try:
            request = rewrite(request, point, word if space else b"")
        except UserError:
            continue
    return msgspec.structs.replace(request, headers=_kept(request, *_names(points)))


def with_only(request: Request, credentials: Iterable[Point], point: Point) -> Request:
    """The request with the credentials at this point and nothing else that could let a caller in."""
    for other in credentials:
        if other != point and other[: len(point)] != point and point[: len(other)] != other:
            try:
                request = remove(request, other)
            except UserError:
                continue
    only: Request = msgspec.structs.replace(request, headers=_kept(request, *_names((point,))))
    return only


def has_scheme(request: Request, credentials: Iterable[Point]) -> bool:
    """Whether Authorization is among the credentials and begins with a scheme word that can be swapped for another."""
    if AUTHORIZATION not in {tuple(point) for point in credentials}:
        return False
    return b" " in (request.first(b"Authorization") or b"")


def with_other_scheme(request: Request, credentials: Iterable[Point], random: Random) -> Request | None:
    """The request with random credentials of another scheme in Authorization, and nothing else that could let a caller in.

    A guard that branches on the scheme word may let through what it has no branch for. None without a scheme word.
    """
    points = tuple(credentials)
    if not has_scheme(request, points):
        return None
    bare = without_credentials(request, points)
    word = (request.first(b"Authorization") or b"").partition(b" ")[0].lower()
    drawn = "".join(random.choice(_LETTERS) for _ in range(21)).encode()
    value = b"Bearer " + drawn if word == b"basic" else b"Basic " + b64encode(drawn[:6] + b":" + drawn[6:])
    swapped: Request = msgspec.structs.replace(bare, headers=(*bare.headers, (b"Authorization", value)))
    return swapped


def _names(points: tuple[Point, ...]) -> tuple[frozenset[str], frozenset[str]]:
    """The headers and the cookies that these points stand in."""
    headers = frozenset(point[1] for point in points if point[0] == "header" and len(point) == 2)
    return headers, frozenset(point[-1] for point in points if point[:3] == COOKIE and len(point) == 4)


def _kept(request: Request, headers: frozenset[str], cookies: frozenset[str]) -> Headers:
    """The request's headers but those that could let a caller in; of these only the ones named here."""
    kept: list[tuple[bytes, bytes]] = []
    for name, value in request.headers:
        if name.lower() == b"cookie":
            pairs = [pair for pair in value.split(b";") if pair.partition(b"=")[0].strip().decode("latin-1") in cookies]
            if pairs:
                kept.append((name, b";".join(pairs).strip()))
        elif not _is_telling(name) or upper(name.decode("latin-1")) in headers:
            kept.append((name, value))
    return tuple(kept)


def garble(value: bytes, random: Random) -> bytes:
    """Letters become other letters and digits other digits; a scheme word, a vendor's prefix, names of parts and all separators
    stay, and of schemes that say who is asking everything but the proof. Basic stays a name and a password.

    A guard that looks at the name of the algorithm and never at the signature behind it is to be found out.
    """
    text = value.decode("latin-1")
    word, space, rest = text.partition(" ")
    if not space:
        word, rest = "", text
    if word.lower() == "basic" and (named := _named(rest)):
        # Letters of base64 that are changed one by one decode to no text, which parsers refuse before anybody looks.
        return b"Basic " + b64encode("".join(_other(character, random) for character in named).encode())
    proof = _PROOF.search(rest) if _PROVING.fullmatch(word) else None
    if proof is not None:
        start, stop = proof.span(1)
        other = "".join(_other(character, random) for character in rest[start:stop])
        return (word + space + rest[:start] + other + rest[stop:]).encode("latin-1")
    changed, end = "", 0
    prefix = _PREFIX.match(rest)
    if prefix is not None:
        changed, end = prefix[0], prefix.end()
    for name in _NAME_OF_PART.finditer(rest):
        changed += "".join(_other(character, random) for character in rest[end : name.start()]) + name[0]
        end = name.end()
    changed += "".join(_other(character, random) for character in rest[end:])
    return (word + space + changed).encode("latin-1")


def _named(encoded: str) -> str:
    """Name and password of Basic, with the colon between; empty where they are none."""
    try:
        text = b64decode(encoded, validate=True).decode()
    except ValueError:
        return ""
    return text if ":" in text else ""


def _other(character: str, random: Random) -> str:
    others = _OTHERS.get(character)
    return others[int(random.random() * len(others))] if others else character


def _is_telling(name: bytes) -> bool:
    return _TELLING_HEADER.search(name) is not None and name.lower() not in _HARMLESS_HEADERS
