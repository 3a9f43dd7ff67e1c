"""Tokens in an answer: which one gives access, and what the others are meant for."""

import re
from typing import Any, NamedTuple

from gatecrash.core.message import Response
from gatecrash.core.testing.authorization.tokens.jwt import Token, parse
from gatecrash.core.testing.oracles.leaves import leaves

_ACCESS = re.compile(
    r"(?:access|auth|bearer|session|api|id_?)?[_-]?(?:token|jwt)|access|authorization|token_?value", re.IGNORECASE
)
_REFRESH = re.compile(r"refresh", re.IGNORECASE)
_IDENTITY = re.compile(r"^id[_-]?token$", re.IGNORECASE)
_TOKEN = re.compile(r"[A-Za-z0-9_.~+/=-]{16,4096}")
_NAMED = re.compile(r"token|jwt|refresh|^access$|authorization", re.IGNORECASE)
_LONG_LIVED = "Refresh tokens"
_KINDS = ("typ", "type", "token_type", "token_use", "tokenType", "use", "kind")
# What names no use: RFC 7519 section 5.1 has `JWT`, RFC 9068 `at+jwt` for an access token.
_ORDINARY = frozenset({"", "jwt", "bearer", "access", "at+jwt", "access_token", "auth"})


class Handed(NamedTuple):
    """A token in an answer. name: of its field. kind: what such tokens are called. why: how it is known to be of that kind."""

    name: str
    value: bytes
    kind: str = ""
    why: str = ""


def handed_out(response: Response) -> list[Handed]:
    """Every token of a JSON answer, by its field's name or its form."""
    found: dict[str, Handed] = {}
    for leaf in leaves(response):
        name, value = leaf.path[-1] if leaf.path else "", leaf.value
        value = value.removeprefix("Bearer ")
        is_named = _NAMED.search(name) is not None and not value.isalpha()
        if _TOKEN.fullmatch(value) and (is_named or parse(value.encode()) is not None):
            found.setdefault(value, Handed(name, value.encode()))
    return list(found.values())


def access_of(handed: list[Handed]) -> Handed | None:
    """The one that lets in: by its name, the plainest first, and not by its claims another one; None where none does."""
    own = [each for each in handed if _ACCESS.fullmatch(each.name) and not _says_otherwise(each)]
    return min(own, key=lambda each: (not each.name.lower().startswith("access"), len(each.name)), default=None)


def others_of(handed: list[Handed], access: Handed) -> list[Handed]:
    """The ones that are meant for something else, each with what says so."""
    mine = parse(access.value)
    found = (_meant(each, parse(each.value), mine) for each in handed if each.value != access.value)
    return sorted((each for each in found if each is not None), key=lambda each: each.kind != _LONG_LIVED)


def _says_otherwise(handed: Handed) -> bool:
    token = parse(handed.value)
    return bool(_IDENTITY.search(handed.name) or _REFRESH.search(handed.name) or (token and _kind(token)))


def _meant(handed: Handed, token: Token | None, mine: Token | None) -> Handed | None:
    if _REFRESH.search(handed.name):
        return handed._replace(kind=_LONG_LIVED, why="a refresh token by its name")
    if _IDENTITY.search(handed.name):
        return handed._replace(kind="Identity tokens", why="an identity token by its name")
    if token is None or mine is None:
        return None
    kind = _kind(token)
    if kind:
        return handed._replace(kind="Tokens of another kind", why=f"which calls itself {kind!r}")
    audience = _audience(token)
    if audience and _audience(mine) and not audience & _audience(mine):
        told = ", ".join(sorted(audience))
        return handed._replace(kind="Tokens of another audience", why=f"a token whose audience is {told!r}")
    return None


def _kind(token: Token) -> str:
    """What a token says it is where that is no access token; empty where it says nothing of the sort."""
    said: list[Any] = [token.payload.get(name, "") for name in _KINDS]
    words = [word for word in said if isinstance(word, str) and word.lower() not in _ORDINARY]
    return words[0] if words and re.search(r"refresh|^id", words[0], re.IGNORECASE) else ""


def _audience(token: Token) -> frozenset[str]:
    said = token.payload.get("aud", [])
    return frozenset(map(str, said)) if isinstance(said, list) else frozenset({str(said)})
