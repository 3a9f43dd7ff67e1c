"""What a changing request names is kept where a payload stands in the place of a name: without it, all may be meant."""

import json

import pytest
from tests.core.testing.driving import runs

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.places.segments import is_name
from gatecrash.core.testing.policy import THOROUGH

FORM, JSON = ((b"Content-Type", b"application/x-www-form-urlencoded"),), ((b"Content-Type", b"application/json"),)
CHANGES = {
    "JSON": Request("POST", b"/sites/suspend", JSON, b'{"site": "ann.example"}'),
    "within JSON": Request("POST", b"/users/edit", JSON, b'{"filter": {"site": "ann.example"}, "set": {"plan": "basic"}}'),
    "JSON-RPC": Request(
        "POST", b"/rpc", JSON, b'{"jsonrpc": "2.0", "id": 1, "method": "site.suspend", "params": {"site": "ann.example"}}'
    ),
    "a form": Request("POST", b"/sites/suspend", FORM, b"site=ann.example&plan=basic"),
    "a link": Request("GET", b"/sites/cancel?site=ann.example"),
}  # fmt: skip


def asked_by_names(request: Request) -> list[Request]:
    def answering(_: Request) -> Response:
        return Response(200, JSON, b'{"site": "ann.example", "state": "off"}')

    made = [run for run in runs(answering, request, policy=THOROUGH) if is_name(run.check.point)]
    return [each.request for run in made for each in run.sent if each.purpose == "test"]


@pytest.mark.parametrize("way", CHANGES)
def test_what_a_changing_request_names_is_kept(way: str) -> None:
    asked = asked_by_names(CHANGES[way])
    assert len({each.target + each.body for each in asked}) > 20
    kept = (b'"site": "ann.example"', b"site=ann.example")
    assert [each for each in asked if not any(name in each.target + each.body for name in kept)] == []


def test_a_call_that_only_reads_is_asked_in_the_place_of_the_name() -> None:
    asked = asked_by_names(Request("POST", b"/sites/search", JSON, b'{"site": "ann.example"}'))
    assert any("site" not in json.loads(each.body) for each in asked)


@pytest.mark.parametrize(
    ("request_", "point"),
    [
        (
            Request("POST", b"/graphql", JSON, b'{"query": "mutation { drop(zone: \\"a\\", name: \\"tea\\") }"}'),
            ("post", "json_doc", "json_obj", "query", "graphql", "drop", "name"),
        ),
        (Request("POST", b"/shelf;name=tea/clear"), ("path", "0", "matrix", "name")),
        (Request("POST", b"/teas(name=tea)"), ("path", "0", "key", "name")),
    ],
)
def test_a_value_that_is_called_name_is_asked_in_its_own_place(request_: Request, point: tuple[str, ...]) -> None:
    made = [run for run in runs(lambda _: Response(200, JSON, b'{"done": true}'), request_) if run.check.point == point]
    asked = {each.request for run in made for each in run.sent if each.purpose == "test"}
    assert len(asked) > 5
