"""A recorded answer names the new object where it named the old one."""

import json
from typing import Any

import pytest

from gatecrash.core.message import Response
from gatecrash.core.testing.authorization.objects.renamed_answers import renamed

OLD, NEW = "b1946ac92492", "5d41402abc4b"


@pytest.mark.parametrize(
    ("told", "old", "new", "wanted"),
    [
        ({"id": 10, "bids": 10}, "10", "11", {"id": 11, "bids": 10}),
        ({"id": "10"}, "10", "11", {"id": "11"}),
        ({"id": 7, "load": {"id": 10}}, "10", "11", {"id": 7, "load": {"id": 10}}),
        ([{"id": 10}], "10", "11", [{"id": 10}]),
        ({"href": f"/loads/{OLD}", "tag": f"x{OLD}"}, OLD, NEW, {"href": f"/loads/{NEW}", "tag": f"x{OLD}"}),
    ],
)
def test_in_its_place(told: Any, old: str, new: str, wanted: Any) -> None:
    response = Response(200, ((b"Content-Type", b"application/json"),), json.dumps(told).encode())
    assert json.loads(renamed(response, ("id",), old, new).body) == wanted


def test_a_page_is_left_as_it_is() -> None:
    response = Response(200, (), b"<p>10</p>")
    assert renamed(response, ("id",), "10", "11") is not None
    assert renamed(response, ("id",), "10", "11").body == b"<p>10</p>"
