"""Whether true and false comparisons are told apart by the answers, and lookalikes are not: then the value is part of a statement.

proof = yield from told_apart_in_sql(inquiry, context, true)
"""

from collections.abc import Generator
from itertools import product

from gatecrash.core.testing.dialogues.inquiry import Inquiry, Reply
from gatecrash.core.testing.dialogues.sql.comparison import (
    breaks_over,
    compare,
)
from gatecrash.core.testing.dialogues.turns import in_random_order
from gatecrash.core.testing.oracles.difference import Fact, same_but_for_numbers, telling
from gatecrash.core.testing.payloads.sqli import (
    Context,
)
from gatecrash.core.testing.probe import Answer, TestRequest
from gatecrash.core.testing.verdict import Proof

_Proving = Generator[TestRequest, Answer, Proof | None]

# A value is asked in a dozen contexts: an answer that is one of two at random must not pass one of them in thousands of values.
_ROUNDS = 10


def told_apart_in_sql(inquiry: Inquiry, context: Context, true: Reply, *, among_others: bool = False) -> _Proving:
    """The proof that a false comparison is answered otherwise, where a true one is answered as the baseline; None where it is not.

    among_others: the true one finds more than the value does.
    """
    if breaks_over(inquiry, true) if among_others else not inquiry.like_baseline(true.reading):
        return None
    false = yield from compare(inquiry, context, context.operator, true=False)
    if false is None or not telling([true.reading, *inquiry.basis], [false.reading]):
        return None
    if len(inquiry.basis) == 1 and same_but_for_numbers(true.reading, false.reading):
        return None
    return (yield from _confirmed(inquiry, context, true, false))


def _confirmed(inquiry: Inquiry, context: Context, first: Reply, other: Reply) -> _Proving:
    """Lookalikes must not tell true from false; then more rounds with fresh numbers, in random order."""
    facts = telling([first.reading, *inquiry.basis], [other.reading])
    words = [inquiry.random.choice(kind) for kind in (context.lookalikes, context.others) if kind]
    lookalikes: list[frozenset[Fact]] = []
    for word, true in product(words, (True, False)):
        reply = yield from compare(inquiry, context, word, true=true, purpose="control")
        if reply is None or (not true and reply.reading.facts & facts != lookalikes[-1] & facts):
            return None
        lookalikes.append(reply.reading.facts)
    replies = {True: [first], False: [other]}
    for true in in_random_order(inquiry.random, _ROUNDS - 1):
        reply = yield from compare(inquiry, context, context.operator, true=true, purpose="confirm")
        if reply is None:
            return None
        replies[true].append(reply)
        trues = [each.reading for each in replies[True]]
        facts &= telling(trues + inquiry.basis, [each.reading for each in replies[False]])
        if not facts:
            return None
    said = replies[True][0].reading.facts
    if any(each & facts == said & facts for each in lookalikes):
        return None
    if not inquiry.told_apart(replies[True], replies[False]):
        return None
    return _proof(inquiry, context, replies[True][-1], replies[False][-1], words[-1])


def _proof(inquiry: Inquiry, context: Context, true: Reply, false: Reply, word: str) -> Proof:
    told = "is the baseline's" if inquiry.like_baseline(true.reading) else "shows more than the baseline's"
    return Proof(
        test=false.exchange,
        control=true.exchange,
        verified_by=(
            f"With a true comparison ({true.payload!r}) the answer {told}, with a false one "
            f"({false.payload!r}) it is another, in {_ROUNDS} rounds of fresh random numbers; the same inputs with "
            f"{word!r} in place of {context.operator!r} made no such difference. Context: {context.name}."
        ),
    )
