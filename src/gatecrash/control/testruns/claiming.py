"""Work down to a node: waiting baselines become running under the node's lease.

What the node holds is named in its claim. What runs by our books and the node does not hold was lost on the way and is
given again; what it holds and waits by our books (a pause and a resume between two heartbeats) runs again.

A node may have baselines at hand before it has room for them. By our books they wait, so that nothing is lost or has to be
given back when the node, the run or the answer is; they run from the claim on that names them as held.
"""

from collections.abc import Sequence

import msgspec

from gatecrash.control import ids
from gatecrash.control.inventory.queries import is_public
from gatecrash.control.nodes.models import Node
from gatecrash.control.testruns import baseline_rows, check_rows, parts
from gatecrash.control.testruns.book import Book, open_book
from gatecrash.control.testruns.check_rows import CheckRow
from gatecrash.control.testruns.lease import holds
from gatecrash.control.testruns.models import TestRun
from gatecrash.control.testruns.orders import may_send
from gatecrash.control.testruns.reopening import spent
from gatecrash.core.inventory.endpoint import host_of
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.ordering import CHANGING, DESTRUCTIVE
from gatecrash.core.testing.run_events import Claimed, Status
from gatecrash.wire.work import Claim, Work

MOST_BASELINES = 64
MOST_BYTES = 32 * 1024 * 1024
MOST_BYTES_AHEAD = 8 * 1024 * 1024


def claim(node: Node, message: Claim) -> Work:
    """Give the node up to `count` baselines; the exchanges are read and opened after the commit."""
    run_id = message.run_id
    if not ids.is_shaped(run_id) or not TestRun.objects.filter(id=run_id, node=node).exists():
        return Work(stale=True)
    with open_book(run_id) as book:
        if not holds(node, book.row, message.session, message.generation):
            return Work(stale=True)
        if not may_send(book.row) or _looks_who_is_who(book):
            return Work()
        given, ahead = _give(book, message)
    run = book.row
    rows = [*given, *ahead]
    baselines = baseline_rows.read(run.record_id, [row.baseline_id for row in rows])
    given_out = tuple(baselines[row.baseline_id] for row in rows)
    belated = tuple((row.baseline_id, spent(row)) for row in rows if row.todo.belated)
    parts_given = tuple((row.baseline_id, row.todo.made, int(row.todo.up_to), spent(row)) for row in rows)
    return Work(
        given_out[: len(given)],
        public=_public(run.client_id, given_out),
        belated=belated,
        ahead=given_out[len(given) :],
        parts=None if message.parts is None else parts_given,
    )


def _public(client_id: str, baselines: Sequence[Baseline]) -> tuple[str, ...]:
    """Those whose endpoint somebody marked as public on purpose."""
    requests = {one.id: one.request for one in baselines}
    return tuple(
        name
        for name, request in requests.items()
        if is_public(client_id, request.method, host_of(request), request.path.decode("latin-1"))
    )


def _give(book: Book, message: Claim) -> tuple[list[CheckRow], list[CheckRow]]:
    """What is to be tested now, and what the node is to have at hand."""
    run_id = book.row.id
    held = set(message.holding)
    count = max(0, min(message.count, MOST_BASELINES))
    running = check_rows.in_status(run_id, Status.IN_PROGRESS, 10 * MOST_BASELINES)
    lost = [row for row in running if not (row.baseline_id in held and parts.is_meant(row, message))][:count]
    known = [row for row in _waiting(run_id, (*message.holding, *message.ready)) if parts.is_meant(row, message)]
    kept = [row for row in known if row.baseline_id in held]
    wanted = count - len(lost)
    most = wanted + max(0, min(message.ahead, MOST_BASELINES - count))
    names = {row.baseline_id for row in known}
    may_come = _more_may_come(book)
    at_work = [*running, *known]
    waiting = (
        [row for row in _next(run_id, most + len(known), may_come) if row.baseline_id not in names] if most else []
    )
    turn, later = in_turn(waiting, at_work, may_come), []
    if may_go_beside(waiting, at_work):
        reads = check_rows.in_status(run_id, Status.WAITING, wanted + len(known), below=CHANGING)
        later = [row for row in reads if row.baseline_id not in names][:wanted]
    given = _within_size(book.row.record_id, [*lost, *turn[:wanted], *later], MOST_BYTES)
    ahead = [row for row in turn[wanted:most] if may_be_at_hand(row, may_come)]
    ahead = _within_size(book.row.record_id, ahead, MOST_BYTES_AHEAD)
    if message.parts is None:
        given, ahead = ([parts.made_whole(book, row) for row in rows] for rows in (given, ahead))
    _start(book, [*kept, *(row for row in given if row.status is Status.WAITING)])
    return given, ahead


def _waiting(run_id: str, names: Sequence[str]) -> list[CheckRow]:
    """Which of those that a node has wait by our books."""
    known = check_rows.of_baselines(run_id, [name for name in names if ids.is_shaped(name)][: 10 * MOST_BASELINES])
    return [row for row in known.values() if row.status is Status.WAITING]


def _looks_who_is_who(book: Book) -> bool:
    """Whether what a node was answered is just being looked at: tests that begin now would be made again as the users it shows."""
    return book.row.answered is not None and book.run.users_due and not (book.run.recording or book.run.draining)


def _more_may_come(book: Book) -> bool:
    """Whether anything else may still have to be tested, were it with users that are looked for."""
    return book.run.recording or book.run.draining or book.run.users_due


def _next(run_id: str, count: int, more_may_come: bool) -> list[CheckRow]:
    """What waits, in the order of testing; what goes alone is passed over while anything else may come."""
    if more_may_come:
        return check_rows.in_status(run_id, Status.WAITING, count, below=DESTRUCTIVE)
    return check_rows.in_status(run_id, Status.WAITING, count)


def in_turn(waiting: Sequence[CheckRow], at_work: Sequence[CheckRow], more_may_come: bool) -> Sequence[CheckRow]:
    """Of what waits, in the order of testing, that whose turn it is (decisions 11).

    A turn begins when nothing of an earlier one is tested any more: what changes something waits for the reads before it, and
    for those that went on meanwhile.
    What can destroy what tests stand on goes when nothing else may come, alone, one after the other.
    """
    if not waiting:
        return waiting
    first = waiting[0]
    if any(row.turn < first.turn or (row.rank < CHANGING <= first.rank and row.turn > first.turn) for row in at_work):
        return ()
    if first.rank >= DESTRUCTIVE:
        return () if at_work or more_may_come else waiting[:1]
    return [row for row in waiting if row.turn == first.turn]


def may_go_beside(waiting: Sequence[CheckRow], at_work: Sequence[CheckRow]) -> bool:
    """Whether reads are asked further while the last reads of a turn are, as a scan asks them: what reads disturbs no other, and
    a slow one would have all wait for it in each turn.
    """
    reads = all(row.rank < CHANGING for row in at_work)
    return bool(waiting) and reads and any(row.turn < waiting[0].turn for row in at_work)


def may_be_at_hand(row: CheckRow, more_may_come: bool) -> bool:
    """Whether a node may begin it later without asking: its turn must stay its turn, whatever comes meanwhile."""
    return row.rank < DESTRUCTIVE and not (row.rank and more_may_come)


def _start(book: Book, rows: Sequence[CheckRow]) -> None:
    """Make waiting checks running."""
    for row in rows:
        check_rows.write(book.row.id, msgspec.structs.replace(row, status=Status.IN_PROGRESS, remaining=row.forecast))
    if rows:
        book.apply(Claimed(len(rows), sum(row.found for row in rows), sum(row.forecast for row in rows)))


def _within_size(record_id: str, rows: Sequence[CheckRow], most: int) -> list[CheckRow]:
    """As many rows as fit into so many bytes, and one in any case."""
    sizes = baseline_rows.sizes(record_id, [row.baseline_id for row in rows])
    fitting: list[CheckRow] = []
    total = 0
    for row in rows:
        total += sizes[row.baseline_id]
        if fitting and total > most:
            break
        fitting.append(row)
    return fitting
