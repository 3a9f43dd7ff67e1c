"""One's own account, asked for by its number where the application has a word of its own for accounts: `/singers/7`.

A list of others teaches what may stand there, and whoever is signed in is often not in it. What a stranger is, is then asked for as
another user, of which nothing says whose it is. So a thing of one segment, or the only one that a call names which reads
(`singer(id: 7)`), is asked for once by the number of the account that the scan made: where the answer calls it by the account's name or
address, accounts are what is there.
"""

import re
from collections.abc import Awaitable, Callable, Iterable

import msgspec

from gatecrash.core.message import Response
from gatecrash.core.point import Point
from gatecrash.core.points.rewrite import rewrite
from gatecrash.core.points.walk import read
from gatecrash.core.testing.effects.methods import is_safe
from gatecrash.formats.draft import Draft
from gatecrash.node.scan.accounts.oneself import names
from gatecrash.node.scan.drafts.answered import is_good
from gatecrash.node.scan.drafts.asked_for import is_a_question
from gatecrash.node.scan.drafts.known_values import segments

Send = Callable[[Draft], Awaitable[Draft | None]]

_OF_AN_ACCOUNT = ("user", "mail")


async def as_own_account(draft: Draft, number: str, variables: Iterable[tuple[str, str]], send: Send) -> Draft:
    """The draft about its sender's account, where that is what is asked for under another word; else itself."""
    own = by_own_number(draft, number) if is_good(draft.response) else None
    answered = await send(own) if own is not None else None
    its_own = answered is not None and is_good(answered.response) and is_oneself(answered, variables)
    return answered if answered is not None and its_own else draft


def by_own_number(draft: Draft, number: str) -> Draft | None:
    """The draft with the number where it names what it asks for; None where that is no hole, the number is there, or is of
    another kind.
    """
    place = _place_of_one(draft)
    if not number or place is None:
        return None
    there = (read(draft.request, place) or b"").decode("latin-1")
    if there == number or _kind(there) != _kind(number):
        return None
    asked: Draft = msgspec.structs.replace(draft, request=rewrite(draft.request, place, number.encode()), spare=None)
    return asked


def _place_of_one(draft: Draft) -> Point | None:
    """The hole at the end of the path of what reads; of what calls a function the only one."""
    named = [hole.point for hole in draft.holes if not hole.loose]
    if is_a_question(draft.request):
        return named[0] if len(named) == 1 else None
    end = Point(("path", str(len(segments(draft.request)) - 1)))
    return end if is_safe(draft.request) and end in named else None


def is_oneself(answered: Draft, variables: Iterable[tuple[str, str]]) -> bool:
    """Whether its answer calls what is there as the account is called. variables: the account's."""
    called = [value for name, value in variables if name in _OF_AN_ACCOUNT and value]
    return isinstance(answered.response, Response) and names(answered.response, called)


def _kind(value: str) -> str:
    """The value with all its digits and letters alike, as numbers and UUIDs (RFC 9562) differ in these alone."""
    return "0" if value.isdigit() else re.sub(r"[0-9a-f]", "f", value.lower())
