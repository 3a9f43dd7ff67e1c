"""Conditions that JSONPath reads as they are meant and SQL does not read at all."""

import sqlite3
from contextlib import closing

import jsonpath
import pytest

from gatecrash.core.testing.payloads.nosqli_jsonpath import NUMBERS, OTHER, SAME, TEXTS, TORN

STORE = {"jars": [{"name": "tea", "grams": 70}, {"name": "salt", "grams": 90}]}
FILTERS = {"text": "@.name == '{}'", "text in double quotes": '@.name == "{}"', "number": "@.grams == {}"}


@pytest.mark.parametrize("context", [*TEXTS, *NUMBERS], ids=lambda context: context.name)
def test_a_condition_holds_or_not_and_its_lookalike_breaks(context):
    def found(compared: str) -> int:
        value = "70" if context in NUMBERS else "tea"
        payload = context.pattern.format(value=value, compared=compared, mark="zz")
        return len(jsonpath.findall(f"$.jars[?{FILTERS[context.name].format(payload)}]", STORE))

    assert (found(SAME), found(OTHER)) == (1, 0)
    with pytest.raises(jsonpath.JSONPathError):
        found(TORN)


@pytest.mark.parametrize("context", [*TEXTS, *NUMBERS], ids=lambda context: context.name)
def test_no_database_reads_it(context):
    quote = {"text": "'", "text in double quotes": '"'}.get(context.name, "")
    payload = context.pattern.format(value="7", compared=SAME, mark="zz")
    with closing(sqlite3.connect(":memory:")) as database, pytest.raises(sqlite3.Error):
        database.execute(f"SELECT 1 WHERE '7' = {quote}{payload}{quote}")
