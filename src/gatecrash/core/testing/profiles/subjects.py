"""Whom credentials name by themselves: the holder of a token, the user of Basic, with or without that word."""

import base64
import binascii
from collections.abc import Iterable
from typing import Final

from gatecrash.core.auth.jwt import is_jwt, object_in
from gatecrash.core.testing.authorization.callers.oneself import names_claimed, wordless_user
from gatecrash.core.testing.authorization.tokens.jwt import parse
from gatecrash.core.testing.profiles.identity_names import LEAST_NAME

_SUBJECTS: Final = (
    "sub",
    "uid",
    "user_id",
    "userId",
    "id",
    "_id",
    "username",
    "user_name",
    "user",
    "email",
    "login",
    "name",
)


def subject_of(values: dict[tuple[str, ...], str]) -> str:
    """Whom the credentials name: a token's issuer and subject (RFC 7519 section 4.1), the user of Basic (RFC 7617)."""
    for value in values.values():
        word, _, rest = value.partition(" ")
        if word.lower() == "basic":
            return basic_user(rest)
        token = (rest or word).strip().encode()
        if is_jwt(token):
            return _jwt_subject(token)
        name = "" if rest else wordless_user(word)
        if name:
            return f"basic {name}"
    return ""


def names_in(value: str) -> list[str]:
    """All that a credential may call its holder: the user of Basic, what a token's claims say."""
    word, _, rest = value.partition(" ")
    if word.lower() == "basic":
        return [basic_user(rest).removeprefix("basic ")]
    name = "" if rest else wordless_user(word)
    if name:
        return [name]
    token = parse((rest or word).strip().encode())
    return [] if token is None else [each for each in token.payload.values() if isinstance(each, str)]


def called_by(values: Iterable[str]) -> set[str]:
    """What credentials surely call their holder and his tenant, in lower case: a name, by claims that are for names."""
    called: set[str] = set()
    for value in values:
        token = parse(value.rpartition(" ")[2].encode())
        names = names_claimed(token.payload) if token is not None else {name.lower() for name in names_in(value)}
        called |= {name for name in names if len(name) >= LEAST_NAME and not name.isdigit()}
    return called


def kind_of(value: str) -> tuple[str, str]:
    """Of which kind a credential is: its scheme word, and whether it is a token or a name and a password that can be read."""
    word, _, rest = value.partition(" ")
    if is_jwt((rest or word).strip().encode()):
        return (word.lower() if rest else "", "jwt")
    return (word.lower(), "") if rest else ("", "name" if wordless_user(word) else "")


def basic_user(encoded: str) -> str:
    """The name in Basic, behind that word; empty where there is none."""
    try:
        return "basic " + base64.b64decode(encoded).partition(b":")[0].decode("latin-1")
    except (binascii.Error, ValueError):
        return ""


def _jwt_subject(token: bytes) -> str:
    claims = object_in(token.split(b".")[1]) or {}
    subject = _named(claims)
    return f"jwt {claims.get('iss')} {subject}" if subject is not None else ""


def _named(claims: dict[str, object]) -> str | int | None:
    """Whom a token's claims name: by `sub`, else by what applications write in its place, one level down too."""
    below = (value for value in claims.values() if isinstance(value, dict))
    for each in (claims, *below):
        for claim in _SUBJECTS:
            value = each.get(claim)
            if isinstance(value, str | int) and not isinstance(value, bool):
                return value
    return None
