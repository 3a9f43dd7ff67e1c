"""Broken SQL that a database's parser complains of beside whole SQL that it does not: what `sqli` proves by error messages.

    told = yield from complained_in_sql(inquiry, screen)

Each context's pairs are asked for again with fresh marks, in turns and then in random order, so that a page which speaks of
errors by itself proves nothing.
Where the value is a whole statement already, a parser's complaint shows a parser and no more: what formats, checks or
explains SQL has one. There the name of a column that is not there must be complained of, which only who runs it can know.
"""

from collections.abc import Generator, Sequence
from functools import partial
from typing import NamedTuple

from gatecrash.core.testing.dialogues.inquiry import Asking, Inquiry, Reply
from gatecrash.core.testing.dialogues.repeating import Apart, shown_by_it_alone
from gatecrash.core.testing.oracles.errors.sql import SqlError, errors_in, knows_no_such_name, names_a_backslash
from gatecrash.core.testing.payloads.sqli import (
    BACKSLASHED,
    ERROR_PAIRS_FOR_DIRECTIONS,
    ERROR_PAIRS_FOR_NUMBERS,
    ERROR_PAIRS_FOR_TEXTS,
    NARROWED,
    WHOLE_STATEMENT,
    Pair,
    is_direction,
    is_statement,
)
from gatecrash.core.testing.places.plain_values import is_number
from gatecrash.core.testing.probe import Answer, TestRequest
from gatecrash.core.testing.verdict import Proof

# A page of random posts may speak of errors in a few answers running.
_ROUNDS = 3


class SqlComplaint(NamedTuple):
    """The first pair of answers. engine: whose parser it is. context: where the value stands in the statement."""

    engine: str
    context: str
    broken: Reply
    whole: Reply

    def proof(self) -> Proof:
        """The proof in words."""
        what, as_odd = "'s parser", "which is as odd but closes what it opens"
        if self.context == WHOLE_STATEMENT.name:
            what, as_odd = ", which ran it and knows no such column", "which compares two equal numbers instead"
        if self.context == BACKSLASHED.name:
            what, as_odd = "'s parser over a backslash, which was not sent", "without the quotes"
        return Proof(
            test=self.broken.exchange,
            control=self.whole.exchange,
            verified_by=(
                f"The input {self.broken.payload!r} was answered with an error of {self.engine}{what}; "
                f"{self.whole.payload!r}, {as_odd}, was not. Both held each time with other "
                f"input. Context: {self.context}."
            ),
        )


def new_errors(inquiry: Inquiry, reply: Reply) -> frozenset[SqlError]:
    """The parser errors in an answer that the baseline does not show as well."""
    return errors_in(reply.text) - errors_in(inquiry.good_text)


def complained_in_sql(inquiry: Inquiry, screen: Reply) -> Generator[TestRequest, Answer, SqlComplaint | None]:
    """Find the context in which broken input makes the parser complain, and whole input does not, each time.

    screen: the answer to quotes.
    """
    if is_statement(inquiry.value):
        return (yield from _run_whole(inquiry))
    slashed = ((BACKSLASHED,),) if names_a_backslash(screen.text) else ()
    for pairs in (*_pairs(inquiry.value), *slashed):
        proofs: list[tuple[Reply, Reply]] = []
        for pair in pairs * _ROUNDS:
            proof = yield from _ask(inquiry, pair, "confirm" if proofs else "test")
            if proof is None:
                break
            proofs.append(proof)
        if len(proofs) == len(pairs) * _ROUNDS and (yield from _shown_by_them_alone(inquiry, pairs)):
            engine = min(error.engine for error in new_errors(inquiry, proofs[0][0]))
            return SqlComplaint(engine, pairs[0].name, *proofs[0])
    return None


def _shown_by_them_alone(inquiry: Inquiry, pairs: Sequence[Pair]) -> Generator[TestRequest, Answer, Apart | None]:
    """The last answers, if both hold in random order: pairs in turns alone pass once in 4,096 times where every other answer is wrong."""

    def asked(pattern: str, purpose: str) -> Asking:
        return (yield from inquiry.send(pattern.format(value=inquiry.value, mark=inquiry.mark()), purpose=purpose))

    return (
        yield from shown_by_it_alone(
            inquiry,
            lambda: asked(pairs[0].broken, "confirm"),
            lambda: asked(pairs[0].whole, "control"),
            lambda reply: _complains(inquiry, pairs[0], reply),
        )
    )


def _run_whole(inquiry: Inquiry) -> Generator[TestRequest, Answer, SqlComplaint | None]:
    """Whether a whole statement is run: its rows are narrowed by two equal numbers, and by the name of no column each time not."""
    statement = inquiry.value.strip().rstrip(";")

    def narrowed(*, known: bool) -> Asking:
        number = str(inquiry.number(1000, 9999))
        left = number if known else inquiry.mark()
        asked = NARROWED.format(statement=statement, alias=inquiry.mark(), left=left, right=number)
        return (yield from inquiry.send(asked, purpose="control" if known else "confirm"))

    def is_unknown(reply: Reply) -> bool:
        return knows_no_such_name(reply.text) and not knows_no_such_name(inquiry.good_text)

    open_quote = yield from inquiry.send(f"{statement} '{inquiry.mark()}")
    engines = {error.engine for error in new_errors(inquiry, open_quote)} if open_quote is not None else set[str]()
    unknown, known = partial(narrowed, known=False), partial(narrowed, known=True)
    if not engines:
        return None
    apart = yield from shown_by_it_alone(inquiry, unknown, known, is_unknown)
    return apart and SqlComplaint(min(engines), WHOLE_STATEMENT.name, apart.shown, apart.control)


def _pairs(value: str) -> tuple[tuple[Pair, ...], ...]:
    if is_direction(value):
        return ERROR_PAIRS_FOR_DIRECTIONS
    return ERROR_PAIRS_FOR_NUMBERS if is_number(value) else ERROR_PAIRS_FOR_TEXTS


def _complains(inquiry: Inquiry, pair: Pair, reply: Reply) -> bool:
    return bool(new_errors(inquiry, reply)) and (not pair.backslash or names_a_backslash(reply.text))


def _ask(inquiry: Inquiry, pair: Pair, purpose: str) -> Generator[TestRequest, Answer, tuple[Reply, Reply] | None]:
    mark = inquiry.mark()
    broken = yield from inquiry.send(pair.broken.format(value=inquiry.value, mark=mark), purpose=purpose)
    if broken is None or not _complains(inquiry, pair, broken):
        return None
    whole = yield from inquiry.send(pair.whole.format(value=inquiry.value, mark=mark), purpose="control")
    return None if whole is None or new_errors(inquiry, whole) else (broken, whole)
