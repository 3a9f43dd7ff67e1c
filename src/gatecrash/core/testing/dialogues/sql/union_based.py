"""Rows that are added to an empty result: what `sqli` proves where a query finds nothing and its errors are hidden.

    added = yield from adds_rows(inquiry, screen)

No narrower query has anything to lose there, so that no comparison tells; a row more is shown, be it one of NULLs. It must come
with two equal numbers and stay away with others, in ten rounds of fresh ones in random order; with a word that only looks like
UNION it must stay away as well. Nobody knows how many columns the query has, so that each number of them is tried.
"""

from collections.abc import Generator
from typing import NamedTuple

from gatecrash.core.statuses import NOT_FOUND
from gatecrash.core.testing.dialogues.boolean_based import DECOY, FALSE, FALSE_DECOY, ROUNDS, Apart, tells_apart
from gatecrash.core.testing.dialogues.inquiry import Asking, Inquiry, Reply
from gatecrash.core.testing.effects.takes_all import may_find_more
from gatecrash.core.testing.oracles.empty_lists import gives_an_empty_list
from gatecrash.core.testing.payloads.sqli_unions import (
    END_OF_NUMBER,
    END_OF_TEXT,
    LOOKALIKES,
    MOST_COLUMNS,
    WORD,
    row,
)
from gatecrash.core.testing.places.segments import is_name
from gatecrash.core.testing.policy import is_thorough
from gatecrash.core.testing.probe import Answer, TestRequest
from gatecrash.core.testing.verdict import Proof


class AddedRow(NamedTuple):
    """The answers with a row more and without. columns: how many it has."""

    apart: Apart
    columns: int

    def told(self) -> Proof:
        """The proof in words."""
        with_row, without = self.apart.false, self.apart.true
        return Proof(
            test=with_row.exchange,
            control=without.exchange,
            verified_by=(
                f"{with_row.payload!r} adds a row of {self.columns} columns to a result that is empty, and it is shown; "
                f"{without.payload!r}, whose numbers are not equal, is answered as the baseline, in {ROUNDS} rounds of "
                f"fresh numbers in random order. {self.apart.decoy.payload!r}, whose word only looks like {WORD}, adds none."
            ),
        )


def _may_be_empty(inquiry: Inquiry) -> bool:
    """Whether the baseline may be what an empty result is answered with, in a request that only reads: a list without an
    entry, or what is not found. A page tells neither, so that all are asked in the thorough policy.
    """
    point = inquiry.situation.point
    if not may_find_more(inquiry.situation.baseline) or point[0] == "header" or is_name(point):
        return False
    if is_thorough(inquiry.situation.policy):
        return True
    return inquiry.good.status == NOT_FOUND or gives_an_empty_list(inquiry.good)


def adds_rows(inquiry: Inquiry, screen: Reply) -> Generator[TestRequest, Answer, AddedRow | None]:
    """The proof that rows can be added, or None. screen: the answer to what no parser takes.

    A sound point that may be concerned costs one request for each number of columns, any other none.
    """
    if not inquiry.steady or not inquiry.as_usual(screen) or not _may_be_empty(inquiry):
        return None
    end = END_OF_NUMBER if inquiry.value.isdigit() else END_OF_TEXT
    for columns in range(1, MOST_COLUMNS + 1):

        def question(kind: str, purpose: str, columns: int = columns) -> Asking:
            return (yield from _ask(inquiry, end, columns, kind, purpose))

        apart = yield from tells_apart(inquiry, question, FALSE, either_decoy=True)
        if apart is not None:
            return AddedRow(apart, columns)
    return None


def _ask(inquiry: Inquiry, end: str, columns: int, kind: str, purpose: str) -> Asking:
    """The answer to what adds a row where another than the baseline is expected (FALSE), and to what adds none (TRUE)."""
    left, mark = inquiry.number(10000, 99999), inquiry.mark()
    right = left if kind in (FALSE, FALSE_DECOY) else left + inquiry.number(1, 9)
    word = inquiry.random.choice(LOOKALIKES) if kind in (DECOY, FALSE_DECOY) else WORD
    payload = row(inquiry.value, end, columns, mark, word, left=left, right=right)
    return (yield from inquiry.send(payload, {str(left): "0", str(right): "0", mark: ""}, purpose))
