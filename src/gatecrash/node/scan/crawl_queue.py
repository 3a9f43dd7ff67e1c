"""Which addresses of a site are read, and in which order: those with input first, guesses last, and all with an end.

queue = Queue()
queue.put(request, FORM)            to be read
queue.next()                        the next one; None at the end
queue.saw(request, {("GET", "q")})  what the page that was read there offers to be filled in

Of addresses that differ in numbers alone a few are read, so that a calendar has an end. The others that a page of another
kind lists are read last, where those few offer different things: numbered exercises do, a shop's articles do not.
"""

import re
from collections import Counter, defaultdict, deque
from collections.abc import Iterable

from gatecrash.core.message import Request

FORM, LINK, GUESS = 0, 1, 2
"""How an address was come by: a form filled in, a link, a text that looks like an address."""
_MOST_ALIKE, _MOST_OF_ONE = 4, 60


class Queue:
    """What is still to be read."""

    def __init__(self) -> None:
        self._waiting: tuple[deque[Request], ...] = (deque(), deque(), deque())
        self._taken: Counter[bytes] = Counter()
        self._put_off: defaultdict[bytes, list[Request]] = defaultdict(list)
        self._offers: defaultdict[bytes, set[frozenset[tuple[str, ...]]]] = defaultdict(set)

    def put(self, request: Request, came_by: int, page: Request | None = None) -> None:
        """Read it later, where it is unlike enough. page: where it was found."""
        shape, place = shape_of(request.target), request.path + b" " + _names(request)
        if self._taken[place] >= _MOST_OF_ONE:
            return
        # A form stands on a page that was counted.
        if came_by == FORM or self._taken[shape] < _MOST_ALIKE:
            self._taken.update((shape, place))
            self._waiting[came_by].append(request)
        elif page is None or shape_of(page.target) != shape:
            self._put_off[shape].append(request)

    def next(self) -> Request | None:
        """The next to be read; what was put off comes when nothing else is left."""
        waiting = next(filter(None, self._waiting), None)
        if waiting is None:
            waiting = self._waiting[LINK]
            for shape in [each for each in self._put_off if len(self._offers[each]) > 1]:
                waiting.extend(self._put_off.pop(shape)[:_MOST_OF_ONE])
        return waiting.popleft() if waiting else None

    def saw(self, request: Request, offers: Iterable[tuple[str, ...]]) -> None:
        """Remember what a page offers: method and names of each of its forms and calls."""
        self._offers[shape_of(request.target)].add(frozenset(offers))


def shape_of(target: bytes) -> bytes:
    """The same for addresses that differ in numbers alone."""
    return re.sub(rb"\d+", b"0", target)


def _names(request: Request) -> bytes:
    return b"&".join(sorted(pair.partition(b"=")[0] for pair in (request.query or b"").split(b"&")))
