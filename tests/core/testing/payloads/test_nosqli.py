"""Operators that only narrow, and scripts that no SQL and no other JavaScript takes for a comparison."""

import sqlite3

import pytest

from gatecrash.core.testing.payloads.nosqli import DECOY, HOLDS, HOLDS_NOT, KIND, KNOWN, NUMBER_SCRIPT, SCRIPTS, UNKNOWN


def test_no_operator_finds_more_than_the_value():
    assert {HOLDS.name, HOLDS_NOT.name} == {"$eq"}
    assert DECOY.name not in ("$eq", "$ne", "$gt", "$in", "$regex", "$where")
    assert UNKNOWN.startswith("$z")


@pytest.mark.parametrize("script", [*SCRIPTS, NUMBER_SCRIPT], ids=lambda script: script.name)
def test_a_script_is_no_sql(script):
    payload = script.pattern.format(value="5", word=KNOWN, kind=KIND, mark="bcd")
    quote = "'" if "' &&" in payload else '"' if '" &&' in payload else ""
    with pytest.raises(sqlite3.Error):
        sqlite3.connect(":memory:").execute(f"SELECT 1 WHERE 'a' = {quote}{payload}{quote}")
    assert "||" not in payload
