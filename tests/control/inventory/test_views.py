import pytest

from gatecrash.control.inventory import views
from gatecrash.control.inventory.mapping import TYPE_BITS
from gatecrash.control.inventory.shares import ALL, ANSWERED, Shares
from gatecrash.core.auth.parameters import DEFAULTS

NOW = 1_800_000_000
ROW: dict[str, object] = {
    **dict.fromkeys(views.COLUMNS, 0),
    "public_id": "ep_1",
    "protocol": "rest",
    "method": "GET",
    "host": "h",
    "path": "/a",
    "operation": "",
    "first_seen": 1,
    "last_seen": 2,
    "requests": 1000,
    "authenticated": 949,
    "answered": 10,
    "refused": 3,
    "types": TYPE_BITS["bearer"],
    "status2": 990,
    "status4": 10,
}


def shown(parameters: list[tuple[object, ...]], ours: Shares = ALL, **changes: object) -> views.Document:
    return views.endpoint(list({**ROW, **changes}.values()), parameters, ours, NOW)


def test_defaults_have_identifiers_that_never_change() -> None:
    assert len(views.DEFAULT_IDS) == len(DEFAULTS) == 34
    assert views.default_id(DEFAULTS[0]) == "ap_default_962fc68ef89c4a43"


def test_status_and_coverage_come_from_the_core_and_never_round_up() -> None:
    found = shown([("bearer", ["header", "AUTHORIZATION"], 950, 949, 0), ("basic", '["get", "a"]', 3, 0, 1)])
    assert (found["status"], found["coverage"], found["types"]) == ("partial", 94.9, ["bearer"])
    assert found["statuses"] == {"1xx": 0, "2xx": 990, "3xx": 0, "4xx": 10, "5xx": 0}
    assert found["parameters"][1] == {
        "type": "basic",
        "coverage": 0.0,
        "key": "a",
        "context": "query",
        "point": [["get", "a"]],
        "seen": 3,
        "valid": 0,
        "unproven": True,
    }


def test_without_answers_refused_is_null_and_without_traffic_status_is() -> None:
    found = shown([], requests=0, authenticated=0, answered=0, refused=0)
    assert (found["refused"], found["status"], found["coverage"]) == (None, None, None)


def test_where_refused_requests_are_left_out_they_are_in_no_share_and_still_told() -> None:
    parameter = ("bearer", ["header", "AUTHORIZATION"], 949, 949, 0)
    found = shown([parameter], ANSWERED, refused=60, authenticated_refused=9)
    assert (found["status"], found["coverage"]) == ("consistent", 100.0)
    assert (found["requests"], found["authenticated"], found["refused"]) == (1000, 949, 60)
    assert found["parameters"][0]["coverage"] == 100.0


@pytest.mark.parametrize(
    ("changes", "badges"),
    [
        ({}, []),
        ({"first_seen": NOW - views.WEEK + 1}, ["new"]),
        ({"first_seen": NOW - views.WEEK}, []),
        ({"changed_at": NOW - 5, "first_seen": NOW - 9}, ["new", "changed"]),
        ({"requests": 0}, ["unused"]),
        ({"requests": 0, "undetected": 4}, []),
        ({"requests": 0, "first_seen": None}, ["unused"]),
    ],
)
def test_badges_tell_of_the_last_week(changes: dict[str, object], badges: list[str]) -> None:
    assert shown([], **changes)["badges"] == badges


def test_a_mark_ends_with_the_second_of_its_expiry() -> None:
    assert shown([], public_until=NOW + 1)["public"]
    assert not shown([], public_until=NOW)["public"]


@pytest.mark.parametrize(
    ("state", "requests", "expected"),
    [(0, 5, None), (1, 5, "documented"), (1, 0, "unused"), (2, 5, "shadow"), (2, 0, "shadow")],
)
def test_a_documented_endpoint_without_traffic_is_unused(state: int, requests: int, expected: str | None) -> None:
    assert shown([], document=state, requests=requests)["document"] == expected


def test_a_node_without_detection_is_named_while_its_requests_are_in_the_window() -> None:
    node = {"undetected_node": "node_1", "undetected_version": "native 0.23.0"}
    found = shown([], **node, undetected=4)
    assert (found["undetected_node"], found["undetected_version"]) == ("node_1", "native 0.23.0")
    assert shown([], **node)["undetected_node"] is None
