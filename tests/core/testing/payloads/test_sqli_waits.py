"""What waits keeps to what a test may do."""

import re
import sqlite3

import pytest

from gatecrash.core.testing.payloads.sqli_waits import WAITS, WAITS_OF_JAVA, WAITS_WHERE_NAMED, fill_wait


@pytest.mark.parametrize("wait", [*WAITS, *WAITS_OF_JAVA, *WAITS_WHERE_NAMED], ids=lambda wait: wait.engine)
@pytest.mark.parametrize("number", [True, False])
def test_no_wait_widens_adds_a_statement_or_lasts_over_five_seconds(wait, number):
    payload = fill_wait(wait, "5", 3, "xqz", number=number)
    assert payload.count("/*") == payload.count("*/") == number
    assert not re.search(r";|\bOR\b|--|\b(?:DELETE|UPDATE|INSERT|DROP)\b", payload)
    assert 3 * wait.seconds <= 5
    assert fill_wait(wait, "5", 3, "xqz", number=number, decoy=True) != payload


@pytest.mark.parametrize("statement", ["SELECT 1 WHERE 5={}", "SELECT 1 WHERE '5'='{}'"])
def test_a_number_is_waited_for_with_quotes_and_without(statement):
    (sqlite,) = (wait for wait in WAITS if wait.engine == "SQLite")
    database = sqlite3.connect(":memory:")
    database.execute(statement.format(fill_wait(sqlite, "5", 0, "xqz", number=True)))
    with pytest.raises(sqlite3.OperationalError, match=r"RECURSIVA|syntax"):
        database.execute(statement.format(fill_wait(sqlite, "5", 0, "xqz", number=True, decoy=True)))
    database.close()
