"""What an application calls itself: in the titles of its pages and of its description, in its tokens and its cookies.

Whoever needs a key in a hurry takes that name, written in one word, with a year or `secret` behind it.
names = names_known(memory.told, request.origin)
"""

import html
import re
from collections.abc import MutableSet, Set
from functools import lru_cache
from typing import Final
from urllib.parse import urlsplit

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.authorization.tokens.jwt import Token
from gatecrash.core.testing.authorization.tokens.known_words import Told
from gatecrash.core.testing.forms.tokens import cookies_of
from gatecrash.core.testing.oracles.body import text_of
from gatecrash.core.words.names import parted

_NAME: Final = "the name of the application"
# Pages on single objects have these for titles: the first pages tell the application's name.
_MOST_NAMES, _MOST_DESCRIBED = 40, 20
_MOST_WORDS, _SHORTEST, _LONGEST = 4, 3, 40
_LEAST_WORD = 4
_READ = 8_000
_TITLE = re.compile(r"<title[^<>]{0,80}>([^<>]{1,120})</title", re.IGNORECASE)
_SITE = re.compile(
    r"<meta\s[^<>]{0,80}?(?:site_name|application-name|mobile-web-app-title)[\"']?\s{1,9}content\s?=\s?[\"']([^\"'<>]{1,80})",
    re.IGNORECASE,
)
# `"info": {"title": …}` of an OpenAPI document (specification, section 4.8.2).
_DESCRIBED = re.compile(r"\"info\"\s?:\s?\{[^{}]{0,2000}?\"title\"\s?:\s?\"([^\"\\]{1,80})\"")
# `Orders - Tea house`, `Tea house | Orders`, and with longer strokes, points and dots.
_APART = re.compile("\\s[-\u2013\u2014|·•:]{1,2}\\s|[|·•:»]")
_WORD = re.compile(r"[A-Za-z]+")
_KINDS = frozenset(
    {"api", "app", "application", "service", "server", "backend", "portal", "web", "site", "demo", "the", "my", "rest"}
)
_TAILS = (
    "", "123", "1", "1234", "12345", "!", "123!", "secret", "-secret", "_secret", "key", "-key", "_key", "jwt", "-jwt", "_jwt",
    "secretkey", "-secret-key", "_secret_key", "jwtsecret", "-jwt-secret", "_jwt_secret", "2023", "2024", "2025", "2026",
)  # fmt: skip


def names_told(response: Response) -> tuple[str, ...]:
    """What a page or a description calls the application, or itself."""
    text = text_of(response)[:_READ]
    if "<" in text:
        titles = [*_SITE.findall(text), *_TITLE.findall(text)]
    else:
        titles = _DESCRIBED.findall(text) if '"info"' in text else []
    parts = (part for title in titles for part in _APART.split(html.unescape(title)))
    return tuple(dict.fromkeys(name for name in (" ".join(_WORD.findall(part)) for part in parts) if _is_name(name)))


def names_described(title: str, description: str) -> tuple[str, ...]:
    """What a description calls the application, and the longer words that it has for it: `Patterns of a knitting circle`."""
    words = [word for word in _WORD.findall(description[:_READ]) if len(word) >= _LEAST_WORD]
    parts = (" ".join(_WORD.findall(part)) for part in _APART.split(title))
    return tuple(dict.fromkeys(name for name in (*parts, *words) if _is_name(name)))[:_MOST_DESCRIBED]


def _is_name(text: str) -> bool:
    return _SHORTEST <= len(text) <= _LONGEST and text.count(" ") < _MOST_WORDS and _WORD.search(text) is not None


def remember_name(told: MutableSet[Told], origin: str, name: str) -> None:
    """Keep what an application calls itself, among the first names that it is seen with."""
    known = (_NAME, origin, name)
    if known not in told and len(names_known(told, origin)) < _MOST_NAMES:
        told.add(known)


def names_known(told: Set[Told], origin: str) -> tuple[str, ...]:
    """Those of this origin."""
    return tuple(sorted(each[-1] for each in told if each[:2] == (_NAME, origin)))


def names_of(request: Request, token: Token) -> tuple[str, ...]:
    """The names in a token's issuer and audience, and those of the request's cookies, whose last words say what they are for."""
    claims = (token.payload.get(name) for name in ("iss", "aud", "azp", "client_id"))
    texts = [
        text for claim in claims for text in (claim if isinstance(claim, list) else [claim]) if isinstance(text, str)
    ]
    hosts = [urlsplit(text).hostname or "" if "://" in text else text for text in texts]
    labels = [label for host in (*hosts, request.host) for label in host.split(".")]
    words = (parted(text, " ").replace("_", " ").replace("-", " ").split() for text in (*labels, *cookies_of(request)))
    found = (" ".join(some[: len(some) - less]) for some in words for less in range(2) if len(some) > less)
    return tuple(dict.fromkeys(name for name in found if _is_name(name)))[:_MOST_NAMES]


@lru_cache(maxsize=32)
def keys_of(names: tuple[str, ...]) -> tuple[bytes, ...]:
    """What such names make for keys: in one word, with strokes between and as they stand, small and not, with what is put behind.

    So do they without what says that it is an application (`Tea house API`), and each of their longer words alone.
    """
    every = (words for name in names for words in _shorter(parted(name, " ").split()))
    written = (form for words in every for form in _forms(words))
    return tuple((form + tail).encode() for form in dict.fromkeys(written) for tail in _TAILS)


def _shorter(words: list[str]) -> list[list[str]]:
    """Words, those of them that are a name, and each that is long enough to be one."""
    named = [word for word in words if word.lower() not in _KINDS]
    alone = [[word] for word in named if len(word) >= _LEAST_WORD]
    return [words, *([named] if named else []), *alone]


def _forms(words: list[str]) -> list[str]:
    texts = [between.join(words) for between in ("", "-", "_", " ")]
    return [cased for text in texts for cased in (text.lower(), text)]
