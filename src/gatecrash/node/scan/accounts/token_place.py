"""Where an application takes the token that its login gave, where no description says so.

It is asked what it refuses without: with the token in Authorization behind each word in use, then in headers. Of those come
first the ones that the login's answer or the refusal names (`{"header": "X-Session-Token"}`), then the usual ones. They are
sent together once before each is sent alone, so that an application that takes none of them is asked no more.
"""

import re
from collections.abc import Awaitable, Callable, Iterable, Iterator
from typing import Final

import msgspec

from gatecrash.core.message import Request, Response
from gatecrash.core.notation import upper
from gatecrash.core.point import Point
from gatecrash.core.statuses import FIRST_ERROR
from gatecrash.core.testing.oracles.body import text_of
from gatecrash.core.testing.oracles.outcomes.told_errors import gives_nothing, tells_errors
from gatecrash.core.testing.probe import Answer
from gatecrash.core.testing.profiles.dressing import put_all
from gatecrash.core.testing.profiles.template import fill
from gatecrash.core.testing.profiles.token_places import is_called_one

AUTHORIZATION: Final = Point(("header", "AUTHORIZATION"))
_REFUSALS = (401, 403)
# What applications take before a token where nobody says what; the last is none.
_WORDS: Final = ("Bearer ", "Token ", "JWT ", "")
_USUAL: Final = (
    "X-AUTH-TOKEN", "X-ACCESS-TOKEN", "X-API-KEY", "X-API-TOKEN", "X-SESSION-TOKEN", "X-SESSION-ID", "X-USER-TOKEN", "X-TOKEN",
    "ACCESS-TOKEN", "AUTH-TOKEN", "SESSION-TOKEN", "TOKEN",
)  # fmt: skip
_HEADER: Final = re.compile(r"(?<![\w-])[A-Za-z]{1,20}(?:-[A-Za-z]{2,20}){1,3}(?![\w-])")
_MOST_NAMED = 4
_LONGEST = 4000
# One may refuse this account alone; where two take the token nowhere, no third will.
_MOST_ASKED, _MOST_REFUSED = 5, 2

Send = Callable[[Request], Awaitable[Answer]]
Placing = tuple[Point, str]


class TokenPlace(msgspec.Struct, frozen=True, kw_only=True):
    """Where the token goes, and the word before it. sure: an answer that was refused without it was given with it."""

    point: Point = AUTHORIZATION
    word: str = "Bearer "
    sure: bool = False


async def place_of(token: str, login: Response, guarded: Iterable[Request], send: Send) -> tuple[TokenPlace, bool]:
    """The place of a token, and whether anything was refused without one. guarded: what may want it and only reads."""
    refused = 0
    for request, _ in zip(guarded, range(_MOST_ASKED), strict=False):
        bare = (await send(request)).exchange.response
        if bare is None or not _wants_a_token(bare):
            continue
        found = await _taken(request, token, _named(login, bare), send)
        if found is not None:
            return TokenPlace(point=found[0], word=found[1], sure=True), True
        refused += 1
        if refused == _MOST_REFUSED:
            break
    return TokenPlace(), bool(refused)


async def _taken(request: Request, token: str, named: Iterable[str], send: Send) -> Placing | None:
    async def lets_in(*ways: Placing) -> bool:
        values = {point: fill(f"{word}${{token}}", {"token": token}).encode() for point, word in ways}
        answer = (await send(put_all(request, values))).exchange.response
        return answer is not None and not _wants_a_token(answer)

    for word in _WORDS:
        if await lets_in((AUTHORIZATION, word)):
            return AUTHORIZATION, word
    headers = [(Point(("header", name)), "") for name in dict.fromkeys((*named, *_USUAL))]
    if not await lets_in(*headers):
        return None
    for way in headers:
        if await lets_in(way):
            return way
    return None


def _named(*answers: Response) -> Iterator[str]:
    """Headers that let somebody in by their name, as answers write them."""
    found = (name for answer in answers for name in _HEADER.findall(text_of(answer)[:_LONGEST]) if is_called_one(name))
    return (upper(name) for name, _ in zip(dict.fromkeys(found), range(_MOST_NAMED), strict=False))


def _wants_a_token(response: Response) -> bool:
    """Whether an answer asks for another caller: by its status, or as GraphQL does under a good one, in words or with nothing."""
    return response.status in _REFUSALS or (
        response.status < FIRST_ERROR and (tells_errors(text_of(response)) or gives_nothing(text_of(response)))
    )
