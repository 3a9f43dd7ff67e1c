"""The passes in which a scan, and a run of the service, asks all its baselines: first what costs little and tells most, of
reads and of what only adds something by turns; last what is asked of every header.

turns(baselines)          which baselines a scan asks when, and up to which pass
sort_of(baseline, rank)   how a baseline goes through the turns
turn_of(sort, made)       which turn is its next, so many passes being made of it
up_to(turn)               up to which pass a turn goes
pass_of(check)            in which pass a check is made
put_off(check, up_to=…)   whether it waits for a later one
words_for(waiting)        what is told of a baseline that never came to these
words_behind(made)        the same where so many passes were made

Whoever ends a scan after a third of its time should have seen each kind of request, and of each what is found most. A login,
an order or a message shows as much of that as a page does, and was all asked behind the last wait of the last page.
"""

from collections.abc import Iterable, Sequence
from enum import IntEnum
from typing import NamedTuple

from gatecrash.core.testing.authorization.objects.acts import acted_on
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.derive import Check
from gatecrash.core.testing.effects.adding import adds
from gatecrash.core.testing.effects.sign_in import signs_in
from gatecrash.core.testing.ordering import DESTRUCTIVE, in_order, rank_of
from gatecrash.core.testing.pacing.waiting import HEADERS_LEFT

# One or two requests at a sound point: what is sent is shown, is gone to, or is let in.
_AT_ONCE = frozenset(
    {
        "auth",
        "idor",
        "xss",
        "ssrf",
        "redir",
        "xxe",
        "csrf",
        "cors",
        "mass_assignment",
        "deserialization",
        "info",
        "crlf",
    }
    | {"graphql"}
)
# A dozen, and more found by them than by all that is as dear.
_SOON = frozenset({"sqli"})

MOST_WAITING = 1000
"""So many baselines may wait for the rest of their checks, which are kept in memory."""

MANY_LEFT = "still to be asked: what takes many requests"
"""What is told of a baseline of which more is left, also where its run ended before."""


class Pass(IntEnum):
    """What is asked of all baselines before anything of the next is."""

    TELLING = 0
    STATEMENTS = 1
    DEAR = 2
    HEADERS = 3


class Sort(IntEnum):
    """How a baseline goes through the turns. The number is its first turn's."""

    READ = 0
    ACTING = 1
    ADDING = 2
    OTHER = 5
    LOGIN = 8
    DESTROYING = 11
    RIGHTS = 12
    SESSION = 13


_CHANGING = (Sort.ACTING, Sort.ADDING, Sort.OTHER)
# What overwrites or ends something goes behind the statements of what does not: a read may stand on it. But what a
# description says to be done to an object (`/orders/7/cancel`) goes first of what changes something: it is done to new ones,
# and what these cost, or how many there may be, is used up by the tests of what makes them. Logins go alone, and before
# headers; whatever else can destroy what the tests stand on goes last.
_TURNS: tuple[tuple[tuple[Sort, ...], Pass], ...] = (
    ((Sort.READ,), Pass.TELLING),
    ((Sort.ACTING,), Pass.TELLING),
    ((Sort.ADDING,), Pass.TELLING),
    ((Sort.READ,), Pass.STATEMENTS),
    ((Sort.ADDING,), Pass.STATEMENTS),
    ((Sort.ACTING, Sort.OTHER), Pass.STATEMENTS),
    ((Sort.READ,), Pass.DEAR),
    (_CHANGING, Pass.DEAR),
    ((Sort.LOGIN,), Pass.HEADERS),
    ((Sort.READ,), Pass.HEADERS),
    (_CHANGING, Pass.HEADERS),
    ((Sort.DESTROYING,), Pass.HEADERS),
    ((Sort.RIGHTS,), Pass.HEADERS),
    ((Sort.SESSION,), Pass.HEADERS),
)


class Turn(NamedTuple):
    """Baselines that are asked at once, each up to a pass. alone: one after the other. reads: whether none changes anything."""

    baselines: Sequence[Baseline]
    up_to: Pass
    alone: bool = False
    reads: bool = False


def pass_of(check: Check) -> Pass:
    """In which pass a check is made. Tests of the user's own go first: somebody wanted them."""
    if check.can_wait:
        return Pass.HEADERS
    type_ = check.probe.type
    if check.probe.seldom_finds:
        return Pass.DEAR
    if type_ in _AT_ONCE or type_ not in check.planned.policy.types:
        return Pass.TELLING
    return Pass.STATEMENTS if type_ in _SOON else Pass.DEAR


def put_off(check: Check, *, up_to: Pass) -> bool:
    """Whether a check is of a later pass."""
    return pass_of(check) > up_to


def words_for(waiting: Iterable[Check]) -> str:
    """What is told of a baseline whose run ended while these of its checks waited."""
    return HEADERS_LEFT if all(check.can_wait for check in waiting) else MANY_LEFT


def words_behind(made: int) -> str:
    """The same of a baseline of which so many passes were made."""
    return HEADERS_LEFT if made >= Pass.HEADERS else MANY_LEFT


def sort_of(baseline: Baseline, order: int) -> Sort:
    """How it goes through the turns. order: its rank."""
    if order >= DESTRUCTIVE:
        is_login = order == DESTRUCTIVE and signs_in(baseline.request)
        return Sort.LOGIN if is_login else Sort(Sort.DESTROYING + order - DESTRUCTIVE)
    if not order:
        return Sort.READ
    # `/orders/return?order_id=7` says nothing of a change, and is used up by the tests of what makes orders all the same.
    if baseline.exchange.drafted and acted_on(baseline.request):
        return Sort.ACTING
    return Sort.ADDING if adds(baseline) else Sort.OTHER


def turn_of(sort: Sort, made: int) -> int:
    """The first turn of this sort that goes beyond so many passes."""
    return next(place for place, (sorts, last) in enumerate(_TURNS) if sort in sorts and last >= made)


def up_to(turn: int) -> Pass:
    """The last pass of a turn."""
    return _TURNS[turn][1]


def turns(baselines: Iterable[Baseline]) -> list[Turn]:
    """All of a scan, in order."""
    sorts = [(sort_of(each, rank_of(each)), each) for each in in_order(baselines)]
    planned = [
        Turn(
            [each for sort, each in sorts if sort in of_turn],
            last,
            alone=of_turn[0] >= Sort.LOGIN,
            reads=of_turn == (Sort.READ,),
        )
        for of_turn, last in _TURNS
    ]
    return [turn for turn in planned if turn.baselines]
