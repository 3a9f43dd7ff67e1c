"""Words with which a target signs, as far as a run knows them: what fitted one of its tokens, and what its own answers tell.

learn_words(memory.told, exchange)
known = words_known(memory.told, request.origin)
"""

import re
from collections.abc import MutableSet, Set
from typing import Final

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.oracles.body import text_of

Told = tuple[str, ...]

_WORD, _TELLER = "the word that signs tokens", "who tells the word that signs"
_MOST, _LARGEST = 50, 200_000
# Of a run, whatever else it is told: catalogues of texts have thousands of keys, and no token is signed with any.
_MOST_TOLD = 5_000
_HINT = re.compile(r"secret|sign|jwt|hmac|key", re.IGNORECASE)
# `"jwtSecret": "…"`, `SECRET_KEY=…`, `signing-key: …`, escaped for HTML or within JSON too.
_QUOTE: Final = r"(?:\\?[\"']|&quot;|&#0?3[49];)?"
_SETTING = re.compile(
    rf"(?<![\w.-])[\w.-]{{0,40}}(?:secret|sign|jwt|hmac|key)[\w.-]{{0,40}}{_QUOTE}\s{{0,9}}(?:[:=]|=>)\s{{0,9}}{_QUOTE}"
    r"([^\s\"'\\<>&;,{}\[\]()]{6,128})",
    re.IGNORECASE,
)


def remember(told: MutableSet[Told], origin: str, word: bytes, *, fits: bool = False) -> None:
    """Keep a word that may sign at this origin; and one that does, however much is known."""
    if fits or len(told) < _MOST_TOLD:
        told.add((_WORD, origin, word.decode("latin-1")))


def learn_words(told: MutableSet[Told], exchange: Exchange) -> None:
    """Keep what a recorded answer tells, and that a page tells it which somebody with a cookie read."""
    request, response = exchange.request, exchange.response
    for word in words_told(response) if response is not None else ():
        remember(told, request.origin, word)
        if request.method.upper() == "GET" and request.first(b"Cookie") is not None and len(told) < _MOST_TOLD:
            told.add((_TELLER, request.origin, word.decode("latin-1"), request.path.decode("latin-1")))


def tellers(told: Set[Told], request: Request, word: bytes) -> list[bytes]:
    """The paths of other pages of the record that tell a word; none where the request's own does."""
    of_word = (_TELLER, request.origin, word.decode("latin-1"))
    paths = sorted(each[-1].encode("latin-1") for each in told if each[:3] == of_word)
    return [] if request.path in paths else paths


def words_known(told: Set[Told], origin: str) -> list[bytes]:
    """Those of this origin."""
    return [each[-1].encode("latin-1") for each in sorted(told) if each[:2] == (_WORD, origin)]


def words_told(response: Response) -> tuple[bytes, ...]:
    """What an answer tells under the name of a key or a secret, whatever it is for: none is sent before it fits a signature."""
    text = text_of(response)[:_LARGEST]
    if _HINT.search(text) is None:
        return ()
    found = dict.fromkeys(each[1].encode("utf-8", "surrogateescape") for each in _SETTING.finditer(text))
    return tuple(found)[:_MOST]
