"""The document shows what was found, and what targets wrote stays words."""

import msgspec
from tests.core.reports.reporting import EMPTY, REPORT, SUPPRESSED, baseline, one_cause

from gatecrash.core.reports.markdown import MOST_LISTED, render, text
from gatecrash.core.reports.report import Report


def shown(report: Report = REPORT) -> str:
    return render(report).decode("utf-8")


def test_the_table_and_the_finding() -> None:
    page = shown()
    assert "| S0001 | sqli | critical | GET /a | get/q |" in page
    assert "- Baseline requests: 5 (1 passed, 1 passed with nothing to test, 1 failed, 1 not tested, 1 skipped)" in page
    assert "- Checks that could not decide: 2" in page
    assert "## Not tested" in page


def test_a_flaw_found_twice_is_counted_once() -> None:
    twice = msgspec.structs.replace(REPORT, vulnerabilities=[*REPORT.vulnerabilities] * 2)
    assert "- Vulnerabilities: **1**" in render(twice).decode()


def test_markup_of_a_target_is_escaped() -> None:
    assert text("[a](b)<i>|@x") == r"\[a\]\(b\)\<i\>\|\@x"
    assert "\n# Test run nightly \\<script\\>" in "\n" + shown()


def test_no_block_is_ended_by_what_is_in_it() -> None:
    lines = shown().splitlines()
    fences = [line for line in lines if line.startswith("```")]
    assert "``````http" in fences
    assert len(fences) % 2 == 0


def test_nothing_found_and_an_interruption() -> None:
    page = shown(EMPTY)
    assert "- Interrupted: user" in page
    assert "| Code |" not in page


def test_many_untested_are_counted() -> None:
    many = [baseline(number, "error", reason="connection_failed") for number in range(MOST_LISTED + 7)]
    assert "- and 7 more" in shown(Report(run=REPORT.run, vulnerabilities=[], baselines=many, version="1"))


def test_what_is_suppressed_says_why() -> None:
    assert "| S0001 | sqli | critical \\(suppressed\\) |" in shown(SUPPRESSED)
    assert "- Suppressed: until spring" in shown(SUPPRESSED)


def test_one_cause_at_three_endpoints_is_one_row_that_says_so() -> None:
    told = shown(one_cause(3))
    assert "- 3 findings have 1 cause; each is told once, with where else it was found" in told
    assert "| GET /a and 2 more |" in told
    assert "findings have" not in shown(one_cause(1))
