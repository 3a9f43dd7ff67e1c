"""Words of addresses below which one user alone was recorded, where others have the same pages below words of
their own: `/acme/bills`, `/globex/bills`.

Nothing else may tell which tenant somebody belongs to. What stands below such a word may be open to all; that is for
others to ask.

places = OwnPlaces()
places.see(request, response)       for each request of one user that was answered well
own_places([places, …])             for each of them the word that is his alone; empty where none is
each_in_his_own(places, others)     whether a list shows each of two only the thing below whose word he was recorded
"""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final

import orjson

from gatecrash.core.inventory.identifiers import look_of
from gatecrash.core.message import Request, Response
from gatecrash.core.statuses import FIRST_REDIRECT
from gatecrash.core.testing.oracles.body import content_of, media_type

# `/api/v1/organizers/acme/events`.
_DEEPEST: Final = 4
_MOST_PREFIXES, _MOST_WORDS = 20, 20
_MOST_LISTS, _MOST_CALLED, _LONGEST_CALLED = 20, 200, 64
# Of two users' words as many pages below must be called alike.
_LEAST_ALIKE: Final = 2
_LEAST_WORD: Final = 3

_Words = dict[str, set[str]]


class OwnPlaces:
    """By what stands before them, the words of one user's addresses, each with what follows it.

    called: by their addresses, what the things of lists are called by, whatever the field.
    """

    def __init__(self) -> None:
        """Begin with none."""
        self.words: dict[str, _Words] = {}
        self.called: dict[str, set[str]] = {}

    def see(self, request: Request, response: Response | None = None) -> None:
        """Keep the words of its address that something stands below, and what a list shows; a bounded number of them."""
        segments = [each for each in request.path.decode("latin-1").lower().split("/") if each]
        if response is not None and request.method.upper() == "GET" and request.query is None:
            self._hear("/".join(segments), response)
        for depth in range(min(_DEEPEST, len(segments) - 1)):
            prefix, word = "/".join(segments[:depth]), segments[depth]
            if len(self.words) >= _MOST_PREFIXES and prefix not in self.words:
                return
            words = self.words.setdefault(prefix, {})
            if len(words) < _MOST_WORDS or word in words:
                words.setdefault(word, set()).add(segments[depth + 1])

    def _hear(self, address: str, response: Response) -> None:
        if len(self.called) < _MOST_LISTS and response.status < FIRST_REDIRECT and (called := set(_called(response))):
            self.called.setdefault(address, set()).update(called)


def each_in_his_own(one: OwnPlaces, other: OwnPlaces) -> bool:
    """Whether a list (`/organizers`) shows each of two the one thing below whose word he was recorded, and not the other's, where
    the same pages stand below both (`/organizers/acme/events`). Who may have both is shown both.
    """
    prefix, (mine, theirs) = _outermost((one, other))
    shown, others = one.called.get(prefix, set()), other.called.get(prefix, set())
    return mine in shown and theirs in others and mine not in others and theirs not in shown


def _called(response: Response) -> Iterator[str]:
    """The short texts of the objects in a list, which an answer in JSON is or holds."""
    if "json" not in media_type(response):
        return
    try:
        document = orjson.loads(content_of(response) or b"")
    except orjson.JSONDecodeError:
        return
    within = document.values() if isinstance(document, dict) else (document,)
    things = [each for listed in within if isinstance(listed, list) for each in listed if isinstance(each, dict)]
    texts = (text.lower() for each in things for text in each.values() if isinstance(text, str))
    yield from islice((text for text in texts if _LEAST_WORD <= len(text) <= _LONGEST_CALLED), _MOST_CALLED)


def own_places(users: Sequence[OwnPlaces]) -> list[str]:
    """The word of each user that no other has, at the outermost place where all of them have one and the same pages below it."""
    return _outermost(users)[1]


def _outermost(users: Sequence[OwnPlaces]) -> tuple[str, list[str]]:
    """That place, with the words."""
    common = set.intersection(*(set(each.words) for each in users)) if len(users) > 1 else set()
    for prefix in sorted(common, key=len):
        found = [_own(prefix, each, users) for each in users]
        if all(found) and _are_alike([each.words[prefix][word] for each, word in zip(users, found, strict=True)]):
            return prefix, found
    return "", [""] * len(users)


def _own(prefix: str, user: OwnPlaces, users: Sequence[OwnPlaces]) -> str:
    """The one word at a place that this user alone has; empty where there is none, or more."""
    others = {word for each in users if each is not user for word in each.words[prefix]}
    own = [word for word in user.words[prefix] if word not in others]
    return own[0] if len(own) == 1 and len(own[0]) >= _LEAST_WORD and look_of(own[0]) != "id" else ""


def _are_alike(below: Sequence[set[str]]) -> bool:
    """Whether at least some of what follows the words is the same for all; numbers are not."""
    same = set.intersection(*below)
    return len([each for each in same if not each.isdigit()]) >= _LEAST_ALIKE
