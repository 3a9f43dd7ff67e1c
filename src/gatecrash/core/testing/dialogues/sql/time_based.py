"""Waits inside a statement: which engines' are worth asking for at a value, and whether one of them waits."""

from collections.abc import Generator
from typing import NamedTuple

from gatecrash.core.message import Request
from gatecrash.core.testing.dialogues.inquiry import Inquiry
from gatecrash.core.testing.dialogues.time_based import Waited, waits
from gatecrash.core.testing.effects.methods import is_safe
from gatecrash.core.testing.payloads.sqli import is_list, joins_with_care, names_a_column
from gatecrash.core.testing.payloads.sqli_waits import WAITS, WAITS_OF_JAVA, WAITS_WHERE_NAMED, Wait, fill_wait
from gatecrash.core.testing.places.plain_values import is_number
from gatecrash.core.testing.policy import is_thorough
from gatecrash.core.testing.probe import Answer, Situation, TestRequest


class WaitedIn(NamedTuple):
    """A statement that waits, and the engine whose words it waits for."""

    engine: str
    waited: Waited


def likely_waits(
    request: Request, value: str, named: frozenset[str] = frozenset(), *, thorough: bool = False
) -> tuple[Wait, ...]:
    """The waits worth trying: all but those of one engine only, unless answers named one; none for true and false.

    thorough: those of seldom engines as well.
    """
    if value.lower() in ("true", "false", "null"):
        return ()
    known = [wait for wait in (*WAITS, *WAITS_OF_JAVA, *WAITS_WHERE_NAMED) if wait.engine in named]
    likely = known or [*WAITS, *(WAITS_OF_JAVA if thorough else ())]
    may_join = is_safe(request) or is_number(value) or is_list(value) or joins_with_care(value)
    return tuple(wait for wait in likely if may_join or not wait.joins)


def _may_stand_bare(situation: Situation) -> bool:
    """Whether the value may stand in a statement without quotes, as a number does, and a column's name."""
    value = situation.value.decode("utf-8", "surrogateescape")
    return is_number(value) or names_a_column(value, situation.point[-1])


def waits_in_sql(inquiry: Inquiry, named: frozenset[str]) -> Generator[TestRequest, Answer, WaitedIn | None]:
    """Ask for each engine's wait in turn. named: engines that answers told."""
    thorough = is_thorough(inquiry.situation.policy)
    bare = _may_stand_bare(inquiry.situation)
    for wait in likely_waits(inquiry.situation.baseline.request, inquiry.value, named, thorough=thorough):

        def waiting(units: int, decoy: bool, wait: Wait = wait) -> str:
            return fill_wait(wait, inquiry.value, units, inquiry.mark(), number=bare, decoy=decoy)

        waited = yield from waits(inquiry, waiting, wait.seconds)
        if waited is not None:
            return WaitedIn(wait.engine, waited)
    return None
