"""Which of what a colon ends within a segment chooses one thing."""

import pytest

from gatecrash.core.message import Request
from gatecrash.core.points.walk import walk
from gatecrash.core.testing.places.before_colon import chooses_one


@pytest.mark.parametrize(
    ("target", "chosen"),
    [
        (b"/visits/7:cancel", True),
        (b"/visits/0b8f4a52-3c1d-4a5e-9f60-7c1d2e3f4a5b:cancel", True),
        (b"/documents:runQuery", False),
        (b"/proxy/build.local:8080", True),
        (b"/proxy/localhost:8080", True),
        (b"/proxy/10.0.0.7:8080", True),
        (b"/slots/12:30", False),
        (b"/users/user:42", False),
        (b"/Orders(7)", True),
        (b"/Orders(at=documents:run)", True),
        (b"/visits;of=7", True),
    ],
)
def test_its_look_tells(target: bytes, chosen: bool) -> None:
    request = Request("GET", target)
    found = [each for each in walk(request).points if each.point[0] == "path" and len(each.point) > 2]
    assert {chooses_one(request, each.point, each.value.decode()) for each in found} == {chosen}
