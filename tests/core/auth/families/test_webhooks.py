"""Signature headers: each documented, each once, each in a shape that exists."""

from gatecrash.core.auth.families.api_keys import HEADERS as KEYS
from gatecrash.core.auth.families.webhooks import HEADERS
from gatecrash.core.auth.signatures import SHAPES


def test_every_header_has_a_source_and_a_shape_and_is_there_once():
    names = [row.name for row in HEADERS]
    assert len(set(names)) == len(names)
    assert set(names).isdisjoint(row.name for row in KEYS)
    for row in HEADERS:
        assert row.source
        assert row.shape in SHAPES
        assert row.name == row.name.upper()


def test_only_a_name_with_a_gap_has_a_pattern():
    assert all(("<" in row.name) == bool(row.pattern) for row in HEADERS)
