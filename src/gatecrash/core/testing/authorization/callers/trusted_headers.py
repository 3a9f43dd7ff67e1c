"""Headers that a guard may believe though anybody can write them: where a caller is, who he is, and what he asks for.

groups = words_for(request, frozenset({"ann"}), thorough=False)
with_words(request, groups[0])        the request with all headers of a kind
"""

from collections.abc import Iterable
from typing import NamedTuple

import msgspec

from gatecrash.core.message import Headers, Request
from gatecrash.core.testing.payloads.auth_bypass import ADDRESSES, CALLERS, INSIDE, METHODS

SPOOFED, METHOD = 290, 650
# RFC 5737: an address that is nobody's, so a guard that tells addresses apart refuses it.
_NOBODY = b"203.0.113.77"
_HERE = b"127.0.0.1"
_UNKNOWN = "admin"
_LONGEST = 100


class Word(NamedTuple):
    """A header that may open the guard, and the same with a harmless value, for the control."""

    name: bytes
    value: bytes
    harmless: bytes
    cwe: int = SPOOFED


def words_for(
    request: Request, caller: frozenset[str], *, thorough: bool, refused_all: bool = False
) -> list[list[Word]]:
    """Headers that may open a guard and change nothing else, those together that leave each other alone.

    caller: what the one is called who was let in. refused_all: whether nobody was seen let in. What is refused then may be
    to be linked from elsewhere: what one page of the application opens, and any other of it as well, is no right. A host
    or a method may lead to another place of the application, where an address would not be looked at any more.
    """
    addresses = [Word(name, _HERE, _NOBODY) for name in ADDRESSES]
    addresses.append(Word(b"Forwarded", b"for=127.0.0.1", b"for=203.0.113.77"))
    own = request.origin.encode()
    addresses.append(Word(b"Referer", own + b"/admin", own + b"/" if refused_all else b"http://nobody.example/"))
    addresses.extend(Word(name, value, b"none") for name, value in INSIDE.items())
    hosts = [Word(name, b"localhost", b"nobody.example") for name in (b"X-Forwarded-Host", b"X-Host")]
    methods = [Word(name, b"OPTIONS", b"GET", METHOD) for name in METHODS]
    present = {name.lower() for name, _ in request.headers if name.lower() != b"referer"}
    groups = [addresses, _callers(caller), *([hosts, methods] if thorough else [])]
    return [[word for word in group if word.name.lower() not in present] for group in groups]


def number_of_groups(*, thorough: bool) -> int:
    """How many groups `words_for` gives, whatever the request."""
    return 4 if thorough else 2


def _callers(caller: frozenset[str]) -> list[Word]:
    """Who is asking, as gateways tell the application behind them: by name, number or address, whichever is known."""
    known = sorted(value for value in caller if value.isascii() and value.isprintable() and 0 < len(value) < _LONGEST)
    numbers = [value for value in known if value.isdigit()]
    addresses = [value for value in known if "@" in value]
    names = [value for value in known if value not in numbers and value not in addresses]
    of_kind = {"id": (numbers, names, addresses), "email": (addresses, names), "name": (names, addresses, numbers)}
    words = []
    for header, kind in CALLERS.items():
        value = next((values[0] for values in of_kind[kind] if values), _UNKNOWN)
        words.append(Word(header, value.encode(), b""))
    return words


def with_words(request: Request, words: Iterable[Word]) -> Request:
    """The request with these headers in the place of those of the same name."""
    words = tuple(words)
    names = {word.name.lower() for word in words}
    kept: Headers = tuple(pair for pair in request.headers if pair[0].lower() not in names)
    changed: Request = msgspec.structs.replace(request, headers=(*kept, *((word.name, word.value) for word in words)))
    return changed
