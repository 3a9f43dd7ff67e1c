"""Names of API keys: each documented, each once, each with a look that exists."""

import re

from gatecrash.core.auth.families.api_keys import HEADERS, LOOKS, QUERY


def test_every_name_has_a_source_and_a_look_and_is_there_once():
    for table in (HEADERS, QUERY):
        assert len({row.name for row in table}) == len(table)
        for row in table:
            assert row.source
            assert row.look == "opaque" or row.look in LOOKS


def test_headers_are_in_capitals_as_points_are():
    assert all(row.name == row.name.upper() for row in HEADERS)


def test_a_folded_name_stands_for_headers_that_end_so():
    folded = {row.name: re.compile(row.pattern) for row in HEADERS if row.pattern}
    assert folded["<VENDOR>-API-KEY"].fullmatch("X-ACME-API-KEY")
    assert not folded["<VENDOR>-API-KEY"].fullmatch("X-ACME-API-KEY-ID")
    assert not folded["<VENDOR>-API-KEY"].fullmatch("-API-KEY")
    for name, pattern in folded.items():
        end = name.removeprefix("<VENDOR>")
        assert pattern.fullmatch("ACME" + end)
        assert not pattern.fullmatch("X-CSRF" + end)
