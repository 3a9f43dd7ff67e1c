"""Addresses and names of fields as an English application would write them.

Whoever asks whether a field takes a password or an address deletes something looks for English words. `/konto/loeschen` and
`nouveauMotDePasse` say the same: each known word or phrase is replaced by its English one, all else stays as it is.
"""

import re
import unicodedata
from functools import lru_cache
from typing import Final
from urllib.parse import unquote

from gatecrash.core.words.languages import ALONE, LANGUAGES

_REMEMBERED: Final = 8192
# Longer ones are no names and no addresses that words are looked for in.
_LONGEST: Final = 2048
# A word may be written with percent signs, of which the ASCII letters are none.
_WORD: Final = re.compile(r"(?:[^\W\d_]|%[89A-Fa-f][0-9A-Fa-f])+")
_HUMP: Final = re.compile(r"(?<=[a-z])(?=[A-Z])")
# What may stand between the words of one phrase.
_JOINT: Final = re.compile(r"[-_. +']?|%20|%27")
# Letters that are no others with a mark.
_LETTERS: Final = str.maketrans({"ł": "l", "ø": "o", "đ": "d", "ı": "i", "æ": "ae", "œ": "oe"})


@lru_cache(_REMEMBERED)
def in_english(text: str) -> str:
    """The text with its known words in English, else as it is."""
    if len(text) > _LONGEST:
        return text
    spelt = _HUMP.sub("_", text)
    words = list(_WORD.finditer(spelt))
    spoken = [plain(word[0]) for word in words]
    written: list[str] = []
    end = index = 0
    while index < len(words):
        length, english = _phrase_at(spelt, words, spoken, index)
        if length:
            written += (spelt[end : words[index].start()], english)
            end = words[index + length - 1].end()
        index += length or 1
    return "".join((*written, spelt[end:])) if written else text


def bytes_in_english(text: bytes) -> bytes:
    """The same of bytes, in UTF-8."""
    try:
        written = text.decode()
    except UnicodeDecodeError:
        return text
    said = in_english(written)
    return text if said == written else said.encode()


def _phrase_at(text: str, words: list[re.Match[str]], spoken: list[str], index: int) -> tuple[int, str]:
    """How many words make the longest known phrase that begins here, and what it is in English; 0 and nothing for none."""
    phrases = _PHRASES.get(spoken[index])
    if phrases is None:
        return 0, ""
    for phrase, english in phrases:
        rest = range(index + 1, index + len(phrase))
        if tuple(spoken[index : index + len(phrase)]) == phrase and all(_joined(text, words, each) for each in rest):
            among_others = _joined(text, words, index) or _joined(text, words, index + len(phrase))
            if among_others and phrase[0] in ALONE and not rest:
                return 0, ""
            return len(phrase), english
    return 0, ""


def _joined(text: str, words: list[re.Match[str]], index: int) -> bool:
    """Whether this word and the one before it make one name."""
    return 0 < index < len(words) and bool(_JOINT.fullmatch(text, words[index - 1].end(), words[index].start()))


def plain(word: str) -> str:
    """A word without capitals, marks and percent signs, as it is compared."""
    bare = unquote(word) if "%" in word else word
    if bare.isascii():
        return bare.lower()
    parts = unicodedata.normalize("NFKD", bare.casefold())
    return "".join(each for each in parts if not unicodedata.combining(each)).translate(_LETTERS)


def phrases_for(english: str) -> list[str]:
    """The phrases of all languages that say an English word, as their lists have them."""
    return [phrase for language in LANGUAGES if english in language for phrase in language[english].split("|")]


def _phrases() -> dict[str, list[tuple[tuple[str, ...], str]]]:
    """Every known phrase by its first word, the longest first; what two languages share has the meaning of the first."""
    found: dict[str, list[tuple[tuple[str, ...], str]]] = {}
    for language in LANGUAGES:
        for english, phrases in language.items():
            for phrase in phrases.split("|"):
                words = tuple(plain(word) for word in phrase.split())
                of_first = found.setdefault(words[0], [])
                if all(words != known for known, _ in of_first):
                    of_first.append((words, english))
    for of_first in found.values():
        of_first.sort(key=lambda each: -len(each[0]))
    return found


_PHRASES: Final = _phrases()
