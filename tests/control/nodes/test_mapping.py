"""A node as the API shows it."""

from gatecrash.control.nodes.api import NodeView
from gatecrash.control.nodes.mapping import shown_node
from gatecrash.control.nodes.models import Node


def test_what_is_unknown_is_null() -> None:
    node = Node(id="node_1", name="default", is_default=True, created_at=5)
    shown = shown_node(node, 100.0)
    NodeView.model_validate(shown, strict=True)
    assert (shown["build_id"], shown["proxy_address"], shown["last_seen"], shown["connected"]) == (
        None,
        None,
        None,
        False,
    )


def test_a_node_that_was_just_heard_is_connected() -> None:
    node = Node(id="node_1", name="n", build_id="7", last_seen=99.5, created_at=5)
    shown = shown_node(node, 100.0)
    assert (shown["connected"], shown["last_seen"], shown["build_id"]) == (True, 99, "7")
