"""The recogniser follows the client's own parameters."""

from gatecrash.control import wall
from gatecrash.control.findings.recognising import current_recogniser
from gatecrash.control.inventory.services import add_auth_parameter
from gatecrash.core.message import Request
from gatecrash.core.point import Point


def test_a_custom_parameter_is_recognised_for_its_client_only(client_id: str, other_id: str) -> None:
    request = Request("GET", b"/", ((b"X-Mine", b"some-value"),))
    with wall.client(client_id):
        add_auth_parameter(Point.of("header", "X-MINE"), None)
        assert [found.point for found in current_recogniser().recognise(request)] == [("header", "X-MINE")]
    with wall.client(other_id):
        assert current_recogniser().recognise(request) == ()
