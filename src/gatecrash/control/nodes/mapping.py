"""A node's row as the API shows it."""

from typing import Any

from gatecrash.control.nodes.models import Node
from gatecrash.control.nodes.queries import detects, is_connected


def shown_node(node: Node, now: float) -> dict[str, Any]:
    """The node object."""
    return {
        "id": node.id,
        "name": node.name,
        "kind": node.kind,
        "version": node.version,
        "detects_authentication": detects(node.kind, node.version),
        "build_id": node.build_id or None,
        "workers": node.workers,
        "processes": node.processes,
        "proxy_address": node.proxy_address or None,
        "default": node.is_default,
        "connected": is_connected(node, now),
        "last_seen": None if node.last_seen is None else int(node.last_seen),
        "created_at": node.created_at,
    }
