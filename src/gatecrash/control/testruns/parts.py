"""Checks that are made in parts, as the turns of the run have it (core/testing/pacing/passes.py): what a node puts off waits
for its next turn.

Between the parts a row is a waiting one as any other: a pause, a takeover or an end need not know of it.
"""

import re
from typing import Final

import msgspec

from gatecrash.control.testruns import check_rows, undecided_rows
from gatecrash.control.testruns.book import Book
from gatecrash.control.testruns.check_rows import CheckRow
from gatecrash.core.testing.health.refused_sessions import FOUND_BEFORE
from gatecrash.core.testing.pacing.parts import BROKEN_OFF
from gatecrash.core.testing.pacing.passes import Pass, turn_of, words_behind
from gatecrash.core.testing.run_events import OPEN, PutOff, Status
from gatecrash.core.testing.verdict import UNTESTED
from gatecrash.wire.work import Claim, Result

# `sqli, xss at get/ref: blocked`, as a node tells what its checks could not decide.
_UNDECIDED: Final = re.compile(r"([a-z_]+(?:, [a-z_]+)*+) at (.+)")


def is_of_now(row: CheckRow, result: Result) -> bool:
    """Whether a result is of the part that is open, or was made last: that of a part before may be told once more."""
    return result.part == row.todo.part


def is_meant(row: CheckRow, message: Claim) -> bool:
    """Whether what a claim names is that part of a baseline which is open: the part before is held until its result is taken."""
    return message.parts is None or dict(message.parts).get(row.baseline_id, 0) == row.todo.part


def put_off(book: Book, row: CheckRow, result: Result, undecided: int) -> CheckRow:
    """The row that waits for its next part. What it cost is closed: of that the node tells apart."""
    left = max(1, result.left)
    book.apply(PutOff(row.read(run_ended=book.run.ended), left))
    made = min(max(result.made, row.part if row.todo.belated else row.part + 1), Pass.HEADERS)
    return msgspec.structs.replace(
        row,
        status=Status.WAITING,
        part=made,
        turn=turn_of(row.sort, made),
        users="",
        detail=check_rows.fitting(told(row, result)),
        forecast=left,
        remaining=left,
        inconclusive=row.inconclusive + undecided,
        sent_before=row.sent_before + row.sent,
        sent=0,
    )


def made_whole(book: Book, row: CheckRow) -> CheckRow:
    """A row for a node that knows no parts: all of it is made once more, and counted once."""
    if row.users == check_rows.ALONE or not row.part:
        return row
    undecided_rows.forget(book.row.id, row.baseline_id)
    book.note(inconclusive_count=book.row.inconclusive_count - row.inconclusive)
    whole = msgspec.structs.replace(row, users="", part=0, turn=int(row.sort), detail="", inconclusive=0)
    check_rows.write(book.row.id, whole)
    return whole


def told(row: CheckRow, result: Result) -> str:
    """What is told of a row's tests, of which a part may have been made before."""
    now, before = result.detail, "" if row.detail == BROKEN_OFF else row.detail
    if not (row.users or row.part):
        return now
    if row.todo.part and row.found and result.status == "error":
        # What was found before makes it failed; a session that is over is known by how this begins.
        now = f"{FOUND_BEFORE}{now}" if result.reason == "auth_failed" else f"{result.reason}: {now}"
        return both(now, before)
    return both(before, now)


def both(before: str, now: str) -> str:
    """What is told of both halves of a baseline's tests, once for what they could not decide for one reason; that there was none
    only where both had none.
    """
    words = [text for text in (before, now) if text and text not in UNTESTED]
    if not words and before == now:
        return now
    told: dict[str, dict[str, None]] = {}
    for sentence in (each for text in words for each in text.split("; ")):
        undecided = _UNDECIDED.fullmatch(sentence)
        types = told.setdefault(undecided[2] if undecided else sentence, {})
        types |= dict.fromkeys(undecided[1].split(", ") if undecided else ())
    return "; ".join(f"{', '.join(types)} at {why}" if types else why for why, types in told.items())


def shown(row: CheckRow, *, run_ended: bool) -> str:
    """What a reader of the run is told of a row: of one that is open, also what it waits for, or waited for when the run
    ended, and whether that broke its tests off.
    """
    if run_ended and row.status is Status.IN_PROGRESS and row.rank:
        return both(row.detail, BROKEN_OFF)
    if row.part and row.users != check_rows.ALONE and row.status in OPEN:
        return both(row.detail, words_behind(row.part))
    return row.detail
