"""Broken SQL that a database's parser complains of beside whole SQL that it does not: what `sqli` proves by error messages.

    told = yield from complained_in_sql(inquiry)

Each context's pairs are asked for again with fresh marks, so that a page which speaks of errors by itself proves nothing.
"""

import re
from collections.abc import Generator
from typing import NamedTuple

from gatecrash.core.testing.dialogues.inquiry import Inquiry, Reply
from gatecrash.core.testing.oracles.sql_errors import SqlError, errors_in
from gatecrash.core.testing.payloads.sqli import (
    ERROR_PAIRS_FOR_DIRECTIONS,
    ERROR_PAIRS_FOR_NUMBERS,
    ERROR_PAIRS_FOR_TEXTS,
    Pair,
    is_direction,
)
from gatecrash.core.testing.probe import Answer, TestRequest
from gatecrash.core.testing.verdict import Proof

# A page of random posts may speak of errors in a few answers running.
_ROUNDS = 3
_NUMBER = re.compile(r"[+-]?\d+(?:\.\d+)?")


class SqlComplaint(NamedTuple):
    """The first pair of answers. engine: whose parser it is. context: where the value stands in the statement."""

    engine: str
    context: str
    broken: Reply
    whole: Reply

    def proof(self) -> Proof:
        """The proof in words."""
        return Proof(
            test=self.broken.exchange,
            control=self.whole.exchange,
            verified_by=(
                f"The input {self.broken.payload!r} was answered with an error of {self.engine}'s parser; "
                f"{self.whole.payload!r}, which is as odd but closes what it opens, was not. Both held each time with other "
                f"input. Context: {self.context}."
            ),
        )


def new_errors(inquiry: Inquiry, reply: Reply) -> frozenset[SqlError]:
    """The parser errors in an answer that the baseline does not show as well."""
    return errors_in(reply.text) - errors_in(inquiry.good_text)


def complained_in_sql(inquiry: Inquiry) -> Generator[TestRequest, Answer, SqlComplaint | None]:
    """Find the context in which broken input makes the parser complain, and whole input does not, each time."""
    for pairs in _pairs(inquiry.value):
        proofs: list[tuple[Reply, Reply]] = []
        for pair in pairs * _ROUNDS:
            proof = yield from _ask(inquiry, pair, "confirm" if proofs else "test")
            if proof is None:
                break
            proofs.append(proof)
        if len(proofs) == len(pairs) * _ROUNDS:
            engine = min(error.engine for error in new_errors(inquiry, proofs[0][0]))
            return SqlComplaint(engine, pairs[0].name, *proofs[0])
    return None


def _pairs(value: str) -> tuple[tuple[Pair, ...], ...]:
    if is_direction(value):
        return ERROR_PAIRS_FOR_DIRECTIONS
    return ERROR_PAIRS_FOR_NUMBERS if _NUMBER.fullmatch(value) else ERROR_PAIRS_FOR_TEXTS


def _ask(inquiry: Inquiry, pair: Pair, purpose: str) -> Generator[TestRequest, Answer, tuple[Reply, Reply] | None]:
    mark = inquiry.mark()
    broken = yield from inquiry.send(pair.broken.format(value=inquiry.value, mark=mark), purpose=purpose)
    if broken is None or not new_errors(inquiry, broken):
        return None
    whole = yield from inquiry.send(pair.whole.format(value=inquiry.value, mark=mark), purpose="control")
    return None if whole is None or new_errors(inquiry, whole) else (broken, whole)
