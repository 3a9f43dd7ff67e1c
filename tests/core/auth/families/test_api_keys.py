"""Names of API keys: each documented, each once, each with a look that exists."""

from gatecrash.core.auth.families.api_keys import HEADERS, LOOKS, QUERY


def test_every_name_has_a_source_and_a_look_and_is_there_once():
    for table in (HEADERS, QUERY):
        assert len({row.name for row in table}) == len(table)
        for row in table:
            assert row.source
            assert row.look == "opaque" or row.look in LOOKS


def test_headers_are_in_capitals_as_points_are():
    assert all(row.name == row.name.upper() for row in HEADERS)
