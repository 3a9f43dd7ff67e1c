"""The words of a run's pages, and which pages may hold some: all of them are asked at once, for each baseline that is planned.

Each word is one of a few thousand bits. A page's own bits, its sketch, say whether it may hold a word (a Bloom filter). For each
bit one number says which pages have it (a signature file in slices), so that two thousand pages of four hundred words
each cost two megabytes, where a table of the words would take as much as all that is known of the pages.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Generic, TypeVar
from zlib import crc32

_MOST_WORDS = 400
# Words that identifiers are made of; those of plain letters are left out, for every text is full of them.
# Identifiers in base64 keep their padding; an equals sign with something behind it only follows a name.
_WORD = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9_.@+-]{0,62}[A-Za-z0-9])?(?:={1,2}(?![\w=%]))?")
_TELLING = re.compile(r"[0-9_@-]")
_PLAIN_WORD = re.compile(r"\w{3,}")
# In bits: of a page with a thousand words every eighth stranger is taken for known, of two strangers every sixtieth.
_BITS, _MOST_SKETCHED = 8192, 1000

Key = TypeVar("Key")


def identifiers_in(text: str) -> frozenset[str]:
    """The first words of a text that may be identifiers."""
    words = dict.fromkeys(word for word in _WORD.findall(text) if _TELLING.search(word))
    return frozenset(list(words)[:_MOST_WORDS])


def bits_of(words: Iterable[str]) -> frozenset[int]:
    """The bit of each word; two may have the same."""
    return frozenset([crc32(word.encode("utf-8", "surrogatepass")) % _BITS for word in words])


def bits_of_text(text: str) -> frozenset[int]:
    """Those of the first words of a text, whatever case they are in; a value is found where a page holds all of its words."""
    return bits_of(list(dict.fromkeys(_PLAIN_WORD.findall(text.lower())))[:_MOST_SKETCHED])


def sketch_of(bits: Iterable[int]) -> int:
    """All of them in one number."""
    sketch = 0
    for bit in bits:
        sketch |= 1 << bit
    return sketch


class Holders(Generic[Key]):
    """Which of many things may hold some words, in the order in which they came; the oldest go first.

    holders.put(key, bits_of(words))          more of what a thing holds
    holders.with_any(bits_of(words))          those that may hold one of the words
    holders.with_all(bits_of(words))          those that may hold all of them
    """

    def __init__(self) -> None:
        """Nothing came yet."""
        self._places: dict[Key, int] = {}
        self._keys: list[Key] = []
        # How many of the keys are gone, all at the beginning.
        self._gone = 0
        # By bit: the places of those that have it, a bit for each of them.
        self._having: defaultdict[int, int] = defaultdict(int)

    def put(self, key: Key, bits: Iterable[int]) -> None:
        """A thing has these bits, too."""
        place = self._places.get(key)
        if place is None:
            place = self._places[key] = len(self._keys)
            self._keys.append(key)
        mark = 1 << place
        for bit in bits:
            self._having[bit] |= mark

    def drop_oldest(self) -> None:
        """The one that came first is gone."""
        del self._places[self._keys[self._gone]]
        self._gone += 1
        if self._gone > len(self._places):
            self._move_up()

    def with_any(self, bits: Iterable[int]) -> Iterator[Key]:
        """Those with one of these bits; a few of them by chance."""
        places = 0
        for bit in bits:
            places |= self._having.get(bit, 0)
        return self._at(places)

    def with_all(self, bits: Iterable[int]) -> Iterator[Key]:
        """Those with all of these bits, which are some."""
        places = -1
        for bit in bits:
            places &= self._having.get(bit, 0)
        return self._at(places)

    def _at(self, places: int) -> Iterator[Key]:
        left = places >> self._gone
        while left:
            last = left & -left
            yield self._keys[self._gone + last.bit_length() - 1]
            left ^= last

    def _move_up(self) -> None:
        """Those that are left move to the places of those that are gone."""
        self._keys = self._keys[self._gone :]
        self._places = {key: place for place, key in enumerate(self._keys)}
        for bit, places in [*self._having.items()]:
            moved = places >> self._gone
            if moved:
                self._having[bit] = moved
            else:
                del self._having[bit]
        self._gone = 0
