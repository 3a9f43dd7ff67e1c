"""Operators that only narrow, and scripts that no SQL and no other JavaScript takes for a comparison."""

import json
import re
import shutil
import sqlite3
import subprocess
from contextlib import closing

import pytest

from gatecrash.core.testing.payloads.nosqli import (
    AMONG,
    BARE_SCRIPT,
    EQUAL,
    IS_SERVER,
    KNOWN,
    MATCHING,
    OTHER,
    SCRIPTS,
    UNKNOWN,
)

VALUES = ("tea", "green tea", "tea+", "", "o'clock", "x")


def test_what_is_asked_everywhere_finds_no_more_than_the_value():
    assert {EQUAL.holds.name, EQUAL.holds_not.name} == {"$eq"}
    expression = MATCHING.holds.operand.format(pattern=re.escape("tea+"))
    assert [value for value in VALUES if re.search(expression, value)] == ["tea+"]
    assert [value for value in VALUES if re.search(MATCHING.holds_not.operand.format(mark="qzxw"), value)] == []


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


PLACES_OF_SCRIPTS = {
    "a whole program": ("{}", True),
    "a function of a program": ("(() => {})()", True),
    "a script apart": ("require('vm').runInNewContext('!!({})')", True),
    "a function handed to a script apart": ("require('vm').runInNewContext('!!({})', {{isNaN, told: String}})", True),
    "a document": ("(function () {{ return {} }}).call({{price: 3}})", False),
    "a document apart": ("require('vm').runInNewContext('!!({})', {{price: 3}})", False),
    "a database": ("require('vm').runInNewContext('NumberLong = Number; !!({})')", False),
}


@pytest.mark.skipif(not shutil.which("node"), reason="Node evaluates it")
def test_a_programs_own_code_is_told_from_a_querys():
    asked = ", ".join(f"!!({place.format(IS_SERVER)})" for place, _ in PLACES_OF_SCRIPTS.values())
    told = subprocess.run(["node", "-p", f"JSON.stringify([{asked}])"], capture_output=True, check=True, timeout=60)
    assert json.loads(told.stdout) == [own for _, own in PLACES_OF_SCRIPTS.values()]
