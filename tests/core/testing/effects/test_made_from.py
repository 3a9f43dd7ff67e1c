"""What others are made from is told by the requests that make them."""

import json

import msgspec

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.effects.made_from import layers
from gatecrash.core.testing.ordering import in_order

JSON = ((b"Content-Type", b"application/json"),)


def one(method: str, path: str, status: int | None = 201, **fields: object) -> Baseline:
    body = json.dumps(fields).encode() if fields else b""
    response = Response(status) if status is not None else None
    return Baseline(f"{method} {path}", Exchange(Request(method, path.encode(), JSON, body), response, drafted=True))


BED, HARVEST = one("DELETE", "/beds/10", None), one("DELETE", "/harvests/4", None)


def test_a_thing_is_made_from_what_its_request_names() -> None:
    made = one("POST", "/harvests", bed_id=10, kilos=2)
    assert layers([BED, HARVEST, made]) == {b"/beds/10": 1}
    assert [each.id for each in in_order([BED, HARVEST, made])] == [
        "POST /harvests",
        "DELETE /harvests/4",
        "DELETE /beds/10",
    ]


def test_what_is_made_one_from_another_is_deleted_in_turn() -> None:
    sale, site = one("DELETE", "/sales/9", None), one("DELETE", "/api/sites/s-1", None)
    made = [
        one("POST", "/harvests", bedId=10),
        one("POST", "/sales", harvest=4),
        one("POST", "/api/beds", data={"siteId": "s-1"}),
    ]
    assert layers([site, BED, HARVEST, sale, *made]) == {b"/api/sites/s-1": 3, b"/beds/10": 2, b"/harvests/4": 1}
    assert next(each.id for each in in_order([site, BED, HARVEST, sale])) == "DELETE /api/sites/s-1"
    assert [each.id.split("/")[-2] for each in in_order([site, BED, HARVEST, sale, *made])[3:]] == [
        "sales",
        "harvests",
        "beds",
        "sites",
    ]


def test_what_is_made_below_another_is_made_from_it() -> None:
    assert layers([BED, one("POST", "/beds/10/photos", title="x")]) == {b"/beds/10": 1}


def test_a_number_of_something_else_or_a_refused_request_says_nothing() -> None:
    others = [
        one("POST", "/harvests", kilos=10),
        one("POST", "/harvests", bed_id=11),
        one("POST", "/harvests", 422, bed_id=10),
        one("POST", "/beds", bed_id=10),
        one("PUT", "/harvests/4", bed_id=10),
    ]
    assert layers([BED, HARVEST, *others]) == {}
    assert [each.id for each in in_order([BED, HARVEST])] == ["DELETE /beds/10", "DELETE /harvests/4"]


def test_things_that_are_made_from_each_other_end() -> None:
    ring = [one("POST", "/harvests", bed_id=10), one("POST", "/beds", harvest_id=4)]
    assert set(layers([BED, HARVEST, *ring])) == {b"/beds/10", b"/harvests/4"}


def test_what_was_recorded_keeps_its_order() -> None:
    made = one("POST", "/harvests", bed_id=10)
    recorded = [
        msgspec.structs.replace(each, exchange=msgspec.structs.replace(each.exchange, drafted=False))
        for each in (BED, HARVEST, made)
    ]
    assert layers(recorded) == {}
