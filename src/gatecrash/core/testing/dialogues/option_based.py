"""Proof by options: a program tells its version where it is asked for it, or complains of an option that nobody defined; git
writes as it is told.

For values that become an argument of a program with no shell between, or in quotes that no shell leaves. A sound application
hands them over behind `--`, or never says what a program says.

A sound point costs one request here for each pattern, and one where it is named for what git knows a state by.
"""

from collections.abc import Callable, Generator
from functools import partial
from itertools import cycle
from typing import NamedTuple

from gatecrash.core.testing.dialogues.inquiry import Asking, Inquiry, Reply
from gatecrash.core.testing.dialogues.repeating import shown_by_it_alone
from gatecrash.core.testing.payloads.rce_options import (
    ALONE,
    BEHIND,
    FORMAT,
    NO_FORMATS,
    NO_VERSIONS,
    NONE,
    PATTERNS,
    UNKNOWN,
    VERSION,
    complains_of,
    is_formatted,
    names_a_revision,
    tells_version,
)
from gatecrash.core.testing.probe import Answer, Situation, TestRequest
from gatecrash.core.testing.verdict import Proof


class _Options(NamedTuple):
    """What is an option, what is none, and how programs answer the one."""

    taken: str
    none: tuple[str, ...]
    said: str


_VERSIONS = _Options(VERSION, NO_VERSIONS, "what a program says of its version")
_UNKNOWNS = _Options(UNKNOWN, NONE, "a program's complaint that it knows no such option")
_FORMATS = _Options(FORMAT, NO_FORMATS, "what git writes in this format, whose sign it computes")


class Option(NamedTuple):
    """The last answer to an option, and to what only looks like one. said: what it was answered with, for people."""

    taken: Reply
    plain: Reply
    said: str

    def told(self) -> Proof:
        """The proof in words."""
        return Proof(
            test=self.taken.exchange,
            control=self.plain.exchange,
            verified_by=(
                f"{self.taken.payload!r} is answered with {self.said}: a program reads the value as an option. "
                f"{self.plain.payload!r}, which is none, is not. Repeated in random order, with fresh letters."
            ),
        )


def takes_options(inquiry: Inquiry) -> Generator[TestRequest, Answer, Option | None]:
    """Whether the value is read as an option that may do something, alone, or as any option, behind a blank.

    A value that becomes several arguments is not handed over with care, whichever program gets it.
    """
    for pattern in PATTERNS:
        first = yield from _send(inquiry, pattern, VERSION, "test")
        if first is None:
            continue
        tells = partial(_tells, any_program=pattern == BEHIND)
        complains = partial(_complains, any_program=pattern == BEHIND)
        found: Option | None = None
        if tells(first) and not tells_version(inquiry.good_text, any_program=True):
            found = yield from _proven(inquiry, pattern, _VERSIONS, tells)
        elif complains(first):
            found = yield from _proven(inquiry, pattern, _UNKNOWNS, complains)
        if found is not None:
            return found
    return (yield from _writes_as_told(inquiry)) if _may_be_a_revision(inquiry.situation) else None


def forecast_of_options(situation: Situation) -> int:
    """Requests for a sound point."""
    return len(PATTERNS) + _may_be_a_revision(situation)


def _may_be_a_revision(situation: Situation) -> bool:
    return situation.point[0] != "path" and names_a_revision(situation.point[-1])


def _writes_as_told(inquiry: Inquiry) -> Generator[TestRequest, Answer, Option | None]:
    """Whether git writes what it finds in a format that the value gives it; it says nothing of versions behind a command of its."""

    def formatted(reply: Reply) -> bool:
        return is_formatted(reply.payload, reply.text)

    first = yield from _send(inquiry, ALONE, FORMAT, "test")
    if first is None or not formatted(first):
        return None
    return (yield from _proven(inquiry, ALONE, _FORMATS, formatted))


def _proven(
    inquiry: Inquiry, pattern: str, options: _Options, shown: Callable[[Reply], bool]
) -> Generator[TestRequest, Answer, Option | None]:
    lookalikes = cycle(options.none)

    def option() -> Asking:
        return (yield from _send(inquiry, pattern, options.taken, "confirm"))

    def none() -> Asking:
        return (yield from _send(inquiry, pattern, next(lookalikes), "control"))

    apart = yield from shown_by_it_alone(inquiry, option, none, shown)
    return apart and Option(apart.shown, apart.control, options.said)


def _send(inquiry: Inquiry, pattern: str, option: str, purpose: str) -> Asking:
    payload = pattern.format(value=inquiry.value, option=option.replace("{mark}", inquiry.mark(7)))
    return (yield from inquiry.send(payload, purpose=purpose))


def _tells(reply: Reply, *, any_program: bool) -> bool:
    return tells_version(reply.text, any_program=any_program)


def _complains(reply: Reply, *, any_program: bool) -> bool:
    """Whether a program complains of the option that was sent, by its name."""
    return complains_of(reply.text, reply.payload.rpartition(" ")[2].strip("=-"), any_program=any_program)
