"""The passes in which a scan asks all its baselines: first what costs little and tells most, of reads and of what only adds
something by turns; last what is asked of every header.

turns(baselines)          which baselines are asked when, and up to which pass
pass_of(check)            in which pass a check is made
put_off(check, up_to=…)   whether it waits for a later one
words_for(waiting)        what is told of a baseline that never came to these

Whoever ends a scan after a third of its time should have seen each kind of request, and of each what is found most. A login,
an order or a message shows as much of that as a page does, and was all asked behind the last wait of the last page.
"""

from collections.abc import Iterable, Sequence
from enum import IntEnum
from itertools import groupby
from typing import NamedTuple

from gatecrash.core.testing.authorization.objects.acts import acted_on
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.derive import Check
from gatecrash.core.testing.effects.adding import adds
from gatecrash.core.testing.effects.sign_in import signs_in
from gatecrash.core.testing.ordering import DESTRUCTIVE, in_order, rank
from gatecrash.core.testing.pacing.waiting import HEADERS_LEFT, can_wait

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

MANY_LEFT = "what takes many requests was still to be asked"
"""What is told of a baseline whose run ended before."""


class Pass(IntEnum):
    """What is asked of all baselines before anything of the next is."""

    TELLING = 0
    STATEMENTS = 1
    DEAR = 2
    HEADERS = 3


class Turn(NamedTuple):
    """Baselines that are asked at once, each up to a pass. alone: one after the other."""

    baselines: Sequence[Baseline]
    up_to: Pass
    alone: bool = False


def pass_of(check: Check) -> Pass:
    """In which pass a check is made. Tests of the user's own go first: somebody wanted them."""
    if can_wait(check):
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
    return HEADERS_LEFT if all(map(can_wait, waiting)) else MANY_LEFT


def turns(baselines: Iterable[Baseline]) -> list[Turn]:
    """All of a scan, in order. What overwrites or ends something goes behind the statements of what does not: a read may
    stand on it. But what a description says to be done to an object (`/orders/7/cancel`) goes first of what changes something:
    it is done to new ones, and what these cost, or how many there may be, is used up by the tests of what makes them. Logins
    go alone, and before headers; whatever else can destroy what the tests stand on goes last.
    """
    ranked = [(rank(each.request), each) for each in in_order(baselines)]
    reads = [each for order, each in ranked if not order]
    changing = [each for order, each in ranked if 0 < order < DESTRUCTIVE]
    adding = [each for each in changing if adds(each)]
    others = [each for each in changing if not adds(each)]
    acting = [each for each in others if each.exchange.drafted and acted_on(each.request)]
    destroying = [
        (order, each, order == DESTRUCTIVE and signs_in(each.request)) for order, each in ranked if order >= DESTRUCTIVE
    ]
    logins = [each for _, each, is_login in destroying if is_login]
    planned = [
        Turn(reads, Pass.TELLING),
        Turn(acting, Pass.TELLING),
        Turn(adding, Pass.TELLING),
        Turn(reads, Pass.STATEMENTS),
        Turn(adding, Pass.STATEMENTS),
        Turn(others, Pass.STATEMENTS),
        Turn(reads, Pass.DEAR),
        Turn(changing, Pass.DEAR),
        Turn(logins, Pass.HEADERS, alone=True),
        Turn(reads, Pass.HEADERS),
        Turn(changing, Pass.HEADERS),
    ]
    for _, stage in groupby((one for one in destroying if not one[2]), key=lambda one: one[0]):
        planned.append(Turn([each for _, each, _ in stage], Pass.HEADERS, alone=True))
    return [turn for turn in planned if turn.baselines]
