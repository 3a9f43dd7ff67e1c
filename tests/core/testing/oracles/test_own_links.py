"""What an object without an identifier is called by the link to itself."""

import pytest

from gatecrash.core.testing.oracles.own_links import identifier_by_link


def hal(href: str) -> dict[str, object]:
    return {"name": "Ann", "_links": {"self": {"href": href}, "owner": {"href": "/users/3"}}}


@pytest.mark.parametrize(
    ("members", "identifier"),
    [
        (hal("/api/parts/7"), "7"),
        (hal("https://shop.example/api/parts/65f0a1c2b7d3e90012ab34cd{?projection}"), "65f0a1c2b7d3e90012ab34cd"),
        (hal("/api/parts/PT%2D31?lang=en"), "PT-31"),
        ({"name": "Ann", "links": [{"rel": "owner", "href": "/users/3"}, {"rel": "self", "href": "/parts/7/"}]}, "7"),
        ({"name": "Ann", "links": {"self": "/parts/7"}}, "7"),
        ({"name": "Ann", "@id": "/parts/7"}, "7"),
    ],
    ids=["HAL", "what may be asked behind it", "percent codes", "a list of links", "links by name", "JSON-LD"],
)
def test_the_end_of_its_own_address(members: dict[str, object], identifier: str):
    assert identifier_by_link(members) == identifier


@pytest.mark.parametrize(
    "members",
    [
        {"id": 5, **hal("/api/parts/7")},
        {"_embedded": {"parts": []}, **hal("/api/groups/7")},
        {"data": {"id": "7"}, "links": {"self": "/parts/7"}},
        hal("/api/me"),
        hal("/api/parts?page=2"),
        hal("/api/v2"),
        {"name": "Ann", "_links": {"owner": {"href": "/users/3"}}},
        {"name": "Ann", "_links": {"self": {"href": 7}}},
        {"name": "Ann", "links": "/parts/7", "@id": "7"},
        {},
    ],
    ids=[
        *(
            "an identifier of its own",
            "a list's page",
            "a document",
            "the caller himself",
            "a list",
            "a version",
            "another's link",
        ),
        *("no address", "another notation", "nothing"),
    ],
)
def test_nothing_where_it_says_none(members: dict[str, object]):
    assert identifier_by_link(members) == ""
