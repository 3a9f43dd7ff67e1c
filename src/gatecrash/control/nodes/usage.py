"""Which nodes are at work: told by the apps that give them work, for a node knows nothing of runs.

usage.register(look)      look(node_ids) → for each node with work, what it is at work on now, in the current client
"""

from collections.abc import Callable, Collection, Mapping

Look = Callable[[Collection[str]], Mapping[str, list[str]]]

_looks: list[Look] = []


def register(look: Look) -> None:
    """Ask this too, from now on."""
    if look not in _looks:
        _looks.append(look)


def work_of(node_ids: Collection[str]) -> dict[str, list[str]]:
    """The identifiers of the runs and records that wait for these nodes, by node; those without work are left out."""
    found: dict[str, list[str]] = {}
    for look in _looks:
        for node_id, work in look(node_ids).items():
            found.setdefault(node_id, []).extend(work)
    return found
