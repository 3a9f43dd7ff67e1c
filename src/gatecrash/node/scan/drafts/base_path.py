"""Where a description's operations are: below the base path that it names, or, where nothing is there, below another one.

Published descriptions name the address of a gateway (`servers: https://api.example.com/v1`) or none at all, and the
application at hand serves the same operations elsewhere. Only where all operations that are asked for are absent below
the named base, others are
tried: its parts, none, and the usual ones. An operation must be there where a made-up one beside it is not, or where the
application asks everybody to sign in first.
"""

import secrets
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from urllib.parse import unquote

import msgspec

from gatecrash.core.message import Request, Response
from gatecrash.core.point import Point
from gatecrash.core.statuses import NOT_FOUND
from gatecrash.core.testing.authorization.callers.password_changes import sets_password
from gatecrash.core.testing.effects.destruction import destroys, names_a_change
from gatecrash.core.testing.effects.methods import is_safe
from gatecrash.core.testing.fresh_letters import fresh_letters
from gatecrash.core.testing.probe import Answer
from gatecrash.formats.draft import Draft, Hole

MOST_ASKED = 4
MOST_WORDS = 3
_USUAL = (("api",), ("v1",), ("api", "v1"), ("rest",))
_THERE = frozenset({200, 201, 202, 204, 400, 401, 403, 405, 406, 415, 422})
_GUARDED = frozenset({401})

Path = tuple[str, ...]
Send = Callable[[Request], Awaitable[Answer]]


class Moved(msgspec.Struct, frozen=True):
    """From the base path that a description names to the one that its operations have."""

    named: Path
    found: Path

    def draft(self, draft: Draft) -> Draft:
        """The draft below the base that was found."""
        shift = len(self.found) - len(self.named)
        holes = tuple(
            Hole(one.name, Point(("path", str(int(one.point[1]) + shift))), one.given, one.loose)
            if one.point[0] == "path"
            else one
            for one in draft.holes
        )
        spare = None if draft.spare is None else self.request(draft.spare)
        changed: Draft = msgspec.structs.replace(draft, request=self.request(draft.request), spare=spare, holes=holes)
        return changed

    def request(self, request: Request) -> Request:
        """The request below the base that was found."""
        path, mark, query = request.target.partition(b"?")
        behind = path.split(b"/")[1 + len(self.named) :]
        target = b"/" + b"/".join([*(word.encode() for word in self.found), *behind]) + mark + query
        changed: Request = msgspec.structs.replace(request, target=target)
        return changed

    def told(self) -> str:
        """What became of it, for people."""
        named, found = ("/" + "/".join(words) for words in (self.named, self.found))
        return f"Nothing is at the base path of the description, {named}: its requests go to {found} instead"


async def moved(drafts: Sequence[Draft], send: Send) -> Moved | None:
    """Where the operations are instead; None where they are where the description says, or nowhere that is tried. drafts: of one
    description, aimed at where they will be sent.
    """
    named = base_of(drafts)
    asked = _to_ask(drafts, len(named))
    if not asked or len({one.request.origin for one in drafts}) != 1 or not await _all_absent(asked, send):
        return None
    for found in _others(named):
        if await _is_there(Moved(named, found), asked, send):
            return Moved(named, found)
    return None


def base_of(drafts: Iterable[Draft]) -> Path:
    """The words that all paths begin with, and that no parameter stands in; each path has more behind them."""
    shared: Path | None = None
    for draft in drafts:
        path = _words(draft.request)[:-1]
        holes = [int(hole.point[1]) for hole in draft.holes if hole.point[0] == "path"]
        path = path[: min([MOST_WORDS, *holes])]
        if shared is None:
            shared = path
        alike = [one == other for one, other in zip(shared, path, strict=False)]
        shared = shared[: alike.index(False) if False in alike else len(alike)]
    return shared or ()


def _others(named: Path) -> Iterator[Path]:
    """The bases that are tried: what is left of the named one from its beginning or to its end, none, and the usual ones."""
    parts = [named[start:] for start in range(1, len(named))] + [named[:end] for end in range(len(named) - 1, 0, -1)]
    yield from dict.fromkeys(one for one in (*parts, (), *_USUAL) if one != named)


def _to_ask(drafts: Iterable[Draft], words: int) -> list[Request]:
    """Requests that only read, and whose paths name nothing that may be absent; each path once. words: of the base,
    whose own page says nothing of operations.
    """
    plain = [
        one.spare or one.request
        for one in drafts
        if is_safe(one.request)
        and not one.kept
        and not (destroys(one.request) or names_a_change(one.request) or sets_password(one.request))
        and any(_words(one.request)[words:])
        and not any(hole.point[0] == "path" for hole in one.holes)
    ]
    return list({one.path: one for one in plain}.values())[:MOST_ASKED]


def _words(request: Request) -> Path:
    """The words of a path; of one that ends with a slash the last is empty."""
    return tuple(unquote(word) for word in request.path.decode("latin-1")[1:].split("/"))


async def _all_absent(asked: Iterable[Request], send: Send) -> bool:
    for request in asked:
        if await _status(request, send) != NOT_FOUND:
            return False
    return True


async def _is_there(way: Moved, asked: Iterable[Request], send: Send) -> bool:
    """Whether one of them is there, and what nobody made is not answered so, too, unless all that is there wants a caller who is
    signed in.
    """
    for request in asked:
        aimed = way.request(request)
        status = await _status(aimed, send)
        if status in _THERE:
            return await _status(_beside(aimed), send) in (NOT_FOUND, *(_GUARDED & {status}))
    return False


async def _status(request: Request, send: Send) -> int:
    """The status of the answer; 0 where there is none."""
    response = (await send(request)).exchange.response
    return response.status if isinstance(response, Response) else 0


def _beside(request: Request) -> Request:
    path, mark, query = request.target.partition(b"?")
    name = fresh_letters(secrets.SystemRandom(), 12).encode()
    changed: Request = msgspec.structs.replace(request, target=path.rpartition(b"/")[0] + b"/" + name + mark + query)
    return changed
