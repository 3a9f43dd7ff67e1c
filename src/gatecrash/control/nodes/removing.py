"""Silent nodes taken off the list, of which each build of a pipeline leaves one.

The row stays, since runs, records and counts name it. Whoever says hello under its token and name is that node again.
"""

from collections.abc import Sequence

from django.db import transaction

from gatecrash.control.accounts import audit
from gatecrash.control.api.errors import FieldErrors, problem
from gatecrash.control.nodes import usage
from gatecrash.control.nodes.models import Node
from gatecrash.control.nodes.queries import by_presence, is_connected, silent_builds, there

MOST_AT_ONCE = 1000


def remove(node: Node, now: float) -> bool:
    """Take a silent node off the list; false where another has done so already.

    The default place goes to the first in the list of the others that belong to no build.
    Raises FieldErrors (409) where the node is heard, a run or a recording waits for it, or nobody could take its place.
    """
    with transaction.atomic():
        row = there().select_for_update().filter(id=node.id).first()
        if row is None:
            return False
        if is_connected(row, now):
            raise _refusal(row, "The node is connected; stop it first.")
        work = usage.work_of([row.id]).get(row.id, [])
        if work:
            raise _refusal(row, "The node is awaited by what is not over yet; interrupt that first.", runs=work[:100])
        heir = _heir(row, now) if row.is_default else None
        _take_off([row], now)
        if heir is not None:
            Node.objects.filter(id=heir.id).update(is_default=True)
    return True


def remove_builds(seconds: float, now: float) -> int:
    """Take off every build's node that has not been heard for so many seconds and that nothing waits for; how many they were."""
    with transaction.atomic():
        rows = list(silent_builds(seconds, now).select_for_update().order_by("id")[:MOST_AT_ONCE])
        work = usage.work_of([row.id for row in rows])
        idle = [row for row in rows if row.id not in work]
        _take_off(idle, now)
    return len(idle)


def _take_off(rows: Sequence[Node], now: float) -> None:
    Node.objects.filter(id__in=[row.id for row in rows]).update(removed_at=int(now), session="", is_default=False)
    for row in rows:
        audit.record("node.remove", row.id, name=row.name, build_id=row.build_id or None)


def _heir(row: Node, now: float) -> Node:
    found: Node | None = by_presence(now).select_for_update().filter(build_id="").exclude(id=row.id).first()
    if found is None:
        raise _refusal(row, "Runs go to this node where they name none, and there is no other to take its place.")
    return found


def _refusal(row: Node, words: str, **hints: object) -> FieldErrors:
    return FieldErrors({"node_id": problem("action_not_allowed", row.id, message=words, **hints)})
