"""What is accepted is named by type, endpoint and point, for a time, and never by a code of one scan."""

from typing import Any

import pytest
from tests.core.reports.reporting import VULNERABILITY

from gatecrash.core.reports.accepted import Accepted, accepting

ENTRY = Accepted(type="sqli", endpoint="GET /a", point="get/q", reason="until spring")
NOW = 1_800_000_000


def told(entry: Accepted, now: float = NOW, **more: Any) -> tuple[bool, str | None, int]:
    """Whether and why a finding is suppressed by one entry, and how many entries named nothing."""
    (one,), gone = accepting([{**VULNERABILITY, **more}], [entry], now)
    return one["suppressed"], one["suppression_reason"], len(gone)


@pytest.mark.parametrize("point", ["get/q", None])
def test_an_entry_names_its_finding_whatever_its_code_and_address_are(point: str | None) -> None:
    entry = Accepted(type="sqli", endpoint="GET /a", point=point, reason="until spring")
    assert told(entry, code="S0042", url="http://other/a?q=2") == (True, "until spring", 0)


@pytest.mark.parametrize("other", [{"type": "xss"}, {"endpoint": "POST /a"}, {"point": [["get", "p"]]}, {"point": []}])
def test_another_finding_is_not_meant(other: dict[str, Any]) -> None:
    assert told(ENTRY, **other) == (False, None, 1)


def test_an_entry_ends_and_is_then_no_leftover() -> None:
    entry = Accepted(type="sqli", endpoint="GET /a", reason="until spring", until=NOW)
    assert told(entry) == (True, "until spring", 0)
    assert told(entry, now=NOW + 1) == (False, None, 0)


def test_of_two_entries_the_one_that_still_holds_counts() -> None:
    over = Accepted(type="sqli", endpoint="GET /a", reason="old", until=NOW - 1)
    (one,), gone = accepting([VULNERABILITY], [over, ENTRY], NOW)
    assert (one["suppression_reason"], gone) == ("until spring", [])


def test_an_entry_says_what_it_names() -> None:
    assert str(ENTRY) == "sqli at get/q of GET /a"
    assert str(Accepted(type="auth", endpoint="GET /b", reason="x")) == "auth at any point of GET /b"
