"""Spellings that a filter reads as the value, as another, or not at all."""

import pytest
from tests.range.directory import BadFilter, search

from gatecrash.core.testing.payloads.ldapi import BROKEN, HOLDS, HOLDS_NOT, WHOLE, misspelt, other, spelt


def test_a_filter_reads_the_spelling():
    assert search(f"(uid={spelt('tea')})") == ["tea"]
    assert search(f"(uid={other('tea')})") == []
    with pytest.raises(BadFilter):
        search(f"(uid={misspelt('tea')})")


def test_a_star_matches_where_nothing_is_missing():
    assert search(f"(uid={HOLDS.format(first='t', rest='ea')})") == ["tea"]
    assert search(f"(uid={HOLDS_NOT.format(first='t', rest='ea', mark='zz')})") == []


def test_brackets_break_a_filter_unless_they_are_spelt():
    with pytest.raises(BadFilter):
        search(f"(uid={BROKEN.format(value='tea', mark='zz')})")
    assert search(f"(uid={WHOLE.format(value='tea', mark='zz')})") == []


def test_letters_beyond_ascii_are_spelt_byte_by_byte():
    assert spelt("éa") == "\\c3\\a9a"


@pytest.mark.parametrize("value", ["2026-12-01", "tea", "Zed"])
def test_another_value_is_as_many_typing_errors_away(value):
    """Of digits the second sign of the escape is the digit itself."""
    assert other(value)[2:] == spelt(value)[2:]
    assert other(value)[1] != spelt(value)[1]
