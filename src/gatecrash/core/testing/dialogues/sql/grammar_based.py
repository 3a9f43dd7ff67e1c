"""Valid SQL that is taken beside lookalikes that break: what `sqli` proves where neither errors nor answers tell.

proof = yield from parsed_as_sql(inquiry, context, first, loud=loud)
"""

from collections.abc import Generator
from itertools import count, cycle

from gatecrash.core.testing.dialogues.inquiry import Asking, Inquiry, Reply
from gatecrash.core.testing.dialogues.repeating import MANY, shown_by_it_alone
from gatecrash.core.testing.dialogues.sql.comparison import breaks_over, compare
from gatecrash.core.testing.payloads.sqli import Context, broken_words
from gatecrash.core.testing.probe import Answer, TestRequest
from gatecrash.core.testing.verdict import Proof


def parsed_as_sql(
    inquiry: Inquiry, context: Context, first: Reply, *, loud: bool
) -> Generator[TestRequest, Answer, Proof | None]:
    """The proof that the value is parsed as SQL in this context, or None.

    first: the answer to a true comparison, which was taken. loud: the server tells that it breaks; else what is taken is answered
    as the baseline.
    """

    def taken(reply: Reply) -> bool:
        return not breaks_over(inquiry, reply) if loud else inquiry.as_usual(reply)

    # What is broken to a parser alone comes first: it clears firewalls at once.
    words, numbers, broken = cycle(broken_words(context)), count(), [first]

    def lookalike() -> Asking:
        reply = yield from compare(inquiry, context, next(words), true=True, purpose="control")
        broken.extend([reply] if reply is not None else [])
        return reply

    def valid() -> Asking:
        return (yield from compare(inquiry, context, context.operator, true=next(numbers) > 0, purpose="confirm"))

    odd = yield from lookalike()
    if odd is None or taken(odd) or not (yield from shown_by_it_alone(inquiry, valid, lookalike, taken, MANY)):
        return None
    breaks = "the server breaks" if loud else "the answer is not the baseline's"
    return Proof(
        test=broken[-1].exchange,
        control=first.exchange,
        verified_by=(
            f"Valid SQL ({first.payload!r}) is taken; with a word that only looks like one of its own ({broken[-1].payload!r}) "
            f"{breaks}, as over an open quote. Repeated with other numbers and other words, in random order. "
            f"Context: {context.name}."
        ),
    )
