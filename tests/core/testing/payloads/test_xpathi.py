"""Conditions that XPath reads as they are meant and SQL does not read at all."""

import sqlite3
from contextlib import closing

import lxml.etree
import pytest

from gatecrash.core.testing.payloads.xpathi import BROKEN, DECOY, FUNCTION, NUMBERS, TEXTS, WHOLE

STORE = lxml.etree.fromstring("<a><b><c>tea</c><n>5</n></b></a>")
PLACES = {
    "text": "//b[c='{}']",
    "text in double quotes": '//b[c="{}"]',
    "argument of a function": "//b[contains(c, '{}')]",
    "number": "//b[n={}]",
}


@pytest.mark.parametrize("context", [*TEXTS, NUMBERS[0]], ids=lambda context: context.name)
def test_a_condition_holds_or_not_and_its_lookalike_breaks(context):
    def found(function, length):
        payload = context.pattern.format(
            value="5" if context.number else "tea", function=function, text="bcdf", length=length, mark="zz"
        )
        return STORE.xpath(PLACES[context.name].format(payload))

    assert found(FUNCTION, 4)
    assert not found(FUNCTION, 5)
    with pytest.raises(lxml.etree.XPathEvalError):
        found(DECOY, 4)


def test_a_number_that_tells_which_element_it_is_holds_or_not():
    def found(length):
        payload = NUMBERS[0].pattern.format(value="2", function=FUNCTION, text="bcdf", length=length)
        return [each.tag for each in STORE.xpath(f"//b/*[{payload}]")]

    assert (found(4), found(5)) == (["n"], [])


def test_sql_knows_no_such_function():
    payload = TEXTS[0].pattern.format(value="tea", function=FUNCTION, text="bcdf", length=4, mark="zz")
    with closing(sqlite3.connect(":memory:")) as database, pytest.raises(sqlite3.OperationalError):
        database.execute(f"SELECT 1 WHERE 'tea' = '{payload}'")


def test_whole_input_closes_what_broken_input_opens():
    expression = PLACES["text"]
    assert STORE.xpath(expression.format(WHOLE.format(value="tea", mark="zz")))
    with pytest.raises(lxml.etree.XPathEvalError):
        STORE.xpath(expression.format(BROKEN.format(value="tea", mark="zz")))
