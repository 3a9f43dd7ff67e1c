"""What a body that speaks of something holds in any known language: a plain look that costs little, before names are read."""

import re
from typing import Final
from urllib.parse import quote

from gatecrash.core.words.english import plain
from gatecrash.core.words.languages import LANGUAGES

_ASCII: Final = re.compile(r"[a-z]{4,}")


def pieces_of(english: str) -> tuple[bytes, ...]:
    """Small letters of which one is wherever the word stands, in UTF-8; with percent signs where it has no ASCII letters.

    english: a word that the languages have, as `password`.
    """
    phrases = {phrase for language in LANGUAGES for phrase in language.get(english, "").split("|") if phrase}
    return tuple(sorted({piece for phrase in phrases for piece in _pieces(phrase)}))


def _pieces(phrase: str) -> tuple[bytes, ...]:
    """The longest run of ASCII letters, because letters with marks are written in several ways."""
    runs = _ASCII.findall(phrase.lower())
    if runs:
        return (max(runs, key=len).encode(),)
    word = max(phrase.lower().split(), key=len)
    return word.encode(), quote(word).lower().encode(), plain(word).encode()


def spellings(english: str) -> str:
    """An expression, in small letters, for what the languages call it in addresses and texts, with and without marks.

    english: a word that the languages have, as `logout`.
    """
    phrases = {phrase for language in LANGUAGES for phrase in language.get(english, "").split("|") if phrase}
    spelt = {tuple(word.lower() for word in phrase.split()) for phrase in phrases}
    spelt |= {tuple(map(plain, phrase.split())) for phrase in phrases}
    return "|".join(r"[-_\s']?".join(map(re.escape, words)) for words in sorted(spelt, key=lambda each: -len(each)))
