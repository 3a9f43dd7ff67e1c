"""When a node counts as connected, and which nodes are named first."""

import pytest

from gatecrash.control import wall
from gatecrash.control.nodes.models import Node
from gatecrash.control.nodes.queries import by_presence, is_connected


@pytest.mark.parametrize(("last_seen", "expected"), [(None, False), (100.0, True), (90.0, True), (89.9, False)])
def test_a_node_is_connected_for_ten_seconds_after_it_was_heard(last_seen: float | None, expected: bool) -> None:
    assert is_connected(Node(last_seen=last_seen), 100.0) is expected


@pytest.mark.database
@pytest.mark.django_db
def test_those_that_are_there_come_before_what_builds_left(client_id: str) -> None:
    heard = {"default": 5.0, "build 1": 10.0, "build 2": 60.0, "never": None, "second": 93.0, "third": 99.0}
    with wall.client(client_id):
        for place, (name, last_seen) in enumerate(heard.items()):
            Node.objects.create(
                id=f"node_{place}",
                name=name,
                kind="native",
                version="1",
                identity=name,
                is_default=name == "default",
                created_at=place,
                last_seen=last_seen,
            )
        named = [node.name for node in by_presence(100.0)]
    assert named == ["default", "second", "third", "build 2", "build 1", "never"]
