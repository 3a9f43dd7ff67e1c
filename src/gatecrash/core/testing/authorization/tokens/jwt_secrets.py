"""Shared keys that anybody would try first: a token signed with one of them is signed by everybody.

The look-up is done here, without a single request.
"""

import hmac
import re
from base64 import b64decode, b64encode
from collections.abc import Iterable
from functools import cache, lru_cache
from importlib.resources import files

from gatecrash.core.testing.authorization.tokens.jwt import DIGESTS, Token, decode

_LISTS = ("jwt_secrets.txt", "jwt_secrets_english.txt")
_TAILS = ("", "-secret", "_secret", "secret", "123")
# More of them behind the words that come first: the target's own name stands in most of its addresses.
_MORE_TAILS = ("-key", "_key", "key", "-jwt", "jwt", "1", "1234", "12345", "2023", "2024", "2025", "2026", "!")
_FIRST = 20
_WORD = re.compile(r"[A-Za-z]{3,24}")
# Of chance, in hex or base64: at least so long, with letters behind digits. A long word that a year was put behind is none.
_DRAWN = re.compile(rb"(?=\D{0,40}\d[^a-zA-Z]{0,40}[a-zA-Z])[\w+/=-]{24,}")
_BASE64 = re.compile(rb"[\w+/-]+={0,2}")
_GROUP = 4
_MOST_WORDS = 400
_MOST_TOKENS = 64
_MOST_IN_VAIN = 20_000


@cache
def words() -> tuple[bytes, ...]:
    """Our list of what people take for keys and of what manuals tell them to replace, then words of everyday English, one a line;
    the empty key first.
    """
    folder = files("gatecrash.core.testing.payloads")
    lists = (folder.joinpath(name).read_bytes() for name in _LISTS)
    return (b"", *dict.fromkeys(line for text in lists for line in text.splitlines() if line))


@cache
def keys_of_words() -> tuple[bytes, ...]:
    """What the same words are to libraries that take the text of a key for base64, as many of Java's do: some leave out
    the letters behind the last whole group of four, others read them. None that is a word itself.
    """
    keys: dict[bytes, None] = {}
    for word in words():
        if _BASE64.fullmatch(word):
            letters = word.rstrip(b"=").translate(bytes.maketrans(b"-_", b"+/"))
            over = len(letters) % _GROUP
            texts = [letters[: len(letters) - over], *([letters + b"=" * (_GROUP - over)] if over > 1 else [])]
            keys.update(dict.fromkeys(b64decode(text) for text in texts if text))
    plain = frozenset(words())
    return tuple(key for key in keys if key not in plain)


def said(word: bytes) -> str:
    """A key as people read it: the word, or the base64 that gives what is no text."""
    if not word:
        return "of no letters"
    text = word.decode("utf-8", "replace")
    return (
        repr(text)
        if text.isprintable() and "\ufffd" not in text
        else f"that base64 writes as {b64encode(word).decode()!r}"
    )


def is_drawn(word: bytes) -> bool:
    """Whether nobody would try a word: one that fits all the same was read in an answer of the target."""
    return _DRAWN.fullmatch(word) is not None and word not in words()


def weak_secret(token: Token, more: Iterable[bytes] = ()) -> bytes | None:
    """The word that the token was signed with, or what base64 makes of one; None where it is not signed by HMAC, or with none.

    more: words of this very target, such as its name. What was tried on a token is not tried again, and what fits is remembered.
    """
    digest = DIGESTS.get(token.algorithm)
    signature = decode(token.parts[2])
    if digest is None or not signature:
        return None
    known = _known(digest, token.signed, signature)
    if known.word is None:
        told = dict.fromkeys(more if known.vain else (*words(), *keys_of_words(), *more))
        untried = [word for word in told if word not in known.vain]
        known.word = next((word for word in untried if hmac.digest(word, token.signed, digest) == signature), None)
        if len(known.vain) < _MOST_IN_VAIN:
            known.vain.update(untried)
    return known.word


class _LookUp:
    """What is known of one token's key. vain: words that it was not signed with; word: the one that it was."""

    __slots__ = ("vain", "word")

    def __init__(self) -> None:
        self.vain: set[bytes] = set()
        self.word: bytes | None = None


@lru_cache(maxsize=_MOST_TOKENS)
def _known(_digest: str, _signed: bytes, _signature: bytes) -> _LookUp:
    """The same token comes with every request of its user, and with mostly the same words: they were a fifth of a scan's CPU."""
    return _LookUp()


def words_of(host: str, token: Token) -> tuple[bytes, ...]:
    """Words of the target itself: its name and the labels of it, issuer, audience and the name of the key."""
    named = [host, *host.split(".")]
    named += [value for key in ("iss", "aud", "azp", "client_id") if isinstance(value := token.payload.get(key), str)]
    if isinstance(kid := token.header.get("kid"), str):
        named.append(kid)
    told = dict.fromkeys(name for name in named if name)
    return tuple((name + tail).encode() for name in told for tail in (*_TAILS, *_MORE_TAILS))


def words_in(text: str) -> tuple[bytes, ...]:
    """The first words of a text of the target's, as they stand there and in small letters: applications like their own name."""
    found = dict.fromkeys(word for each in _WORD.findall(text) for word in (each, each.lower()))
    words = list(found)[:_MOST_WORDS]
    likeliest = ((word + tail).encode() for word in words[:_FIRST] for tail in _MORE_TAILS)
    return (*((word + tail).encode() for word in words for tail in _TAILS), *likeliest)
