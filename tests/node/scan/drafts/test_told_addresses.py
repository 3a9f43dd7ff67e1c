"""What the addresses in an answer name."""

from typing import Any

import pytest

from gatecrash.node.scan.drafts.told_addresses import MOST, Told, addresses_in

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
