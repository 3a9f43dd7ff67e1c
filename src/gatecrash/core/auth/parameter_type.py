"""The type of a default or custom parameter, decided from its value (contract 2.1).

A scheme named in the value decides; else a cookie is Cookie-based; else a JWT is Bearer; else the name `access_token` is
Bearer; else it is an API key.
"""

from urllib.parse import unquote_to_bytes

from gatecrash.core.auth.jwt import begins_as_jwt, is_jwt
from gatecrash.core.auth.placeholders import is_placeholder
from gatecrash.core.auth.scheme import AuthType, Candidate, Judgement, Place, verdicts
from gatecrash.core.auth.words import Words

_COOKIE = Place.COOKIE
_COOKIES, _TOKENS, _KEYS = map(verdicts, (AuthType.COOKIE, AuthType.BEARER, AuthType.API_KEY))


def judge_parameter(candidate: Candidate, words: Words) -> Judgement:
    """Type and validity of the value of a default or custom parameter."""
    if candidate.place is _COOKIE:
        value = plain(candidate.value)
        candidate = Candidate(candidate.place, candidate.name, b"", value, candidate.least)
    else:
        value = candidate.value
    named = judge_by_word(candidate, words) if b" " in value else None
    if named is not None:
        return named
    if candidate.place is _COOKIE:
        return _COOKIES[not is_placeholder(value)]
    if begins_as_jwt(value):
        return _TOKENS[is_jwt(value)]
    kind = _TOKENS if candidate.name == "access_token" else _KEYS
    return kind[is_opaque(value, candidate.least)]


def judge_by_word(candidate: Candidate, words: Words) -> Judgement | None:
    """What the scheme says of the value whose word stands in front of it; None where there is no such scheme."""
    word, space, rest = candidate.value.partition(b" ")
    scheme = words[word] if space else None
    if scheme is None:
        return None
    place, name, least, companions = candidate.place, candidate.name, candidate.least, candidate.companions
    return scheme.judge(Candidate(place, name, word.lower(), rest.strip(), least, companions))


def plain(value: bytes) -> bytes:
    """A cookie's value without its quotes (RFC 6265 section 4.1.1) and escapes."""
    if len(value) > 1 and value[:1] == value[-1:] == b'"':
        value = value[1:-1]
    return unquote_to_bytes(value) if b"%" in value else value


def form_decoded(value: bytes) -> bytes:
    """A value of application/x-www-form-urlencoded as it was meant (WHATWG URL, section 5.1)."""
    if b"+" in value:
        value = value.replace(b"+", b" ")
    return unquote_to_bytes(value) if b"%" in value else value


def is_opaque(value: bytes, least: int) -> bool:
    """Whether the value is at least so many visible characters without white space, and no placeholder."""
    return len(value) >= least and not _blank_or_control(value) and not is_placeholder(value)


def _blank_or_control(value: bytes) -> bool:
    return any(byte <= 0x20 or byte == 0x7F for byte in value)
