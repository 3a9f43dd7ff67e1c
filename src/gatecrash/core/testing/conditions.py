"""Conditions on an answer, as people write them: status, length, time, their differences to the baseline, structure, text.

A condition holds where all that it names holds; a list of conditions where one of them does.
"""

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache

import msgspec

from gatecrash.core.errors import InvalidPattern
from gatecrash.core.message import Exchange, Response
from gatecrash.core.patterns import compile_pattern
from gatecrash.core.testing.oracles.body import text_of
from gatecrash.core.testing.oracles.difference import Fact, read

_STATUS = re.compile(r"[1-5]\d\d|[1-5]xx|[1-5]\d\d-[1-5]\d\d")
# Expressions may take polynomial time, so they look at pieces of this size, each overlapping half of the next.
_PIECE = 200
_LONGEST = 100_000


class Bounds(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A range, both ends included; one of them may be left out."""

    at_least: float | None = None
    at_most: float | None = None

    def hold(self, value: float) -> bool:
        """Whether a value is within."""
        return (self.at_least is None or value >= self.at_least) and (self.at_most is None or value <= self.at_most)


class Condition(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What an answer must be like; what is not named does not matter.

    status: any of `500`, `5xx`, `500-599`. status_difference: whether the status is another than the baseline's.
    length: of the body in bytes; length_difference: from the baseline's, either way. time: seconds until the answer was
    whole; time_difference: more than the baseline took. dom_difference: the share, 0 to 1, of what baseline and answer say
    (elements of a page, values of a JSON document, lines of a text) that only one of them says. body: a regular
    expression that is found in the text.
    """

    status: tuple[str, ...] = ()
    status_difference: bool | None = None
    length: Bounds | None = None
    length_difference: Bounds | None = None
    time: Bounds | None = None
    time_difference: Bounds | None = None
    dom_difference: Bounds | None = None
    body: str | None = None


class Measured(msgspec.Struct, frozen=True, kw_only=True):
    """What conditions look at, each side where one asks for it. elapsed: seconds, None where nobody measured.

    echoes: what was sent and may be shown, with what to read in its place.
    """

    response: Response
    elapsed: float | None
    echoes: Mapping[str, str] | None

    @property
    def facts(self) -> frozenset[Fact]:
        """What the answer says."""
        return read(self.response, self.echoes).facts

    @property
    def text(self) -> str:
        """The answer's text."""
        return text_of(self.response)


def measured(exchange: Exchange, echoes: Mapping[str, str] | None = None) -> Measured:
    """An answered exchange, measured."""
    assert exchange.response is not None
    return Measured(response=exchange.response, elapsed=exchange.elapsed, echoes=echoes)


def check(condition: Condition) -> None:
    """Raise InvalidPattern where the condition cannot be judged: a status that is none, an expression, nothing at all."""
    for status in condition.status:
        if not _STATUS.fullmatch(status):
            raise InvalidPattern(f"{status!r} is no status; write 500, 5xx or 500-599")
    if condition.body is not None:
        compile_pattern(condition.body)
    if condition == Condition():
        raise InvalidPattern("the condition names nothing and would always hold")


def any_holds(conditions: Iterable[Condition], seen: Measured, good: Measured) -> bool:
    """Whether one of the conditions holds. good: the baseline's answer."""
    return any(holds(condition, seen, good) for condition in conditions)


def holds(condition: Condition, seen: Measured, good: Measured) -> bool:
    """Whether all that the condition names holds."""
    status, length = seen.response.status, len(seen.response.body)
    return (
        (not condition.status or any(_is_status(each, status) for each in condition.status))
        and (condition.status_difference is None or condition.status_difference == (status != good.response.status))
        and _within(condition.length, length)
        and _within(condition.length_difference, abs(length - len(good.response.body)))
        and _within(condition.time, seen.elapsed)
        and _within(condition.time_difference, _difference(seen.elapsed, good.elapsed))
        and (condition.dom_difference is None or condition.dom_difference.hold(_share(seen.facts, good.facts)))
        and (condition.body is None or found_in(condition.body, seen.text))
    )


def found_in(expression: str, text: str) -> bool:
    """Whether the expression is found in the text, in no more than half a piece from where it begins."""
    pattern = _compiled(expression)
    text = text[:_LONGEST]
    return any(pattern.search(text[at : at + _PIECE]) for at in range(0, max(1, len(text)), _PIECE // 2))


@lru_cache(256)
def _compiled(expression: str) -> re.Pattern[str]:
    return compile_pattern(expression)


def _is_status(wanted: str, status: int) -> bool:
    if wanted.endswith("xx"):
        return status // 100 == int(wanted[0])
    low, _, high = wanted.partition("-")
    return int(low) <= status <= int(high or low)


def _within(bounds: Bounds | None, value: float | None) -> bool:
    return bounds is None or (value is not None and bounds.hold(value))


def _difference(seen: float | None, good: float | None) -> float | None:
    return None if seen is None or good is None else seen - good


def _share(seen: frozenset[Fact], good: frozenset[Fact]) -> float:
    return len(seen ^ good) / len(seen | good) if seen | good else 0.0
