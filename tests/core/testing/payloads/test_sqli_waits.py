"""What waits keeps to what a test may do."""

import re

import pytest

from gatecrash.core.testing.payloads.sqli_waits import WAITS, WAITS_OF_JAVA, WAITS_WHERE_NAMED, fill_wait


@pytest.mark.parametrize("wait", [*WAITS, *WAITS_OF_JAVA, *WAITS_WHERE_NAMED], ids=lambda wait: wait.engine)
@pytest.mark.parametrize("number", [True, False])
def test_no_wait_widens_adds_a_statement_or_lasts_over_five_seconds(wait, number):
    payload = fill_wait(wait, "5", 3, "xqz", number=number)
    assert not re.search(r";|\bOR\b|--|/\*|\b(?:DELETE|UPDATE|INSERT|DROP)\b", payload)
    assert 3 * wait.seconds <= 5
    assert fill_wait(wait, "5", 3, "xqz", number=number, decoy=True) != payload
