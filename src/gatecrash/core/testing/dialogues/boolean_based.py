"""Proof by pairs of conditions: a true one is answered as the baseline, a false one otherwise, and a lookalike that is
no condition not as the true one. What the conditions are written in is the probe's affair; this decides whether their
answers are told apart.

A sound point costs one request here where odd input is answered otherwise, two where the value is not used at all.
"""

from collections.abc import Callable, Generator
from typing import NamedTuple

from gatecrash.core.testing.dialogues.inquiry import Asking, Inquiry, Reply
from gatecrash.core.testing.dialogues.turns import in_random_order
from gatecrash.core.testing.oracles.difference import Fact, said_by_ones_alone, same_but_for_numbers, telling
from gatecrash.core.testing.probe import Answer, TestRequest
from gatecrash.core.testing.verdict import Proof

TRUE, FALSE, DECOY = "true", "false", "decoy"
# What only looks like a condition that does not hold: for those who answer whatever they cannot read as the baseline.
FALSE_DECOY = "false decoy"
# An answer that is one of two at random passes so many rounds once in a million times; a run asks some thousand points,
# and a sound one costs none of them.
ROUNDS = 10

# One of the words above and the purpose, to an answer; fresh marks each time are the question's own business.
Question = Callable[[str, str], Asking]


class Apart(NamedTuple):
    """Proof that an application tells true from false. decoy: the answer to what only looks like a condition.

    unlike: which of the two it looks like, and is not answered as.
    """

    true: Reply
    false: Reply
    decoy: Reply
    unlike: str

    def holds(self, reply: Reply) -> bool:
        """Whether an answer says of a further condition what those say that hold, and not what the others do."""
        facts = telling([self.true.reading], [self.false.reading])
        return _same(facts, reply, self.true)

    def told(self, language: str) -> Proof:
        """The proof in words. language: what the conditions were written in."""
        kind = "holds" if self.unlike == TRUE else "does not"
        return Proof(
            test=self.false.exchange,
            control=self.true.exchange,
            verified_by=(
                f"A condition in {language} that holds ({self.true.payload!r}) is answered as the baseline, one that does "
                f"not ({self.false.payload!r}) otherwise, in {ROUNDS} rounds of fresh values in random order. "
                f"{self.decoy.payload!r}, which only looks like one, is not answered as what {kind}."
            ),
        )


def tells_apart(
    inquiry: Inquiry, question: Question, first: str = TRUE, *, either_decoy: bool = False
) -> Generator[TestRequest, Answer, Apart | None]:
    """Whether the answers follow the conditions; None at the first sign that they do not.

    either_decoy: a FALSE_DECOY is asked where the other one is answered as what holds.
    first: TRUE, or FALSE where all that was asked was answered as the baseline, so that this is the quicker question.
    """
    if not inquiry.steady:
        return None
    false: Reply | None = None
    if first == FALSE:
        false = yield from question(FALSE, "test")
        if false is None or not telling(inquiry.basis, [false.reading]):
            return None
    true = yield from question(TRUE, "test")
    if true is None or not inquiry.like_baseline(true.reading):
        return None
    false = false or (yield from question(FALSE, "test"))
    if false is None or not _differ(inquiry, true, false):
        return None
    facts = telling([true.reading, *inquiry.basis], [false.reading])
    kinds = {DECOY: (TRUE, true), FALSE_DECOY: (FALSE, false)}
    for kind in (DECOY, FALSE_DECOY) if either_decoy else (DECOY,):
        decoy = yield from question(kind, "control")
        if decoy is None:
            return None
        unlike, alike = kinds[kind]
        if not _same(facts, decoy, alike):
            return (yield from _confirm(inquiry, question, Apart(true, false, decoy, unlike)))
    return None


def _differ(inquiry: Inquiry, true: Reply, false: Reply) -> bool:
    """Whether the pair is told apart by anything but what moves by itself.

    A number that stood in the recorded answer and stands in what holds does not move (`"modified": 1`).
    """
    good = [true.reading, *inquiry.basis]
    if not telling(good, [false.reading]):
        return False
    held = len(inquiry.basis) > 1 or bool(said_by_ones_alone(good, [false.reading]))
    return held or not same_but_for_numbers(true.reading, false.reading)


def _confirm(inquiry: Inquiry, question: Question, apart: Apart) -> Generator[TestRequest, Answer, Apart | None]:
    """More rounds; the same facts must tell all of them apart, and the lookalike must not have those of what it looks like."""
    replies = {TRUE: [apart.true], FALSE: [apart.false]}
    for holds in in_random_order(inquiry.random, ROUNDS - 1):
        kind = TRUE if holds else FALSE
        reply = yield from question(kind, "confirm")
        if reply is None:
            return None
        replies[kind].append(reply)
    trues = [reply.reading for reply in replies[TRUE]]
    facts = telling(trues + inquiry.basis, [reply.reading for reply in replies[FALSE]])
    if not facts or _same(facts, apart.decoy, replies[apart.unlike][0]):
        return None
    if not inquiry.told_apart(replies[TRUE], replies[FALSE]):
        return None
    return apart._replace(true=replies[TRUE][-1], false=replies[FALSE][-1])


def _same(facts: frozenset[Fact], decoy: Reply, other: Reply) -> bool:
    """Whether the lookalike is answered as what it looks like, in all that would tell the conditions apart."""
    return decoy.reading.facts & facts == other.reading.facts & facts
