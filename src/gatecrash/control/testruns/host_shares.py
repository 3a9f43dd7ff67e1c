"""The client's limit per host, divided among the nodes that test.

Which hosts a run will meet is not known while it records, so every node that tests has its part, whatever it tests.
"""

from collections.abc import Sequence

import msgspec

from gatecrash.control.accounts.models import Client
from gatecrash.control.nodes.models import Node
from gatecrash.control.testruns.models import TestRun
from gatecrash.core.testing.pacing.sharing import granted, part_of
from gatecrash.core.testing.run import State
from gatecrash.wire.session import RunOrder

GONE_SECONDS = 17.0
"""A node that was heard so long ago sends no more: it may have got our answer 5 seconds later, stops 10 seconds after that,
and what it sent then counts for another second.
"""


def divided(
    node: Node, runs: Sequence[RunOrder], said: int | None, now: float
) -> tuple[Sequence[RunOrder], int | None]:
    """The node's runs as they may be ordered, and its part. said: what it may still be sending, by its own word.

    Where the others still hold all there is, its runs wait, without having begun. Inside the heartbeat's transaction.
    """
    limit = Client.objects.values_list("rps_per_host", flat=True).get(id=node.client_id)
    if limit is None:
        _keep(node, 0)
        return runs, None
    # One after the other: two nodes that come at once must not both be given the same part.
    Client.objects.select_for_update().get(id=node.client_id)
    if not any(order.sending for order in runs):
        _keep(node, min(said or 0, limit))
        return runs, None
    others = Node.objects.filter(last_seen__gt=now - GONE_SECONDS).exclude(id=node.id)
    held = others.values_list("host_rps", flat=True)
    testing = TestRun.objects.filter(state=State.RUNNING.value, node__in=others).values_list("node_id", flat=True)
    active = sorted({node.id, *testing})
    part = part_of(limit, active.index(node.id), len(active))
    mine = granted(part, limit, min(node.host_rps, limit), list(held))
    _keep(node, max(mine, min(said or 0, limit)))
    if mine:
        return runs, mine
    return [msgspec.structs.replace(order, sending=False) for order in runs], None


def _keep(node: Node, rps: int) -> None:
    if node.host_rps != rps:
        node.host_rps = rps
        Node.objects.filter(id=node.id).update(host_rps=rps)
