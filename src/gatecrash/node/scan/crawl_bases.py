"""Where the calls of scripts come to nothing, and below which base of theirs they come to something.

bases = Bases()
bases.declared(["/api"])                what scripts call a base
bases.instead_of(request)               a call's target below each base that may be the one, once it came to nothing
bases.came_to_something(request)        an answer from below a base: from then on that one alone is asked
bases.stands(request)                   answered well as a script names it: what begins as it does is moved below no base
bases.meant(request)                    the request below the base that is known to be the one; itself where none is

A client that was made with a base sends `users` or `/users` to a place below it, and its calls stand in other files
than the base. An application in the browser is answered with its own page wherever nothing is.
"""

from collections.abc import Iterable, Iterator

import msgspec

from gatecrash.core.message import Request

# Where most applications have what their own pages ask for, if none of their scripts says where.
_USUAL = b"/api"
_MOST = 4


class Bases:
    """The bases of one site."""

    def __init__(self) -> None:
        self._declared: dict[bytes, None] = {}
        self._below: dict[bytes, bytes] = {}
        self._proven: bytes | None = None
        self._stand: set[bytes] = set()

    def declared(self, paths: Iterable[str]) -> None:
        """Take up what scripts say, a bounded number."""
        for path in paths:
            if len(self._declared) < _MOST:
                self._declared.setdefault(path.encode())

    def instead_of(self, request: Request) -> Iterator[Request]:
        """Where else this may be meant to go, until one came to something; nothing for what was such a try itself."""
        if request.target in self._below:
            return
        known = self._proven
        for base in [known] if known is not None else dict.fromkeys((*self._declared, _USUAL)):
            if self._proven not in (None, base):
                return
            if not _stands_below(request, base):
                tried = _below(base, request)
                self._below[tried.target] = base
                yield tried

    def came_to_something(self, request: Request) -> None:
        """The first base that holds is the one."""
        if self._proven is None:
            self._proven = self._below.get(request.target)

    def stands(self, request: Request) -> None:
        """An application has more than one beginning (`/rest` beside `/api`)."""
        if request.target not in self._below:
            self._stand.add(_beginning(request.path))

    def meant(self, request: Request) -> Request:
        """Where a call goes that is not sent to see what is there."""
        if self._proven is None or _stands_below(request, self._proven) or _beginning(request.path) in self._stand:
            return request
        return _below(self._proven, request)


def _stands_below(request: Request, base: bytes) -> bool:
    """Whether an address is a whole one already: it begins as the base does (`/api/tools` beside `/api/v2`)."""
    return _beginning(request.path) == _beginning(base)


def _beginning(path: bytes) -> bytes:
    return path.split(b"/")[1]


def _below(base: bytes, request: Request) -> Request:
    return msgspec.structs.replace(request, target=base + request.target)
