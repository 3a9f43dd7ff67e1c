"""Words of addresses below which one user alone was recorded, where others have the same pages below words of
their own: `/acme/bills`, `/globex/bills`.

Nothing else may tell which tenant somebody belongs to. What stands below such a word may be open to all; that is for
others to ask.

places = OwnPlaces()
places.see(request)                 for each request of one user that was answered well
own_places([places, …])             for each of them the word that is his alone; empty where none is
"""

from collections.abc import Sequence
from typing import Final

from gatecrash.core.inventory.identifiers import look_of
from gatecrash.core.message import Request

_DEEPEST: Final = 3
_MOST_PREFIXES, _MOST_WORDS = 20, 20
# Of two users' words as many pages below must be called alike.
_LEAST_ALIKE: Final = 2
_LEAST_WORD: Final = 3

_Words = dict[str, set[str]]


class OwnPlaces:
    """By what stands before them, the words of one user's addresses, each with what follows it."""

    def __init__(self) -> None:
        """Begin with none."""
        self.words: dict[str, _Words] = {}

    def see(self, request: Request) -> None:
        """Keep the words of its address that something stands below, a bounded number of them."""
        segments = [each for each in request.path.decode("latin-1").lower().split("/") if each]
        for depth in range(min(_DEEPEST, len(segments) - 1)):
            prefix, word = "/".join(segments[:depth]), segments[depth]
            if len(self.words) >= _MOST_PREFIXES and prefix not in self.words:
                return
            words = self.words.setdefault(prefix, {})
            if len(words) < _MOST_WORDS or word in words:
                words.setdefault(word, set()).add(segments[depth + 1])


def own_places(users: Sequence[OwnPlaces]) -> list[str]:
    """The word of each user that no other has, at the outermost place where all of them have one and the same pages below it."""
    common = set.intersection(*(set(each.words) for each in users)) if len(users) > 1 else set()
    for prefix in sorted(common, key=len):
        found = [_own(prefix, each, users) for each in users]
        if all(found) and _are_alike([each.words[prefix][word] for each, word in zip(users, found, strict=True)]):
            return found
    return [""] * len(users)


def _own(prefix: str, user: OwnPlaces, users: Sequence[OwnPlaces]) -> str:
    """The one word at a place that this user alone has; empty where there is none, or more."""
    others = {word for each in users if each is not user for word in each.words[prefix]}
    own = [word for word in user.words[prefix] if word not in others]
    return own[0] if len(own) == 1 and len(own[0]) >= _LEAST_WORD and look_of(own[0]) != "id" else ""


def _are_alike(below: Sequence[set[str]]) -> bool:
    """Whether at least some of what follows the words is the same for all; numbers are not."""
    same = set.intersection(*below)
    return len([each for each in same if not each.isdigit()]) >= _LEAST_ALIKE
