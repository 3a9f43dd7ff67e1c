"""JUnit XML: what every pipeline shows as tests. A baseline request is a test case, its host a test suite.

There is no standard; this is the part that Jenkins, GitLab and Azure agree on: failure for what was found, error for
what could not be tested, skipped for what nobody meant to test, what no check fits, or what is suppressed. A check that
could not decide is told in system-out.
"""

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlsplit
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from gatecrash.core.reports.plural import plural
from gatecrash.core.reports.report import Report, had_no_check, place, suppression, why_untested

# XML 1.0 section 2.2: these characters cannot be written at all, not even escaped.
_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def render(report: Report) -> bytes:
    """The document as UTF-8."""
    root = Element("testsuites", name=_clean(report.run["name"]), time=_seconds(report.run))
    found: dict[str, list[Mapping[str, Any]]] = {}
    for one in report.vulnerabilities:
        found.setdefault(one["baseline_id"], []).append(one)
    totals = [_suite(root, host, rows, found, report) for host, rows in _by_host(report).items()]
    for name, numbers in zip(("tests", "failures", "errors", "skipped"), zip(*totals, strict=True), strict=False):
        root.set(name, str(sum(numbers)))
    indent(root)
    document: bytes = tostring(root, encoding="utf-8", xml_declaration=True)
    return document


def _by_host(report: Report) -> dict[str, list[Mapping[str, Any]]]:
    hosts: dict[str, list[Mapping[str, Any]]] = {}
    for one in report.baselines:
        hosts.setdefault(urlsplit(one["url"] or "").netloc, []).append(one)
    return hosts


def _suite(
    root: Element,
    host: str,
    rows: Sequence[Mapping[str, Any]],
    found: Mapping[str, Sequence[Mapping[str, Any]]],
    report: Report,
) -> tuple[int, int, int, int]:
    """One host's cases; tests, failures, errors, skipped."""
    suite = SubElement(root, "testsuite", name=_clean(host), time=_seconds(report.run))
    suite.set("timestamp", datetime.fromtimestamp(report.run["start_time"], UTC).strftime("%Y-%m-%dT%H:%M:%S"))
    outcomes = [_case(suite, host, row, found.get(row["id"], ())) for row in rows]
    totals = len(rows), outcomes.count("failure"), outcomes.count("error"), outcomes.count("skipped")
    for name, number in zip(("tests", "failures", "errors", "skipped"), totals, strict=True):
        suite.set(name, str(number))
    return totals


def _case(suite: Element, host: str, row: Mapping[str, Any], found: Sequence[Mapping[str, Any]]) -> str:
    """One baseline's case; which outcome it has."""
    case = SubElement(suite, "testcase", classname=_clean(host), name=_clean(f"{row['method']} {row['url']}"), time="0")
    notes = [_undecided(row)] if row.get("inconclusive") else []
    notes += [f"{one['code']} is suppressed: {why}" for one in found if (why := suppression(one))]
    if notes:
        SubElement(case, "system-out").text = _clean("\n".join(notes))
    failing = [one for one in found if not suppression(one)]
    if failing:
        for one in failing:
            told = f"{one['code']} {one['title']} at {place(one['point'])} (threat {one['threat']})"
            failure = SubElement(case, "failure", message=_clean(told), type=one["type"])
            failure.text = _clean("\n".join(filter(None, (one["verified_by"], one["curl"], one["remediation"]))))
        return "failure"
    if found and row["status"] == "failed":
        codes = ", ".join(sorted({one["code"] for one in found}))
        SubElement(case, "skipped", message=_clean(f"suppressed: {codes}"))
        return "skipped"
    if row["status"] == "error":
        SubElement(case, "error", message=_clean(why_untested(row)), type=str(row["reason"]))
        return "error"
    if row["status"] in ("passed", "failed") and not had_no_check(row):
        return ""
    SubElement(case, "skipped", message=_clean(why_untested(row)))
    return "skipped"


def _undecided(row: Mapping[str, Any]) -> str:
    number = row["inconclusive"]
    told = f"{plural(number, 'check')} could not decide"
    return f"{told}: {row['detail']}" if row.get("detail") else f"{told}."


def _seconds(run: Mapping[str, Any]) -> str:
    return str((run["end_time"] or run["start_time"]) - run["start_time"])


def _clean(text: str) -> str:
    return _FORBIDDEN.sub("\ufffd", text)
