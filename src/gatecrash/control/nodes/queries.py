"""Reads of nodes."""

from gatecrash.control.nodes.models import Node

CONNECTED_SECONDS = 10.0


def is_connected(node: Node, now: float) -> bool:
    """Whether the node was heard within the last 10 seconds."""
    return node.last_seen is not None and now - node.last_seen <= CONNECTED_SECONDS


def default_node() -> Node | None:
    """The current client's default node; None before the first node or run."""
    return Node.objects.filter(is_default=True).first()
