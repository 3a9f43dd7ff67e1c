"""CSV (RFC 4180): a row for each vulnerability, for people who sort in a spreadsheet."""

import csv
import io

from gatecrash.core.reports.report import Report, place, severity, suppression, told_at, weaknesses

COLUMNS = (
    "code",
    "type",
    "threat",
    "severity",
    "title",
    "method",
    "url",
    "endpoint",
    "point",
    "weakness",
    "verified_by",
    "curl",
    "remediation",
    "id",
    "test_run_id",
    "suppressed",
    "cause",
)
# A spreadsheet runs what begins so (CWE-1236), and URLs and payloads come from anywhere.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def cell(value: object) -> str:
    """A value as a spreadsheet may read it: never as a formula (CWE-1236)."""
    text = str(value)
    return f"'{text}" if text.startswith(_FORMULA) else text


def render(report: Report) -> bytes:
    """The table as UTF-8, its head first."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    causes = told_at(report.vulnerabilities)
    for one, cause in zip(report.vulnerabilities, causes, strict=True):
        told = {
            **one,
            "point": place(one["point"]),
            "severity": severity(one["threat"]),
            "weakness": weaknesses(one),
            "test_run_id": report.run["id"],
            "suppressed": suppression(one) or "",
            "cause": cause,
        }
        writer.writerow([cell(told[name] if told[name] is not None else "") for name in COLUMNS])
    return out.getvalue().encode("utf-8", "backslashreplace")
