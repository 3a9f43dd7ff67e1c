"""The type of a default or custom parameter, decided from its value (contract 2.1).

A scheme named in the value decides; else a cookie is Cookie-based; else a JWT is Bearer; else the name `access_token` is
Bearer; else it is an API key.
"""

from urllib.parse import unquote_to_bytes

from gatecrash.core.auth.jwt import begins_as_jwt, is_jwt
from gatecrash.core.auth.placeholders import is_placeholder
from gatecrash.core.auth.scheme import AuthType, Candidate, Judgement, Place
from gatecrash.core.auth.words import Words


def judge_parameter(candidate: Candidate, words: Words) -> Judgement:
    """Type and validity of the value of a default or custom parameter."""
    value = plain(candidate.value) if candidate.place is Place.COOKIE else candidate.value
    word, space, rest = value.partition(b" ")
    if space and (scheme := words.scheme(word)):
        named = scheme.judge(candidate._replace(word=word.lower(), value=rest.strip()))
        if named:
            return named
    if candidate.place is Place.COOKIE:
        return Judgement(AuthType.COOKIE, not is_placeholder(value))
    if begins_as_jwt(value):
        return Judgement(AuthType.BEARER, is_jwt(value))
    kind = AuthType.BEARER if candidate.name == "access_token" else AuthType.API_KEY
    return Judgement(kind, is_opaque(value, candidate.least))


def plain(value: bytes) -> bytes:
    """A cookie's value without its quotes (RFC 6265 section 4.1.1) and escapes."""
    if len(value) > 1 and value[:1] == value[-1:] == b'"':
        value = value[1:-1]
    return unquote_to_bytes(value) if b"%" in value else value


def is_opaque(value: bytes, least: int) -> bool:
    """Whether the value is at least so many visible characters without white space, and no placeholder."""
    return len(value) >= least and not _blank_or_control(value) and not is_placeholder(value)


def _blank_or_control(value: bytes) -> bool:
    return any(byte <= 0x20 or byte == 0x7F for byte in value)
