"""What a run's record holds, for the node that tests it: all of it before its first test, as a scan has all of its capture.

Which list shows whose object, what makes what is deleted, which page holds a form's token, who was let in without
credentials: a node would learn it of each baseline when its turn comes, too late for those before.
"""

from gatecrash.control import ids
from gatecrash.control.nodes.models import Node
from gatecrash.control.testruns import baseline_rows
from gatecrash.control.testruns.lease import holds
from gatecrash.control.testruns.models import TestRun
from gatecrash.core.message import Exchange
from gatecrash.wire.work import Acquaint, Acquainted

CHUNK = 100
MOST_BYTES = 8 * 1024 * 1024
MOST = 2000


def acquaint(node: Node, message: Acquaint) -> Acquainted:
    """The next part of the record behind a place; of the first MOST exchanges, those that were answered."""
    found = TestRun.objects.select_related("record").filter(id=message.run_id, node=node)
    row = found.first() if ids.is_shaped(message.run_id) else None
    if row is None or not holds(node, row, message.session, message.generation):
        return Acquainted(stale=True)
    until = min(row.record.last_sequence, MOST)
    last, exchanges = _part(row.record_id, max(0, message.after), until)
    is_open = (row.record.recording or row.record.draining) and until < MOST
    return Acquainted(exchanges, last, more=last < until, open=is_open)


def _part(record_id: str, after: int, until: int) -> tuple[int, tuple[Exchange, ...]]:
    """Answered exchanges up to a size, and the place of the last that was looked at."""
    last, size = after, 0
    exchanges: list[Exchange] = []
    for sequence, _, baseline in baseline_rows.after(record_id, after, until, CHUNK):
        response = baseline.response
        size += len(baseline.request.body) + (len(response.body) if response is not None else 0)
        if exchanges and size > MOST_BYTES:
            return last, tuple(exchanges)
        last = sequence
        if response is not None:
            exchanges.append(baseline.exchange)
    return max(last, min(until, after + CHUNK)), tuple(exchanges)
