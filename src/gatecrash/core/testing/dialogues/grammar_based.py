"""Proof by grammar, for queries with an empty result: valid syntax is answered as the baseline, invalid syntax is not.

    taken = taking(inquiry, odd)
    parsed = yield from parses(inquiry, whole, broken, question, taken)

An empty result has nothing to lose, so no condition tells anything there; but only a parser of the language takes the one
and refuses the other. What else would must be thought of where the two are written: they should differ in nothing but
what the language itself makes of them.
"""

from collections.abc import Callable, Generator
from itertools import cycle
from typing import NamedTuple

from gatecrash.core.testing.dialogues.inquiry import Asking, Inquiry, Reply
from gatecrash.core.testing.dialogues.repeating import MANY, shown_by_it_alone
from gatecrash.core.testing.probe import Answer, TestRequest
from gatecrash.core.testing.verdict import Proof

# Of one pattern to an answer; `{value}` is put in by the question, with fresh marks.
Question = Callable[[str, str], Asking]
Taking = Callable[[Reply], bool]


class Parsed(NamedTuple):
    """The last answers of each kind, a broken one for each way of breaking it."""

    whole: Reply
    broken: tuple[Reply, ...]

    def told(self, language: str) -> Proof:
        """The proof in words. language: what the value is parsed as."""
        broken = " and ".join(repr(each.payload) for each in self.broken)
        return Proof(
            test=self.broken[-1].exchange,
            control=self.whole.exchange,
            verified_by=(
                f"{self.whole.payload!r} is whole in {language}, and taken as the baseline is; {broken}, which differ from "
                f"it only in what {language} cannot parse, are not. Repeated with fresh letters, in random order."
            ),
        )


def taking(inquiry: Inquiry, odd: Reply) -> Taking:
    """What tells that input was parsed: it is answered as the baseline is.

    odd: the answer to what no parser takes. Where the baseline was seen once, so that nobody knows what moves in it,
    and this is a server's error, whatever is none was taken.
    """
    if len(inquiry.basis) == 1 and odd.broke:
        return lambda reply: not reply.broke
    return inquiry.as_usual


def parses(
    inquiry: Inquiry, whole: str, broken: tuple[str, ...], question: Question, taken: Taking
) -> Generator[TestRequest, Answer, Parsed | None]:
    """Whether whole input is taken and each of the broken ones is not, in random order again and again."""
    last: dict[str, Reply] = {}

    def ask(pattern: str, purpose: str) -> Asking:
        reply = yield from question(pattern, purpose)
        if reply is not None:
            last[pattern] = reply
        return reply

    for pattern in broken:
        reply = yield from ask(pattern, "test")
        if reply is None or taken(reply):
            return None
    ways = cycle(broken)

    def sound() -> Asking:
        return (yield from ask(whole, "confirm"))

    def unsound() -> Asking:
        return (yield from ask(next(ways), "control"))

    if not (yield from shown_by_it_alone(inquiry, sound, unsound, taken, MANY)):
        return None
    return Parsed(last[whole], tuple(last[pattern] for pattern in broken))
