"""When a node counts as connected."""

import pytest

from gatecrash.control.nodes.models import Node
from gatecrash.control.nodes.queries import is_connected


@pytest.mark.parametrize(("last_seen", "expected"), [(None, False), (100.0, True), (90.0, True), (89.9, False)])
def test_a_node_is_connected_for_ten_seconds_after_it_was_heard(last_seen: float | None, expected: bool) -> None:
    assert is_connected(Node(last_seen=last_seen), 100.0) is expected
