"""What was found out about an answer is remembered: a target answers most payloads with the same few pages.

Two answers are alike where status, body and the headers that oracles read are. Bounded twice, by the number of answers and
by their length: a page of a megabyte is seldom sent again byte by byte. Few of the long ones are remembered, which is enough
for the baseline's, that each answer is held against.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final, TypeVar

from gatecrash.core.message import Headers, Response

LONGEST: Final = 256 * 1024
LONG: Final = 16 * 1024
ENTRIES: Final = 128
LONG_ENTRIES: Final = 16
# What comes out of a compressed body may be a hundred times as long as what is compared: fewer are remembered.
CODED_ENTRIES: Final = 16
LOOKED: Final = 128

COOKIE: Final = b"set-cookie"
_CODING: Final = b"content-encoding"
TELLING: Final = frozenset(
    {b"content-type", _CODING, b"content-disposition", b"location", b"www-authenticate", COOKIE}
    | {b"grpc-status", b"grpc-message"}
)
"""The headers by which one answer may be found otherwise than another, in lower case."""

Found = TypeVar("Found")
_MOST_SPELLINGS: Final = 4096
_UNKNOWN: Final = object()


class _Alike:
    """All answers that are alike. answer: one of them, without the headers that do not tell. found: by what found it."""

    __slots__ = ("answer", "found")

    def __init__(self, answer: Response) -> None:
        self.answer = answer
        self.found: dict[Callable[[Response], Any], Any] = {}


def remembered(find: Callable[[Response], Found]) -> Callable[[Response], Found]:
    """A pure function of an answer, called once for all answers that are alike.

    It is given the answer without the headers that are not in TELLING, and of cookies the names alone, so that it cannot
    tell apart what is taken for alike.
    """

    def recall(response: Response) -> Found:
        looked = _looked.get(id(response))
        alike = looked[1] if looked is not None and looked[0] is response else _of(response)
        found: Found = alike.found.get(find, _UNKNOWN)
        if found is _UNKNOWN:
            found = alike.found[find] = find(alike.answer)
        return found

    return recall


def _of(response: Response) -> _Alike:
    telling: list[tuple[bytes, bytes]] = []
    known = _known
    for name, value in response.headers:
        kind = _kinds.get(name)
        if kind is None:
            kind = _kind_of(name)
        if kind:
            telling.append((kind, value.partition(b"=")[0] if kind is COOKIE else value))
            if kind is _CODING:
                known = _known_coded
    body = response.body
    told = response.status, tuple(telling), body
    if len(body) <= LONG:
        alike = known(*told)
    else:
        alike = _known_long(*told) if len(body) <= LONGEST and known is _known else _noted(*told)
    if len(_looked) >= LOOKED or len(body) > LONG:
        _looked.clear()
    _looked[id(response)] = (response, alike)
    # What looks may ask others, of the answer that it was given.
    _looked[id(alike.answer)] = (alike.answer, alike)
    return alike


def _noted(status: int, headers: Headers, body: bytes) -> _Alike:
    return _Alike(Response(status, headers, body))


_known = lru_cache(ENTRIES)(_noted)
_known_long = lru_cache(LONG_ENTRIES)(_noted)
_known_coded = lru_cache(CODED_ENTRIES)(_noted)
# One answer is looked at from several sides before others come, and the baseline's again and again. Each is held, so that
# no other has its identity; a long one alone, and until the next long one.
_looked: dict[int, tuple[Response, _Alike]] = {}
# What a spelling of a header's name stands for: one of TELLING, or nothing.
_kinds: dict[bytes, bytes] = {}
_telling = {name: name for name in TELLING}


def _kind_of(name: bytes) -> bytes:
    kind = _telling.get(name.lower(), b"")
    if len(_kinds) < _MOST_SPELLINGS:
        _kinds[name] = kind
    return kind
