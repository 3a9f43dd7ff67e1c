"""Operators that only narrow, and scripts that no SQL and no other JavaScript takes for a comparison."""

import re
import sqlite3
from contextlib import closing

import pytest

from gatecrash.core.testing.payloads.nosqli import (
    AMONG,
    BARE_SCRIPT,
    EQUAL,
    KNOWN,
    MATCHING,
    OTHER,
    SCRIPTS,
    UNKNOWN,
)

VALUES = ("tea", "green tea", "tea+", "", "o'clock", "x")


def test_no_operator_finds_more_than_the_value_unless_it_says_so():
    assert {EQUAL.holds.name, EQUAL.holds_not.name} == {"$eq"}
    expression = MATCHING.holds.operand.format(pattern=re.escape("tea+"))
    assert [value for value in VALUES if re.search(expression, value)] == ["tea+"]
    assert [value for value in VALUES if re.search(MATCHING.holds_not.operand.format(mark="qzxw"), value)] == []
    assert [trio.widens for trio in (EQUAL, MATCHING, OTHER)] == [False, False, True]


def test_decoys_are_no_operators():
    for trio in (EQUAL, MATCHING, AMONG, OTHER):
        assert trio.decoy.name not in ("$eq", "$ne", "$gt", "$in", "$nin", "$regex", "$where")
        assert trio.decoy.operand == trio.holds.operand
    assert UNKNOWN.startswith("$z")


@pytest.mark.parametrize("script", [*SCRIPTS, BARE_SCRIPT], ids=lambda script: script.name)
def test_a_script_is_no_sql(script):
    payload = script.pattern.format(value="5", word=KNOWN)
    quote = "'" if "'+" in payload else '"' if '"+' in payload else ""
    with closing(sqlite3.connect(":memory:")) as database, pytest.raises(sqlite3.Error):
        database.execute(f"SELECT 1 WHERE 'a' = {quote}{payload}{quote}")
    assert "||" not in payload
