"""What the addresses in an answer name."""

from typing import Any

import pytest

from gatecrash.core.message import Request, Response
from gatecrash.core.point import Point
from gatecrash.formats.draft import Draft, Hole
from gatecrash.node.scan.drafts.known_values import KnownValues
from gatecrash.node.scan.drafts.told_addresses import MOST, LedTo, Told, addresses_in

UUID = "0a1b2c3d-1111-4aaa-a111-111111111111"


@pytest.mark.parametrize(
    ("body", "found"),
    [
        (
            {"report_link": "http://api.example/reports?report_id=7"},
            [Told(("reports",), (), "", (("report_id", "7"),))],
        ),
        (
            {"_links": {"self": {"href": "/api/firings/41"}}},
            [Told(("api", "firings", "41"), ("api", "firings"), "41", ())],
        ),
        (
            [{"url": f"/kilns/{UUID}"}],
            [Told(("kilns", UUID), ("kilns",), UUID, ())],
        ),
        ({"url": "/kilns/all", "home": "/", "text": "see /kilns/41 there", "bad": "http://[x/41"}, []),
        ({"a": {"b": {"c": {"d": {"e": {"f": "/kilns/41"}}}}}}, []),
        ("/kilns/41", [Told(("kilns", "41"), ("kilns",), "41", ())]),
        (None, []),
    ],
)
def test_a_path_names_a_thing_at_its_end_and_a_query_by_its_parameters(body: Any, found: list[Told]) -> None:
    assert list(addresses_in(body)) == found


def test_no_more_than_a_bounded_number_is_read() -> None:
    assert len(list(addresses_in({str(number): f"/kilns/{number}" for number in range(100)}))) == MOST


def test_what_something_new_leads_to_stands_before_what_lists_lead_to() -> None:
    led_to, hole = LedTo(), Hole("report_id", Point(("get", "report_id")), False)
    for link, creating in (("/reports?report_id=3", False), ("/reports?reportId=7", True), ("/r?report_id=4", False)):
        for told in addresses_in({"link": link}):
            led_to.learn(told, creating=creating)
    assert list(led_to.at(("reports",), hole)) == ["7", "3"]
    assert list(led_to.at(("reports",), hole, creating=True)) == ["7"]
    assert not list(led_to.at(("r",), hole, creating=True))
    assert not list(led_to.at(("reports",), Hole("report_id", Point(("path", "0")), False)))


@pytest.mark.parametrize(("method", "query"), [("POST", b"report_id=7"), ("GET", b"report_id=1")])
def test_an_example_gives_way_to_what_something_new_leads_to(method: str, query: bytes) -> None:
    known, hole = KnownValues(), Hole("report_id", Point(("get", "report_id")), True)
    body = b'{"link": "http://x/reports?report_id=7"}'
    known.learn(Request(method, b"/visits"), Response(200, ((b"Content-Type", b"application/json"),), body))
    shown = Draft(request=Request("GET", b"/reports?report_id=1"), drafted=True, holes=(hole,))
    assert known.filled(shown) is shown
    assert known.filled(shown, own=True).request.query == query
