"""Which addresses of a site are read, and in which order: those with input first, guesses last, and all with an end.

queue = Queue()
queue.put(request, FORM)            to be read
queue.next()                        the next one; None at the end
queue.saw(request, forms, body)     what the page that was read there offers to be filled in
queue.is_exercise(request)          whether its number chooses what is done rather than what is shown

Of addresses that differ in numbers alone a few are read, so that a calendar has an end. The others that a page of another
kind lists are read last: some where those few offer different things, and all where they are exercises. A shop's articles
differ in what their pages say, and offer the same. Scripts in files of their own (`/login2.php`) are each another program,
whatever they offer. Exercises offer something else each time; or their forms go to addresses of the same
number, and the pages say nothing of a thing that it would name: they are one like the other to the letter. What fields hold at first
may be another in some of them; where it is another in each, they are pages on which things are edited.
"""

import re
from collections import Counter, defaultdict, deque
from collections.abc import Iterable
from hashlib import blake2b
from itertools import chain, zip_longest

from gatecrash.core.message import Request
from gatecrash.core.testing.effects.methods import is_safe
from gatecrash.node.scan.crawl_combined import Combined

FORM, LINK, GUESS = 0, 1, 2
"""How an address was come by: a form filled in, a link, a text that looks like an address."""
_MOST_ALIKE, _MOST_OF_ONE = 4, 60
MOST_EXERCISES = 1_500
# Identifiers and values that hold once: words with a digit in them.
_NUMBERED = re.compile(rb"(?<![\w-])(?=[A-Za-z_-]*\d)[\w-]+")
# A file that a server runs, with a number in its name; what is shown by number has that in the query.
_PROGRAM = re.compile(rb"/[^/?]*\d[^/?.]*\.(?:php\d?|phtml|jspx?|aspx?|cfm|cgi|pl)(?![^?])", re.IGNORECASE)

_DIGITS = re.compile(rb"\d+")
# What a field holds, as HTML writes it.
_HELD = re.compile(rb"""(?<=\svalue=)(?:"[^"]*+"|'[^']*+'|[^\s>"']++)""", re.IGNORECASE)

Offers = frozenset[tuple[bytes, ...]]
Look = tuple[bytes, bytes]
"""How a page looks but for its numbers: without what its fields hold, and with it."""


class Queue:
    """What is still to be read. exercises: how many were let in beyond the few of their kind."""

    def __init__(self, most_exercises: int = MOST_EXERCISES) -> None:
        self.exercises = 0
        self._most_exercises = most_exercises
        self._waiting: tuple[deque[Request], ...] = (deque(), deque(), deque())
        self._taken: Counter[bytes] = Counter()
        self._combined = Combined()
        self._put_off: defaultdict[bytes, list[Request]] = defaultdict(list)
        self._seen: defaultdict[bytes, dict[bytes, tuple[Offers, Look]]] = defaultdict(dict)

    @property
    def left(self) -> int:
        """How many are still to be read, as far as is known."""
        return sum(map(len, self._waiting))

    def put(self, request: Request, came_by: int, page: Request | None = None) -> None:
        """Read it later, where it is unlike enough. page: where it was found."""
        shape, place = shape_of(request.target), request.path + b" " + _names(request)
        if self._taken[place] >= _MOST_OF_ONE:
            return
        # A form stands on a page that was counted.
        if came_by == FORM or self._taken[shape] < _MOST_ALIKE:
            if not self._combined.brings_more(request):
                return
            self._taken.update((shape, place))
            self._waiting[came_by].append(request)
        elif page is None or shape_of(page.target) != shape:
            self._put_off[shape].append(request)

    def next(self) -> Request | None:
        """The next to be read; what was put off comes when nothing else is left."""
        waiting = next(filter(None, self._waiting), None)
        if waiting is None:
            waiting = self._waiting[LINK]
            waiting.extend(self._let_in())
        return waiting.popleft() if waiting else None

    def saw(self, request: Request, forms: Iterable[Request], page: bytes = b"") -> None:
        """Remember what a page offers, its forms and calls, and how it looks but for its numbers."""
        forms = list(forms)
        numbers = set(_DIGITS.findall(request.target))
        own = any(numbers.intersection(_DIGITS.findall(each.target)) for each in forms)
        look = _look(page) if own else (request.target, request.target)
        offers = frozenset((each.method.encode(), *sorted(fields_of(each))) for each in forms)
        self._seen[shape_of(request.target)][request.target] = offers, look

    def is_exercise(self, request: Request) -> bool:
        """Whether the addresses that differ from this one in numbers alone are known to be exercises."""
        return _are_exercises(list(self._seen.get(shape_of(request.target), {}).values()))

    def _let_in(self) -> list[Request]:
        """What was put off and is worth reading after all, in turns, so that an end that comes early takes from each kind."""
        kinds: list[list[Request]] = []
        for shape in list(self._put_off):
            seen = list(self._seen[shape].values())
            if _are_exercises(seen):
                kinds.append(self._put_off.pop(shape))
            elif len({offers for offers, _ in seen}) > 1 or (
                _PROGRAM.search(shape) and any(offers for offers, _ in seen)
            ):
                kinds.append(self._put_off.pop(shape)[:_MOST_OF_ONE])
        turns = [each for each in chain.from_iterable(zip_longest(*kinds)) if each is not None]
        let_in = turns[: self._most_exercises - self.exercises]
        self.exercises += len(let_in)
        return let_in


def _look(page: bytes) -> Look:
    same = _NUMBERED.sub(b"0", page)
    bare, whole = (blake2b(each, digest_size=16).digest() for each in (_HELD.sub(b"", same), same))
    return bare, whole


def _are_exercises(seen: list[tuple[Offers, Look]]) -> bool:
    """By the first few, three of which offer something else, or those that offer the same differ in nothing but numbers and, some of
    them, in what their fields hold.
    """
    looks: defaultdict[Offers, list[Look]] = defaultdict(list)
    for offers, look in seen[:_MOST_ALIKE]:
        if offers:
            looks[offers].append(look)
    if len(looks) >= _MOST_ALIKE - 1:
        return True
    repeated = [each for each in looks.values() if len(each) > 1]
    return bool(repeated) and all(len(dict(each)) == 1 and len(set(each)) < len(each) for each in repeated)


def shape_of(target: bytes) -> bytes:
    """The same for addresses that differ in numbers alone."""
    return _DIGITS.sub(b"0", target)


def fields_of(form: Request) -> list[bytes]:
    """The names of what a form or a call sends, in its query or its body."""
    if is_safe(form):
        return [each.partition(b"=")[0] for each in (form.query or b"").split(b"&")]
    kind = form.first(b"Content-Type") or b""
    if b"json" in kind:
        return re.findall(rb'"([^"]*)":', form.body)
    return re.findall(rb'name="([^"]*)"' if b"multipart" in kind else rb"(?:^|&)([^=&]+)", form.body)


def _names(request: Request) -> bytes:
    return b"&".join(sorted(pair.partition(b"=")[0] for pair in (request.query or b"").split(b"&")))
