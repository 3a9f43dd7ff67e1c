"""What is still to do before an installation is of use, for the dashboard: a node, traffic, a run, two users."""

from collections.abc import Sequence
from typing import Any

from gatecrash.control.testruns.models import TestRun
from gatecrash.core.testing.run import State

ENDED = (State.PASSED.value, State.FAILED.value)


def first_steps(nodes: Sequence[dict[str, Any]], endpoints: int) -> list[dict[str, Any]]:
    """Each step's name and whether it is done, in the order in which they are taken; none where traffic was seen and tested.

    nodes: as the API shows them. endpoints: how many were seen.
    """
    done = {
        "node": any(node["connected"] for node in nodes),
        "traffic": endpoints > 0,
        "run": TestRun.objects.filter(state__in=ENDED).exists(),
        "users": TestRun.objects.filter(user_count__gte=2).exists(),
    }
    if done["traffic"] and done["run"]:
        return []
    return [{"name": name, "done": is_done} for name, is_done in done.items()]


def proxy_of(nodes: Sequence[dict[str, Any]]) -> str:
    """The address of a connected node's proxy; empty where there is none."""
    return next((node["proxy_address"] for node in nodes if node["connected"] and node["proxy_address"]), "")
